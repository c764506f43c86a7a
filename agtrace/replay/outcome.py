"""The result of a replay and its text: before and after a change, against the captured values, with limits.

Templates of the text are in ``said/``.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from agtrace.measure.grid import Values
from agtrace.replay.change import Change
from agtrace.replay.limits import Capacity
from agtrace.say import places
from agtrace.say import words as w
from agtrace.say.said import Said
from agtrace.thresholds import Thresholds

SAID = Said(__package__ or "")
PARTS = ("headline", "answer", "check", "rests")
MENTIONED = 0.005
"""Share from which an error of the replay is printed: smaller ones round to 0 %."""


@dataclass(frozen=True)
class Figures:
    """Figures of a stream and its commits; None for those that the captures do not have.

    Parameters
    ----------
    send_queue_p95_bytes, send_queue_end_bytes
        Over the samples, and at the last one.
    received_bytes_per_s
        Log that arrived, mean.
    commit_p50_ms, commit_p95_ms, commit_p99_ms
        Whole commits, from log blocks.
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
        The hop that is the limit after the change; None if no hop's capacity was seen or computed.
    carries_bytes_per_s
        Total log throughput at which that hop becomes the limit.
    compression_cores
        Cores of the primary that compression uses at the mean load; negative if the change frees them.
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
    """An estimate of the effect of a change; its repr is a text.

    Parameters
    ----------
    errors
        By figure: error of the replay without a change against the captured value, as a fraction.
    whys
        Keys of what the captures do not support, or of why there is no estimate.
    leaves_out, assumes
        Keys of effects that the model leaves out, and of assumptions of the estimate.
    capacities
        Known capacities of hops, after the change.
    limits
        The thresholds in force.
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
        return "\n\n".join(said(self, self.limits, places.PLAIN))

    @property
    def error(self) -> float | None:
        """The largest of the errors; None where nothing was replayed."""
        return max(self.errors.values(), default=None)

    @property
    def is_offered(self) -> bool:
        """Whether any figure after the change is known."""
        return any(value is not None for value in asdict(self.after).values())


def asked(change: Change) -> list[str]:
    """Return a text for each changed value."""
    named = {
        "window": lambda _v: "a scaled receive window",
        "capacity": lambda v: f"a path that carries {w.number(v)} times as much",
        "rtt_ms": lambda v: f"a round trip of {w.number(v, 'ms')}",
        "loss": lambda v: f"{w.share(v)} of the segments lost" if v else "no loss",
        "disk": lambda v: f"a log disk {w.number(v)} times as fast",
        "redo": lambda v: f"redo {w.number(v)} times as fast",
        "compression": lambda v: "compression on" if v else "compression off",
        "commit": lambda v: f"{v} commit",
        "load": lambda v: f"{w.number(v)} times the load",
        "replicas": lambda v: f"{w.count(v, 'replica')} like it",
        "seeding_bytes_per_s": lambda v: f"a seeding of {w.rate(v)} beside it",
    }
    return [named[name](value) for name, value in change.given.items()]


def facts(found: WhatIf, limits: Thresholds) -> dict[str, Any]:
    """Return the templates' values."""
    course = found.course
    small = None if course is None else limits.behind_s * course.generated_rate
    held = (found.captured.send_queue_p95_bytes, found.after.send_queue_p95_high_bytes)
    stays_empty = small is not None and all(each is not None and each < small for each in held)
    empties = small is not None and held[1] is not None and held[1] < small
    behind = (
        found.captured.send_queue_end_bytes is not None
        and course is not None
        and (found.captured.send_queue_end_bytes > limits.behind_s * course.generated_rate)
    )
    return {
        "replica": found.replica,
        "asked": asked(found.change),
        "offered": found.is_offered,
        "after": found.after,
        "captured": found.captured,
        "was_behind": behind,
        "stays_empty": stays_empty,
        "empties": empties,
        "generated": course.generated_rate if course is not None else None,
        "load": found.change.times_load,
        "errors": bool(found.errors),
        "far": [(name, value) for name, value in found.errors.items() if value >= MENTIONED],
        "most": limits.replay_error_share,
        "whys": found.whys,
        "assumes": found.assumes,
        "leaves_out": found.leaves_out,
    }


def said(found: WhatIf, limits: Thresholds, place: str = places.MARKDOWN) -> list[str]:
    """Return the non-empty paragraphs of an estimate: headline, answer, check, basis."""
    given = facts(found, limits)
    texts = (SAID.text(f"what_if.{part}", given, place) for part in PARTS)
    return [text for text in texts if text]


def of_commits(found: list[WhatIf], limits: Thresholds) -> str:
    """Return estimates of commits in Markdown: a line for each, then their common basis."""
    if not found:
        return SAID.text("what_if.no_commits", {}, places.MARKDOWN)
    each_facts = [facts(replace(each, whys=_but(each, ("no_samples",))), limits) for each in found]
    lines = [f"- {SAID.text('what_if.of_commit', given, places.MARKDOWN)}" for given in each_facts]
    rests = [
        SAID.text(f"what_if.{part}", given, places.MARKDOWN)
        for given in each_facts
        if given["after"].commit_p50_ms is not None
        for part in ("check", "rests")
    ]
    estimate = SAID.text("what_if.estimate", {}, places.MARKDOWN)
    return "\n\n".join(["\n".join(lines), *dict.fromkeys(text for text in rests if text), estimate])


def _but(found: WhatIf, whys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(why for why in found.whys if why not in whys)


def page(found: list[WhatIf], limits: Thresholds) -> str:
    """Return estimates in Markdown, each with its basis."""
    texts = [text for each in found for text in said(each, limits)]
    return "\n\n".join([*texts, SAID.text("what_if.estimate", {}, places.MARKDOWN)])


def as_json(found: WhatIf) -> dict[str, Any]:
    """Return an estimate as the contract of ``agtrace what-if --json`` has it (docs/what_if.md)."""
    return {
        "replica": found.replica,
        "change": found.change.given,
        "offered": found.is_offered,
        "limit": found.limit or None,
        "captured": vars(found.captured),
        "replayed": vars(found.replayed),
        "error": found.error,
        "errors": found.errors,
        "after": vars(found.after),
        "why_not": [str(SAID.text("what_if.why", {"why": each})) for each in found.whys],
        "assumes": [str(SAID.text("what_if.assume", {"each": each})) for each in found.assumes],
        "leaves_out": [str(SAID.text("what_if.leave", {"each": each})) for each in found.leaves_out],
        "capacities": [vars(each) for each in found.capacities],
        "samples": found.samples,
        "blocks": found.blocks,
    }
