"""Spans in which every backup of a group would appear in a captured log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import reduce
from typing import Any

from agtrace.history.coverage import Coverage
from agtrace.history.trace_flags.span import FlagSpan
from agtrace.resolve.names import instance_name
from agtrace.resolve.replicas import DEFAULT_INSTANCE, HostNames

Span = tuple[datetime, datetime]
ERRORLOG = ("ERRORLOG",)
ALWAYS = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass
class Watched:
    """Spans in which all replicas of each group were watched and logged their backups.

    Parameters
    ----------
    members
        The replicas of each group, from snapshots and connections.
    primaries
        Rows of group_primaries.sql.
    hushed
        What is known of trace flag 3226, which keeps backups that succeed out of the ERRORLOG.
    """

    coverage: Coverage
    names: HostNames
    members: Mapping[str, Sequence[str]]
    primaries: Sequence[Mapping[str, Any]]
    hushed: Sequence[FlagSpan]
    _seen: dict[str, list[Span]] = field(default_factory=dict)

    def seen(self, ag: str) -> list[Span]:
        """Return the spans in which every backup of a group would appear in a captured log."""
        if ag not in self._seen:
            servers = {(self.names.host_id(name), instance_name(name)) for name in self.members.get(ag, ())}
            spans = [
                self._logged(host, instance or DEFAULT_INSTANCE)
                for host, instance in sorted(servers, key=lambda server: (server[0], server[1] or ""))
            ]
            # An ERRORLOG of a single replica does not show the whole group.
            self._seen[ag] = reduce(common, spans) if len(spans) > 1 else []
        return self._seen[ag]

    def hosts(self, ag: str) -> set[str]:
        """Return the servers of a group."""
        return {self.names.host_id(name) for name in self.members.get(ag, ())}

    def saw(self, ag: str, begin: datetime, end: datetime) -> bool:
        """Return whether all replicas were watched for the whole of a span."""
        return any(first <= begin and end <= last for first, last in self.seen(ag))

    def with_primary(self, ag: str) -> list[Span]:
        """Return the spans with all replicas watched, in which a captured server was primary."""
        of_group = [
            (row["start"] or ALWAYS[0], row["end"] or ALWAYS[1]) for row in self.primaries if row["ag"] == ag
        ]
        return common(self.seen(ag), united(of_group))

    def _logged(self, host: str, instance: str) -> list[Span]:
        covered = [(one.first, one.last) for one in self.coverage.of(host, instance, ERRORLOG)]
        off = [(s.start, s.end or ALWAYS[1]) for s in self.hushed if s.host == host and not s.is_on]
        return common(united(covered), united(off))


def united(spans: Iterable[Span]) -> list[Span]:
    """Return overlapping spans merged into disjoint ones."""
    found: list[Span] = []
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((begin, end))
    return found


def common(one: Sequence[Span], other: Sequence[Span]) -> list[Span]:
    """Return the intersection of two lists of spans, both disjoint and in order."""
    found: list[Span] = []
    i = k = 0
    while i < len(one) and k < len(other):
        begin, end = max(one[i][0], other[k][0]), min(one[i][1], other[k][1])
        if begin < end:
            found.append((begin, end))
        if one[i][1] <= other[k][1]:
            i += 1
        else:
            k += 1
    return found
