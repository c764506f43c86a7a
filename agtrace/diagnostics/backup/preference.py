"""backup.preference: backups against the preference of their group, and log that no backup holds.

Sources: "Active secondaries: backup on secondary replicas", "Configure backups on secondary replicas" and
"BACKUP (Transact-SQL)" (COPY_ONLY, trace flag 3226) of Microsoft's documentation; messages 18264, 18265 and
18270 of sys.messages.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from agtrace.diagnostics.backup.studies import Sure
from agtrace.history.coverage import Coverage
from agtrace.history.trace_flags.span import FlagSpan
from agtrace.measures import Measure, Measured, quoted
from agtrace.resolve.names import instance_name
from agtrace.resolve.replicas import DEFAULT_INSTANCE, HostNames
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

Row = Mapping[str, Any]

ERRORLOG = ("ERRORLOG",)
PRIMARY, SECONDARY = "PRIMARY", "SECONDARY"
LEAST, SHARE = 3, 0.5
"""A backup or two are somebody's own; from so many on, and half of their kind, they are how it is done."""
LIKELY, ABSENT = 0.8, 0.75
RAN = Measure("backups", "{kind} backups on {server} ({role})", "backups")
WITHOUT = Measure("without_log_backup_s", "without a log backup", "s")
FIRST_LSN, LAST_LSN = "first LSN of the next", "last LSN of the one before"


@dataclass
class Known:
    """What tells whether an absence can be claimed of a group.

    Parameters
    ----------
    members
        The replicas of each group, as looks and connections name them.
    primaries
        Rows of group_primaries.sql.
    hushed
        What is known of trace flag 3226, which keeps backups that succeed out of the ERRORLOG.
    """

    coverage: Coverage
    names: HostNames
    members: Mapping[str, Sequence[str]]
    primaries: Sequence[Row]
    hushed: Sequence[FlagSpan]
    _covered: dict[str, list[tuple[datetime, datetime]]] = field(default_factory=dict)

    def saw_all(self, ag: str, begin: datetime, end: datetime) -> bool:
        """Tell whether every backup of a group would stand in a captured log of its replicas."""
        servers = {(self.names.host_id(name), instance_name(name)) for name in self.members.get(ag, ())}
        return len(servers) > 1 and all(
            self.coverage.watched(host, instance or DEFAULT_INSTANCE, begin, end, ERRORLOG)
            and self._logs_backups(host, begin, end)
            for host, instance in servers
        )

    def _logs_backups(self, host: str, begin: datetime, end: datetime) -> bool:
        """Tell whether a server is known to log its backups all through a time: trace flag 3226 was off."""
        reached = begin
        for span in self.hushed:
            if span.host != host or (span.end is not None and span.end <= reached):
                continue
            if span.is_on and span.start < end:
                return False
            if span.start <= reached:
                reached = end if span.end is None else max(reached, span.end)
        return reached >= end

    def covered(self, ag: str) -> list[tuple[datetime, datetime]]:
        """Give the stretches in which all replicas of a group were watched, and one of them was primary."""
        if ag not in self._covered:
            self._covered[ag] = self._stretches(ag)
        return self._covered[ag]

    def _stretches(self, ag: str) -> list[tuple[datetime, datetime]]:
        hosts = sorted({self.names.host_id(name) for name in self.members.get(ag, ())})
        if len(hosts) < 2:
            return []
        edges = sorted(
            {moment for host in hosts for one in self.coverage.of(host, None, ERRORLOG)
             for moment in (one.first, one.last)}
            | {span.start for span in self.hushed if span.host in hosts}
        )  # fmt: skip
        found: list[tuple[datetime, datetime]] = []
        for begin, end in pairwise(edges):
            if self._had_primary(ag, begin, end) and self.saw_all(ag, begin, end):
                if found and found[-1][1] == begin:
                    found[-1] = (found[-1][0], end)
                else:
                    found.append((begin, end))
        return found

    def _had_primary(self, ag: str, begin: datetime, end: datetime) -> bool:
        return any(
            row["ag"] == ag and (row["start"] is None or row["start"] < end)
            and (row["end"] is None or row["end"] > begin)
            for row in self.primaries
        )  # fmt: skip


