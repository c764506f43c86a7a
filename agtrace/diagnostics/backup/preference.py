"""backup.preference: backups against the preference of their group, and log that no backup holds.

Sources: "Active secondaries: backup on secondary replicas", "Configure backups on secondary replicas" and
"BACKUP (Transact-SQL)" (COPY_ONLY, trace flag 3226) of Microsoft's documentation; messages 18264, 18265 and
18270 of sys.messages.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from agtrace.diagnostics.backup.rows import DatabasesOfGroups, Preferred
from agtrace.diagnostics.backup.studies import Sure
from agtrace.history.backups import Watched
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

LSN = re.compile(r"([0-9]{1,10}):([0-9]{1,10}):([0-9]{1,10})")
PRIMARY, SECONDARY = "PRIMARY", "SECONDARY"
LEAST, SHARE = 3, 0.5
"""A backup or two are somebody's own; from so many on, and half of their kind, they are how it is done."""
LINKS = 2
"""So many log backups go on where another ended for each that does not, where a chain is seen."""
LIKELY, ABSENT = 0.8, 0.75
SHOWN = 10
RAN = Measure("backups", "{kind} backups on {server} ({role})", "backups")
WITHOUT = Measure("without_log_backup_s", "without a log backup", "s")
FIRST_LSN, LAST_LSN = "first LSN of the next", "last LSN of the one before"


def preferences(
    rows: Sequence[Preferred], databases: Iterable[DatabasesOfGroups], known: Watched, limits: Thresholds
) -> list[Judged]:
    """Judge where the backups of each group ran, and which log no backup holds.

    Parameters
    ----------
    rows, databases
        Of preferred.sql, a run of backups each, and databases_of_groups.sql.
    """
    by_group: dict[str, list[Preferred]] = defaultdict(list)
    for row in rows:
        if row.role and row.end is not None:
            by_group[row.ag].append(row)
    found: list[Judged] = []
    for ag, own in by_group.items():
        found += _against(ag, own)
        found += _spread(ag, own)
    logs: dict[tuple[str, str], list[Preferred]] = defaultdict(list)
    for row in rows:
        if row.kind == "log":
            logs[row.ag, row.database_key].append(row)
    absent: dict[str, list[Absent]] = defaultdict(list)
    for one in databases:
        own = logs[one.ag, one.database_key]
        if any(row.end is None for row in own):
            continue  # its place among the others is not known
        own.sort(key=since_of)
        found += _gaps(one, own, known)
        absent[one.ag] += _longest_without(one, own, known, timedelta(hours=limits.backup_log_hours))
    return [*found, *(_missing(ag, own, known) for ag, own in absent.items() if own)]


def end_of(row: Preferred) -> datetime:
    """Return when the last backup of a run ended; rows without an end are left out before."""
    assert row.end is not None
    return row.end


def since_of(row: Preferred) -> datetime:
    """Return when the first backup of a run ended."""
    assert row.since is not None
    return row.since


def count(rows: Iterable[Preferred]) -> int:
    """Count the backups of runs."""
    return sum(row.n for row in rows)


def why_not(row: Preferred, differential: set[str]) -> str:
    """Explain why a backup should not have run there; "" if it should, or if unknown."""
    preference, role = row.preference, row.role
    if row.kind == "differential" or (row.kind == "full" and row.database_key in differential):
        return ""  # only the primary takes differential backups, and the full ones that they need
    if preference == PRIMARY:
        return "primary" if role == SECONDARY else ""
    if preference == "SECONDARY_ONLY" and role == PRIMARY:
        return "secondary_only"
    if preference == SECONDARY and role == PRIMARY and row.has_secondary:
        return "secondary"
    return "excluded" if preference is not None and row.priority == 0 else ""


def _against(ag: str, rows: list[Preferred]) -> list[Judged]:
    differential = {row.database_key for row in rows if row.kind == "differential"}
    kinds: dict[str, list[Preferred]] = defaultdict(list)
    for row in rows:
        if row.preference is not None:
            kinds[row.kind].append(row)
    told = []
    for kind in ("log", "full"):
        wrong = [row for row in kinds[kind] if why_not(row, differential)]
        if count(wrong) >= LEAST and count(wrong) >= SHARE * count(kinds[kind]):
            told.append((kind, wrong, count(kinds[kind])))
    if not told:
        return []
    every = [row for _, wrong, _ in told for row in wrong]
    reasons: Counter[str] = Counter()
    for row in every:
        reasons[why_not(row, differential)] += row.n
    why = reasons.most_common()[0][0]
    last = every[-1]
    copies = count(row for row in rows if row.kind == "full" and row.role == SECONDARY)
    return [
        Judged(
            said=f"preference.{why}",
            id="backup.preference",
            severity="notice",
            subject={"ag": ag, "host": last.host_id or ""},
            window=_window(every),
            evidence=(
                quoted("AUTOMATED_BACKUP_PREFERENCE", last.preference, "statements and looks"),
                *_counted(rows),
            ),
            confidence=LIKELY,
            facts={
                "ag": ag,
                "preference": last.preference,
                "copies": copies,
                "servers": sorted({row.server for row in every}),
                "told": [{"kind": kind, "n": count(wrong), "of": of} for kind, wrong, of in told],
            },
        )
    ]


def _spread(ag: str, rows: list[Preferred]) -> list[Judged]:
    """Judge log backups spread over several servers: a restore needs them all."""
    of_database: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.kind == "log":
            of_database[row.database].add(row.server)
    spread = [name for name, servers in sorted(of_database.items()) if len(servers) > 1]
    if not spread:
        return []
    own = [row for row in rows if row.kind == "log" and row.database in spread]
    total: Counter[str] = Counter()
    for row in own:
        total[row.server] += row.n
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
                "ag": ag,
                "databases": spread,
                "servers": [{"name": name, "n": n} for name, n in sorted(total.items())],
            },
        )
    ]


