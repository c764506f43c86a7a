"""Facts about a case besides its streams: machines, versions, commit modes, trace flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agtrace.history.base import View
from agtrace.history.streams.byte_units import Counted, of_sent
from agtrace.history.streams.commit_modes import Mode, Modes, read_modes
from agtrace.history.streams.database_looks import Look, read_looks
from agtrace.history.streams.gate_waits import GateWait, read_gate_waits
from agtrace.history.streams.links import Link
from agtrace.history.streams.network_facts import Facts
from agtrace.history.trace_flags import ASYNCHRONOUS_OFF, SYNCHRONOUS_ON
from agtrace.history.trace_flags.span import FlagSpan, trace_flag
from agtrace.measure.machines import Machines
from agtrace.measure.platforms import LINUX, likely, platforms
from agtrace.store.sql_files import beside
from agtrace.thresholds import Thresholds

_sql = beside(__file__)

ON_COMPRESSION = (ASYNCHRONOUS_OFF, SYNCHRONOUS_ON)
"""Trace flags that control the compression of log streams."""


@dataclass(frozen=True)
class Sending:
    """The kind of bytes that a primary counts as sent on a link, and the reasons.

    Parameters
    ----------
    counted
        Kind of bytes counted as sent, and why.
    version
        Major product version of the primary; None where unknown.
    mode
        Commit mode of the replica; None where unknown.
    flags
        What is known of the trace flags on compression at the primary in the window: on where one
        was on at some time of it.
    """

    counted: Counted
    version: int | None = None
    mode: Mode | None = None
    flags: tuple[tuple[int, FlagSpan], ...] = ()

    def has(self, flag: int) -> bool:
        """Return whether a trace flag was on."""
        return any(number == flag and span.is_on for number, span in self.flags)


@dataclass(eq=False)
class StreamFacts:
    """All data for verdicts and texts besides the captured series.

    Parameters
    ----------
    events
        Entries of the ERRORLOGs about data movement.
    looks
        Snapshots of the databases, in chronological order.
    gate_waits
        Waits for flow control, by server.
    platforms
        Linux or Windows, by host, if known.
    """

    facts: Facts
    machines: Machines
    modes: Modes
    flags: dict[int, list[FlagSpan]]
    events: list[dict[str, Any]]
    looks: list[Look]
    gate_waits: list[GateWait]
    limits: Thresholds
    platforms: Mapping[str, str] = field(default_factory=dict)

    def is_linux(self, host: str | None) -> bool:
        """Return whether a host runs Linux, as far as known."""
        return likely(self.platforms, host) == LINUX

    def sending(self, link: Link) -> Sending:
        """Return the kind of bytes that the primary of a link counts as sent."""
        version = self.facts.version(link.primary.host_id) if link.primary else None
        mode = self.modes.of(link, self.limits)
        spans = ((number, _known_of(of_flag, link)) for number, of_flag in self.flags.items())
        flags = tuple((number, span) for number, span in spans if span is not None)
        on = {number for number, span in flags if span.is_on}
        counted = of_sent(
            version,
            mode.mode if mode else None,
            flag_1462=ASYNCHRONOUS_OFF in on,
            flag_9592=SYNCHRONOUS_ON in on,
        )
        return Sending(counted, version, mode, flags)


def known(view: View, facts: Facts, limits: Thresholds) -> StreamFacts:
    """Read the facts of a case besides its streams."""
    return StreamFacts(
        facts,
        Machines(view),
        read_modes(view, facts.names),
        {number: trace_flag(view, number) for number in ON_COMPRESSION},
        view.rows(_sql("events.sql")),
        read_looks(view, facts.names),
        read_gate_waits(view),
        limits,
        platforms(view),
    )


def _known_of(spans: list[FlagSpan], link: Link) -> FlagSpan | None:
    """Return the setting of a trace flag at the primary: on before off, if it was changed."""
    if link.primary is None or link.primary.is_local:
        return None
    times = link.primary.times[link.primary_rows]
    if not len(times):
        return None
    met = [
        span
        for span in spans
        if span.host == link.primary.host_id
        and span.start.timestamp() <= times[-1]
        and (span.end is None or span.end.timestamp() > times[0])
    ]
    return max(met, key=lambda span: span.is_on, default=None)
