"""What a replay says: as it was, as it was captured, and after a change, with what it leaves out."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from agtrace.measure.grid import Values
from agtrace.replay.change import Change
from agtrace.replay.limits import Capacity
from agtrace.thresholds import Thresholds


@dataclass(frozen=True)
class Figures:
    """Figures of a stream and its commits; None where the captures carry none.

    Parameters
    ----------
    send_queue_p95_bytes, send_queue_end_bytes
        Over the samples, and at the last one.
    received_bytes_per_s
        Log that arrived, mean.
    commit_p50_ms, commit_p95_ms, commit_p99_ms
        Whole commits, as log blocks tell.
    recovery_queue_p95_bytes, recovery_queue_end_bytes
        Of all databases together.
    """

    send_queue_p95_bytes: float | None = None
    send_queue_end_bytes: float | None = None
    received_bytes_per_s: float | None = None
    commit_p50_ms: float | None = None
    commit_p95_ms: float | None = None
    commit_p99_ms: float | None = None
    recovery_queue_p95_bytes: float | None = None
    recovery_queue_end_bytes: float | None = None


@dataclass(frozen=True)
class After(Figures):
    """The same after a change; ``low`` and ``high`` are the ends of the 90 % band.

    Parameters
    ----------
    caught_up_s
        From the first sample, had the change been made before it, until the queue is gone; None: never.
    caught_up_from_end_s
        From the last sample, were the change made then, at the load's mean; None: never.
    next_limit
        The hop that ends first after the change; None where no hop was seen or computed.
    carries_bytes_per_s
        Log that the group carries in all before that hop holds it back.
    compression_cores
        Cores of the primary that compressing takes at the mean load; below 0 the change sets them free.
    """

    send_queue_p95_low_bytes: float | None = None
    send_queue_p95_high_bytes: float | None = None
    send_queue_end_low_bytes: float | None = None
    send_queue_end_high_bytes: float | None = None
    caught_up_s: float | None = None
    caught_up_low_s: float | None = None
    caught_up_high_s: float | None = None
    caught_up_from_end_s: float | None = None
    caught_up_from_end_low_s: float | None = None
    caught_up_from_end_high_s: float | None = None
    received_low_bytes_per_s: float | None = None
    received_high_bytes_per_s: float | None = None
    commit_p50_low_ms: float | None = None
    commit_p50_high_ms: float | None = None
    commit_p95_low_ms: float | None = None
    commit_p95_high_ms: float | None = None
    commit_p99_low_ms: float | None = None
    commit_p99_high_ms: float | None = None
    next_limit: str | None = None
    carries_bytes_per_s: float | None = None
    compression_cores: float | None = None


@dataclass(frozen=True, eq=False)
class Course:
    """The send queue over time, captured and after the change, with its band; bytes.

    Parameters
    ----------
    generated, generated_after
        Log that had come until each sample, with what waited at the first.
    generated_rate
        Mean of it after the change, bytes per second.
    """

    times: Values
    captured: Values
    replayed: Values
    after: Values
    low: Values
    high: Values
    generated: Values
    generated_after: Values
    generated_rate: float
    is_local: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class WhatIf:
    """An estimate of what a change would bring. Shown, it is told in words.

    Parameters
    ----------
    errors
        By figure: how far the replay of what was is off what was captured, as a share.
    whys
        Keys of what the captures do not carry, or why nothing is offered.
    leaves_out, assumes
        Keys of what the model leaves out, and of what the estimate takes for granted.
    capacities
        Of each hop that is known, after the change.
    limits
        The thresholds that were in force.
    """

    replica: str
    change: Change
    start: float | None = None
    end: float | None = None
    is_local: bool = False
    captured: Figures = field(default_factory=Figures)
    replayed: Figures = field(default_factory=Figures)
    errors: dict[str, float] = field(default_factory=dict)
    after: After = field(default_factory=After)
    limit: str = ""
    whys: tuple[str, ...] = ()
    leaves_out: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    capacities: tuple[Capacity, ...] = ()
    course: Course | None = None
    blocks: int = 0
    samples: int = 0
    limits: Thresholds = field(default_factory=Thresholds)

    def __repr__(self) -> str:
        from agtrace.replay.words import said
        from agtrace.say.places import PLAIN

        return "\n\n".join(said(self, self.limits, PLAIN))

    @property
    def error(self) -> float | None:
        """The largest of the errors; None where nothing was replayed."""
        return max(self.errors.values(), default=None)

    @property
    def is_offered(self) -> bool:
        """Some figure after the change is told."""
        return any(value is not None for value in asdict(self.after).values())