def preferences(
    rows: Sequence[Row], databases: Iterable[Row], known: Known, limits: Thresholds
) -> list[Judged]:
    """Judge where the backups of each group ran, and which log no backup holds.

    Parameters
    ----------
    rows, databases
        Of preferred.sql and scratch.group_databases.
    """
    by_group: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["role"] and row["end"] is not None:
            by_group[row["ag"]].append(row)
    found: list[Judged] = []
    for ag, own in by_group.items():
        found += _against(ag, own)
        found += _spread(ag, own)
    logs: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row["kind"] == "log":
            logs[row["ag"], row["database_key"]].append(row)
    for one in databases:
        own = logs[one["ag"], one["database_key"]]
        if any(row["end"] is None for row in own):
            continue  # its place among the others is not known
        own.sort(key=lambda row: row["end"])
        found += _gaps(one, own, known)
        found += _missing(one, own, known, limits)
    return found


def why_not(row: Row, differential: set[str]) -> str:
    """Say why a backup should not have run where it did; "" where it should, or nothing tells."""
    preference, role = row["preference"], row["role"]
    if row["kind"] == "differential" or (row["kind"] == "full" and row["database_key"] in differential):
        return ""  # only the primary takes differential backups, and the full ones that they need
    if preference == PRIMARY:
        return "primary" if role == SECONDARY else ""
    if preference == "SECONDARY_ONLY" and role == PRIMARY:
        return "secondary_only"
    if preference == SECONDARY and role == PRIMARY and row["has_secondary"]:
        return "secondary"
    return "excluded" if preference is not None and row["priority"] == 0 else ""


def _against(ag: str, rows: list[Row]) -> list[Judged]:
    differential = {row["database_key"] for row in rows if row["kind"] == "differential"}
    kinds: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row["preference"] is not None:
            kinds[row["kind"]].append(row)
    told = []
    for kind in ("log", "full"):
        wrong = [row for row in kinds[kind] if why_not(row, differential)]
        if len(wrong) >= LEAST and len(wrong) >= SHARE * len(kinds[kind]):
            told.append((kind, wrong, len(kinds[kind])))
    if not told:
        return []
    every = [row for _, wrong, _ in told for row in wrong]
    why = Counter(why_not(row, differential) for row in every).most_common(1)[0][0]
    last = every[-1]
    copies = sum(row["kind"] == "full" and row["role"] == SECONDARY for row in rows)
    return [
        Judged(
            said=f"preference.{why}",
            id="backup.preference",
            severity="notice",
            subject={"ag": ag, "host": last["host_id"]},
            window=_window(every),
            evidence=(
                quoted("AUTOMATED_BACKUP_PREFERENCE", last["preference"], "statements and looks"),
                *_counted(rows),
            ),
            confidence=LIKELY,
            facts={
                "ag": ag, "preference": last["preference"], "copies": copies,
                "servers": sorted({row["server"] for row in every}),
                "told": [{"kind": kind, "n": len(wrong), "of": of} for kind, wrong, of in told],
            },
        )
    ]  # fmt: skip


def _spread(ag: str, rows: list[Row]) -> list[Judged]:
    """Tell of log backups that lie on several servers: a restore needs them all."""
    of_database: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if row["kind"] == "log":
            of_database[row["database"]][row["server"]] += 1
    spread = {name: counts for name, counts in sorted(of_database.items()) if len(counts) > 1}
    if not spread:
        return []
    own = [row for row in rows if row["kind"] == "log" and row["database"] in spread]
    total: Counter[str] = Counter(row["server"] for row in own)
    return [
        Judged(
            said="preference.spread",
            id="backup.preference",
            severity="info",
            subject={"ag": ag},
            window=_window(own),
            evidence=tuple(_counted(own)),
            confidence=Sure.LOGGED.value,
            facts={
                "ag": ag, "databases": list(spread),
                "servers": [{"name": name, "n": n} for name, n in sorted(total.items())],
            },
        )
    ]  # fmt: skip