def _gaps(one: DatabasesOfGroups, own: list[Preferred], known: Watched) -> list[Judged]:
    """Judge gaps between log backups: the last such gap with all replicas covered."""
    chain = [row for row in own if row.host_id in known.hosts(one.ag)]
    chain = [row for row in chain if lsn(row.first_lsn) and lsn(row.last_lsn)]
    chain.sort(key=lambda row: (lsn(row.last_lsn), end_of(row)))
    pairs = [pair for pair in pairwise(chain) if end_of(pair[0]) < since_of(pair[1])]
    apart = [pair for pair in pairs if lsn(pair[1].first_lsn) > lsn(pair[0].last_lsn)]
    links = len(pairs) - len(apart) + count(chain) - len(chain)
    # Where hardly one goes on where another ended, the chain is not seen at all.
    if len(apart) * LINKS > links:
        return []
    found = []
    for before, after in apart:
        if not known.saw(one.ag, end_of(before), since_of(after)):
            continue
        found.append(
            Judged(
                said="preference.gap",
                id="backup.preference",
                severity="warning",
                subject={"ag": one.ag, "database": one.database},
                window=window(end_of(before), since_of(after)),
                evidence=(
                    quoted(LAST_LSN, before.last_lsn, before.place),
                    quoted(FIRST_LSN, after.first_lsn, after.first_place),
                ),
                confidence=LIKELY,
                facts={
                    "ag": one.ag,
                    "database": one.database,
                    "from": before.server,
                    "to": after.server,
                    "first": before.end,
                    "last": after.since,
                    "replicas": list(known.members[one.ag]),
                    "gaps": len(apart),
                },
            )
        )
    return found[-1:]


@dataclass(frozen=True)
class Absent:
    """The longest time in which no log of a database was backed up, within what was watched.

    Parameters
    ----------
    edges
        Its log backups at either end: server, time and place.
    is_never
        No log shows any log backup of it.
    """

    database: str
    begin: datetime
    end: datetime
    edges: tuple[tuple[str, datetime, str], ...]
    is_never: bool
    is_end: bool

    @property
    def seconds(self) -> float:
        return (self.end - self.begin).total_seconds()


def _longest_without(
    one: DatabasesOfGroups, own: list[Preferred], known: Watched, least: timedelta
) -> list[Absent]:
    """Return the longest time without a log backup, if it is too long."""
    if one.since is None:
        return []
    found = []
    for first, end in known.with_primary(one.ag):
        begin = max(first, one.since)
        # Within a run no two are so far apart: what it reaches over holds no moment that is sought.
        before = begin
        for run in (*((since_of(row), end_of(row)) for row in own), (end, end)):
            after = min(run[0], end)
            if after - before >= least:
                edges = tuple(_edges(own, {before, after}))
                found.append(Absent(one.database, before, after, edges, not own, after == end))
            before = max(before, run[1])
    return sorted(found, key=lambda each: (-each.seconds, each.begin))[:1]


def _edges(own: Sequence[Preferred], moments: set[datetime]) -> Iterable[tuple[str, datetime, str]]:
    """Yield the log backups that ended at some moments, which are ends of runs."""
    for row in own:
        for moment, place in {since_of(row): row.first_place, end_of(row): row.place}.items():
            if moment in moments:
                yield row.server, moment, place


def _missing(ag: str, found: list[Absent], known: Watched) -> Judged:
    """Judge databases of a group whose log was not backed up on any replica."""
    found = sorted(found, key=lambda each: (-each.seconds, each.database))
    worst, watched = found[0], ", ".join(known.members[ag])[:200]
    numbers = [
        WITHOUT(each.seconds, f"ERRORLOGs of {watched}", each.database if len(found) > 1 else "")
        for each in found[:SHOWN]
    ]
    numbers += [
        quoted(f"log backup on {server}", words.instant(moment), place)
        for server, moment, place in worst.edges
    ]
    return Judged(
        said="preference.missing",
        id="backup.preference",
        severity="notice" if all(each.is_never for each in found) else "warning",
        subject={"ag": ag, "database": worst.database if len(found) == 1 else ""},
        window=window(worst.begin, worst.end),
        evidence=tuple(numbers),
        confidence=ABSENT,
        facts={
            "ag": ag, "database": worst.database, "databases": [each.database for each in found],
            "seconds": worst.seconds, "first": worst.begin, "last": worst.end, "never": worst.is_never,
            "is_end": worst.is_end, "replicas": list(known.members[ag]),
        },
    )  # fmt: skip


def lsn(text: str | None) -> tuple[int, ...]:
    """Parse a log sequence number into comparable numbers; empty if it is invalid."""
    found = LSN.fullmatch(text or "")
    return tuple(map(int, found.groups())) if found else ()


def _counted(rows: Iterable[Preferred]) -> list[Measured]:
    counts: Counter[tuple[str, str, str]] = Counter()
    places: dict[tuple[str, str, str], str] = {}
    for row in rows:
        key = (row.kind, row.server, (row.role or "").lower())
        counts[key] += row.n
        places[key] = row.place
    return [
        RAN.about(kind=kind, server=server, role=role)(n, f"the last: {places[kind, server, role]}")
        for (kind, server, role), n in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def _window(rows: Sequence[Preferred]) -> dict[str, Any]:
    return window(min(map(since_of, rows)), max(map(end_of, rows)))
