"""Rows of the relations, from joined and completed seedings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any, NamedTuple

from agtrace.history.reference_clock import ReferenceClock
from agtrace.history.seedings.completing import attempts, outcome
from agtrace.history.seedings.names import Hosts, Names
from agtrace.history.seedings.operation import DMV, ERRORLOG, FINAL, PERFMON, SOURCE, TARGET, XEL, Failure
from agtrace.history.seedings.parts import (
    AUTOMATIC,
    NO_TIME,
    PHYSICAL,
    Joined,
    Pair,
    Part,
    earliest,
    in_order,
    latest,
)
from agtrace.thresholds import Thresholds

AT_ONCE = timedelta(seconds=60)
NEWEST = 8
"""Earlier failures of the same type with which a failure is compared."""

Row = dict[str, Any]


class End(NamedTuple):
    """One role of a seeding: its request and its copies."""

    role: str
    host: str | None
    request: Part | None
    copies: tuple[Part, ...]

    @property
    def copy(self) -> Part | None:
        """The copy of the last attempt."""
        return self.copies[-1] if self.copies else None

    @property
    def parts(self) -> list[Part]:
        """The request and the copies."""
        return [*([self.request] if self.request else ()), *self.copies]


class Seedings:
    """Rows of the relations ``seedings`` and ``seeding_states``, and the reports of each seeding.

    ``reports`` has a row for each end that reported its copy: number of the seeding, role, number in
    ``scratch.seeding_copy_progress``.
    """

    def __init__(
        self, joined: Iterable[Joined], names: Names, clock: ReferenceClock, hosts: Hosts, limits: Thresholds
    ) -> None:
        self._names, self._clock, self._hosts, self._limits = names, clock, hosts, limits
        self.rows: list[Row] = []
        self.states: list[Row] = []
        self.reports: list[tuple[int, str, int]] = []
        made = [self._seeding(each) for each in joined]
        made.sort(key=lambda each: (each[0] is None, each[0] or NO_TIME, each[1]["database"] or ""))
        for number, (_first, row, ends) in enumerate(made, 1):
            self.rows.append({"seeding_id": number} | row)
            for end in ends:
                self._add_states(number, row, end)
                if end.copy is not None and end.copy.number is not None:
                    self.reports.append((number, end.role, end.copy.number))

    def _seeding(self, joined: Joined) -> tuple[datetime | None, Row, list[End]]:
        """Return the time by which a seeding is sorted, its row and its ends."""
        ends = [end for role in (SOURCE, TARGET) if (end := _end(joined, role)) is not None]
        how, cut = outcome(joined, self._hosts, self._limits)
        asked = joined.requests
        copied = [(end, end.copy) for end in ends if end.copy is not None]
        copy_start = earliest(*(copy.start for _end, copy in copied))
        copy_end = latest(*(copy.end for _end, copy in copied))
        if not joined.copies:
            # The copy is within the last period in the state SEEDING, which is slightly longer.
            spans = [end.request.seeding[-1] for end in ends if end.request and end.request.seeding]
            copy_start = earliest(*(begun for begun, _ended in spans))
            copy_end = latest(*(ended for _begun, ended in spans))
        start = earliest(*(end.request.start for end in ends if end.request)) or copy_start
        stop: datetime | None = None
        if how == "cut_off":
            stop = cut
        elif how != "running":
            stop = latest(*(end.request.end for end in ends if end.request)) or copy_end
        if how in ("running", "cut_off") and not any(copy.ended == "COMPLETED" for _end, copy in copied):
            copy_end = None
        first = start or earliest(*(part.first for end in ends for part in end.parts))
        guid, ag_id = (joined.request.database_guid if joined.request else None), _first(asked, "ag_id")
        names = [copy.database for end in ends for copy in end.copies if copy.database]
        name = joined.request.database if joined.request else None
        size, said = _copied(copied)
        # If both hosts have the same zone, it is given once, with the source's figure.
        bases = {r.time_basis.split(":")[0]: r.time_basis for r in reversed(asked) if r.time_basis}
        row = {
            "database": next(iter(names), None) or name or self._names.databases.get(guid or ""),
            "ag": _first(asked, "ag") or self._names.groups.get(ag_id or ""),
            "database_guid": guid,
            "outcome": how,
            **{"start": start, "end": stop, "copy_start": copy_start, "copy_end": copy_end},
            **{"copied_bytes": size, "bytes_source": said},
            "database_bytes": max(
                (c.database_bytes for _end, c in copied if c.database_bytes is not None), default=None
            ),
            "attempts": attempts(joined),
            "backup_ids": sorted(n for end in ends for copy in end.copies for n in copy.backup_ids),
            "failures": [failure._asdict() for failure in _failures(ends)],
            "told_by": sorted({kind for end in ends for part in end.parts for kind in part.told_by}),
            "unjoined": _unjoined(joined),
            "time_basis": "; ".join(bases.values()),
        }
        for end in ends:
            row |= {f"{end.role}_{name}": value for name, value in self._side(end).items()}
        return first, row | self._named_end(ends, row), ends

    def _side(self, end: End) -> Row:
        """Return the columns of one end; figures are those of the last attempt."""
        request, copy = end.request, end.copy
        remote = copy.remote if copy else None
        row: Row = {
            "host": end.host,
            "told_by": sorted({kind for part in end.parts for kind in part.told_by}),
        }
        if request is not None:
            remote = self._names.replicas.get(request.remote_id or "") if remote is None else remote
            row |= {"start": request.start, "end": request.end}
            for name in ("start_written", "end_written"):
                written = getattr(request, name)
                row[name] = None if written is None else self._clock.own(written, end.host)
        if copy is not None:
            row |= {"copy_start": copy.start, "copy_end": copy.end}
            row |= {name: getattr(copy, name) for name in _OF_COPY}
        return row | {"remote": remote}

    def _named_end(self, ends: Sequence[End], row: Row) -> Row:
        """Return the columns of the other end, if one end names it and that host's perfmon was captured.

        The counters show the activity of that machine.
        """
        if len(ends) != 1:
            return {}
        (seen,) = ends
        host = self._names.host(row[f"{seen.role}_remote"])
        if host is None or host not in self._hosts.sampled or host == seen.host:
            return {}
        role = TARGET if seen.role == SOURCE else SOURCE
        return {f"{role}_host": host, f"{role}_told_by": []}

    def _add_states(self, number: int, row: Row, end: End) -> None:
        """Add the states of one end with their ends, and until when each is known to have lasted."""
        request, copy = end.request, end.copy
        states = (request.states or request.looks) if request else ()
        own = request.end if request else None
        stop = seen = own or row["end"]
        if row["outcome"] == "running":
            seen = latest(own, *(state.time for state in states))
            if seen is not None and end.host is not None:
                seen = self._hosts.seen_until(end.host, seen)
        phases = in_order(phase for each in end.copies for phase in each.states)
        over = copy.end if copy else None
        for layer, passed, last, until in ((AUTOMATIC, states, stop, seen), (PHYSICAL, phases, over, over)):
            for state, after in zip_longest(passed, passed[1:]):
                times = (last, until)
                if state.name.upper() in FINAL or after is not None:
                    times = (state.time,) * 2 if state.name.upper() in FINAL else (after.time,) * 2
                self.states.append(
                    {
                        **{"seeding_id": number, "role": end.role, "host_id": end.host, "layer": layer},
                        **{"state": state.name, "start": state.time, "end": times[0], "seen_until": times[1]},
                    }
                )


_OF_COPY = (
    "transferred_bytes", "database_bytes", "disk_wait_ms", "network_wait_ms", "is_compression_enabled",
)  # fmt: skip


def _end(joined: Joined, role: str) -> End | None:
    request: Part | None = getattr(joined.request, role) if joined.request else None
    copies = tuple(copy for pair in joined.copies if (copy := getattr(pair, role)) is not None)
    hosts = [part.host for part in (request, *copies) if part is not None]
    host = next((host for host in hosts if host is not None), None)
    return End(role, host, request, copies) if hosts else None


def _first(parts: Sequence[Part], name: str) -> Any:
    return next((value for part in parts if (value := getattr(part, name))), None)


def _copied(copied: Sequence[tuple[End, Part]]) -> tuple[int | None, str]:
    """Return the bytes copied by the last attempt, after the source they are from."""
    for end, copy in copied:
        if copy.transferred_bytes:
            said = _where([name for name in (XEL, DMV) if name in copy.told_by], end)
            if copy.short_bytes and copy.database_bytes:
                short = f"the last report was {copy.short_bytes / 1e6:,.0f} MB short"
                return copy.database_bytes, f"size of the database, {said}: {short}"
            return copy.transferred_bytes, f"transferred, {said}"
    for end, copy in copied:
        if copy.logged_bytes:
            return copy.logged_bytes, f"pages times 8,192, {_where([ERRORLOG], end)}"
    for end, copy in copied:
        if copy.measured_bytes:
            said = f"integral of Backup/Restore Throughput/sec, {_where([PERFMON], end)}"
            return copy.measured_bytes, said
    return None, ""


_CALLED = {
    XEL: "hadr_physical_seeding events",
    DMV: "sys.dm_hadr_physical_seeding_stats",
    ERRORLOG: "ERRORLOG",
    PERFMON: "perfmon",
}


def _where(kinds: Sequence[str], end: End) -> str:
    said = " and ".join(_CALLED[kind] for kind in kinds)
    return f"{said} of {end.host or f'the {end.role}'}"


def _failures(ends: Sequence[End]) -> list[Failure]:
    """Return every reason once, in order of time; what several captures show is one failure."""
    every = [failure for end in ends for part in end.parts for failure in part.failures]
    every.sort(key=lambda f: (f.time is None, f.time or NO_TIME, f.where))
    kept: list[Failure] = []
    alike: dict[int | str, list[int]] = defaultdict(list)
    for failure in every:
        # The hundreds digit is the end; some captures leave it out.
        kind = failure.text if failure.state is None else failure.state % 100
        same = next((n for n in alike[kind][-NEWEST:] if _is_same(kept[n], failure)), None)
        if same is None:
            alike[kind].append(len(kept))
            kept.append(failure)
        else:
            kept[same] = _both(kept[same], failure)
    return kept


def _is_same(a: Failure, b: Failure) -> bool:
    if a.time is not None and b.time is not None and abs(a.time - b.time) > AT_ONCE:
        return False
    return a.state == b.state or (a.state or 0) < 100 or (b.state or 0) < 100


def _both(a: Failure, b: Failure) -> Failure:
    state = max((s for s in (a.state, b.state) if s is not None), default=None)
    where = "; ".join(dict.fromkeys([*a.where.split("; "), *b.where.split("; ")]))
    return Failure(state, a.text or b.text, earliest(a.time, b.time), where, a.message_id or b.message_id)


def _unjoined(joined: Joined) -> str:
    pairs: list[tuple[Pair | None, str]] = [
        (joined.request, "request"),
        *((c, "copy") for c in joined.copies),
    ]
    doubts = list(joined.doubts)
    for pair, what in pairs:
        if pair is not None and pair.rivals:
            counted = f"{pair.rivals} requests" if what == "request" else f"{pair.rivals} copies"
            doubts.append(f"{counted} on other hosts could be its other end")
    return "; ".join(dict.fromkeys(doubts))