def _gaps(one: Row, own: list[Row], known: Known) -> list[Judged]:
    """Tell of log between two log backups that neither of them holds, where all replicas were watched."""
    chain = sorted((row for row in own if lsn(row["first_lsn"]) and lsn(row["last_lsn"])),
                   key=lambda row: (lsn(row["last_lsn"]), row["end"]))  # fmt: skip
    found = []
    for before, after in pairwise(chain):
        if lsn(after["first_lsn"]) <= lsn(before["last_lsn"]) or before["end"] >= after["end"]:
            continue
        if not known.saw_all(one["ag"], before["end"], after["end"]):
            continue
        found.append(
            Judged(
                said="preference.gap",
                id="backup.preference",
                severity="warning",
                subject={"ag": one["ag"], "database": one["database"]},
                window=window(before["end"], after["end"]),
                evidence=(
                    quoted(LAST_LSN, before["last_lsn"], before["place"]),
                    quoted(FIRST_LSN, after["first_lsn"], after["place"]),
                ),
                confidence=LIKELY,
                facts={
                    "ag": one["ag"], "database": one["database"], "from": before["server"],
                    "to": after["server"], "first": before["end"], "last": after["end"],
                    "replicas": list(known.members[one["ag"]]),
                },
            )
        )  # fmt: skip
    return found


def _missing(one: Row, own: list[Row], known: Known, limits: Thresholds) -> list[Judged]:
    """Tell of the longest time without a log backup, within what was watched of all replicas."""
    least = timedelta(hours=limits.backup_log_hours)
    stretches = []
    for begin, end in known.covered(one["ag"]):
        moments = [begin, *(row["end"] for row in own if begin <= row["end"] <= end), end]
        stretches += [(after - before, before, after, before == begin, after == end)
                      for before, after in pairwise(moments)]  # fmt: skip
    if not stretches:
        return []
    length, begin, end, is_start, is_end = max(stretches, key=lambda each: each[0])
    if length < least:
        return []
    return [
        Judged(
            said="preference.missing",
            id="backup.preference",
            severity="warning",
            subject={"ag": one["ag"], "database": one["database"]},
            window=window(begin, end),
            evidence=(
                WITHOUT(length.total_seconds(), f"ERRORLOGs of {', '.join(known.members[one['ag']])[:200]}"),
                *(quoted(f"log backup on {row['server']}", words.instant(row["end"]),
                         row["place"])
                  for row in own if row["end"] in (begin, end)),
            ),
            confidence=ABSENT,
            facts={
                "ag": one["ag"], "database": one["database"], "seconds": length.total_seconds(),
                "first": begin, "last": end, "never": not own, "is_start": is_start, "is_end": is_end,
                "replicas": list(known.members[one["ag"]]),
            },
        )
    ]  # fmt: skip


def lsn(text: str | None) -> tuple[int, ...]:
    """Give a log sequence number as numbers to compare; empty where it is none."""
    parts = (text or "").split(":")
    return (
        tuple(map(int, parts))
        if len(parts) == 3 and all(part.isascii() and part.isdigit() for part in parts)
        else ()
    )


def _counted(rows: Iterable[Row]) -> list[Measured]:
    counts: Counter[tuple[str, str, str]] = Counter()
    places: dict[tuple[str, str, str], str] = {}
    for row in rows:
        key = (row["kind"], row["server"], row["role"].lower())
        counts[key] += 1
        places[key] = row["place"]
    return [
        RAN.about(kind=kind, server=server.replace("{", "("), role=role)(
            n, f"the last: {places[kind, server, role]}"
        )
        for (kind, server, role), n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def _window(rows: Sequence[Row]) -> dict[str, Any]:
    return window(min(row["end"] for row in rows), max(row["end"] for row in rows))
