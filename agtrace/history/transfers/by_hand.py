"""Runs of backup, restore and join: found from the ERRORLOGs and traces of both hosts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from agtrace.history.base import View
from agtrace.history.coverage.watch import Coverage
from agtrace.history.seedings import Operation
from agtrace.history.transfers import run as r
from agtrace.history.transfers.by_database import History, Joins, Row, histories
from agtrace.history.transfers.run import Run, Step
from agtrace.store.sql_files import beside
from agtrace.tables.rows import rows_of
from agtrace.thresholds import Thresholds

_sql = beside(__file__)

COLUMNS = [
    "operation_id", "host_id", "database", "operation", "kind", "status", "is_snapshot", "start", "end",
    "duration_s",
    "pages", "bytes", "mb_per_s", "media", "device_names", "compression",
]  # fmt: skip
"""Columns read of each backup and restore (relation ``backups``)."""
RESTORED = f"""
    select {", ".join(f'"{name}"' for name in COLUMNS)} from backups
    where lower("database") in (
        select lower("database") from backups where operation = 'restore' and coalesce(kind, 'full') = 'full'
    )
    order by operation_id
"""
"""Databases restored somewhere: a server backs up its logs all year, and others have no run."""
BURST = timedelta(seconds=5)
"""Signs of one join (statement, change of role, connections) follow each other within this."""
SLACK = timedelta(seconds=5)
"""Allowance for two hosts' clocks, and for messages written slightly after the event."""

_GUID = re.compile(r"^\{?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$", re.IGNORECASE)
_JOIN = re.compile(
    r"ALTER\s+DATABASE\s+(?P<name>\[(?:[^\]]|\]\])+\]|\"(?:[^\"]|\"\")+\"|[^\s;]+)\s+SET\s+HADR\s+AVAILABILITY\s+GROUP\s*=",
    re.IGNORECASE,
)


def find_by_hand(
    operations: Iterable[Row],
    joins: Joins,
    seedings: Iterable[Operation],
    limits: Thresholds,
    watched: Coverage | None = None,
) -> tuple[list[Run], list[str]]:
    """Return the runs, and the reasons why others cannot be timed.

    A run is a completed full backup, a completed restore of it on another host (as many pages, or files of
    the same name) that starts at most ``compare_gap_minutes`` later, and the join of the database there, at
    most as long after the restore. Log backups and restores in between, up to the join, are steps of it. If
    the ERRORLOG of a host covers the time long after a restore without a join, there was none.
    """
    gap = timedelta(minutes=limits.compare_gap_minutes)
    seedings = list(seedings)
    rows = [row for row in operations if _counts(row, seedings)]
    of_database = histories(rows, joins)
    found: dict[tuple[int, str], Run] = {}
    blind: list[str] = []
    for restore in [row for row in rows if _is_full_restore(row)]:
        history = of_database[restore["database"].lower()]
        begin = restore["start"] or restore["end"]
        before = [
            b
            for b in history.backups.between(begin - _reach(gap, restore), begin + SLACK)
            if b["host_id"] != restore["host_id"] and _same(b, restore, limits)
        ]
        if not before:
            continue
        backup = max(before, key=lambda b: b["end"])
        if backup["start"] is None:
            blind.append(
                f"A backup of {backup['database']} on {backup['host_id']} was restored on "
                f"{restore['host_id']}; when "
                "the backup began was not captured (message 3014, or trace flags 3004 and 3605)."
            )
            continue
        run = _run(backup, restore, history, limits)
        key = (backup["operation_id"], restore["host_id"])
        known = found.get(key)
        # Of several restores of one backup the one that led to the join counts, else the last.
        if known is None or known.method == r.TWO_STEPS:
            found[key] = run
    return _doubted(list(found.values()), of_database, gap, watched or Coverage()), list(dict.fromkeys(blind))


def _doubted(
    runs: list[Run], of_database: Mapping[str, History], gap: timedelta, watched: Coverage
) -> list[Run]:
    """Mark the restores of databases that never joined there, though the host's log would tell."""
    first: dict[tuple[str, str], Run] = {}
    for run in sorted(runs, key=lambda run: run.end):
        first.setdefault((run.target or "", (run.database or "").lower()), run)
    alone = {
        (host, name)
        for (host, name), run in first.items()
        if watched.watched(host, None, run.end, run.end + gap, ("ERRORLOG",))
        and next(of_database[name].joins(host, run.start), None) is None
    }
    return [
        replace(run, is_elsewhere=True) if (run.target or "", (run.database or "").lower()) in alone else run
        for run in runs
    ]


def read_restored(view: View) -> list[Row]:
    """Read the backups and restores of every database that was restored."""
    return rows_of(view.table(RESTORED))


def read_joins(view: View) -> Joins:
    """Read when databases were joined: statements, changes of role, connections."""
    found = [
        (row["host"], row["database"].lower(), row["time"], row["what"])
        for row in view.rows(_sql("joined.sql"))
    ]
    if view.fields("alwayson_ddl_executed") >= {"statement", "ddl_phase"}:
        for row in view.rows(_sql("statements.sql")):
            match = _JOIN.search(row["statement"])
            if match:
                name = _unquoted(match["name"]).lower()
                found.append((row["host"], name, row["time"], f"statement {row['phase']}"))
    return sorted(found, key=lambda join: join[2])


def _unquoted(name: str) -> str:
    if name[0] == "[":
        return name[1:-1].replace("]]", "]")
    return name[1:-1].replace('""', '"') if name[0] == '"' else name


def _counts(row: Row, seedings: list[Operation]) -> bool:
    if row["status"] != "completed" or row["is_snapshot"] or row["end"] is None:
        return False
    if not row["host_id"] or not row["database"]:
        return False
    if row["media"] != "VIRTUAL_DEVICE":
        return True
    # Automatic seeding backs up to a virtual device whose name is a guid.
    if any(_GUID.match(name) for name in (row["device_names"] or "").split("|")):
        return False
    return not any(
        s.copy_start is not None
        and s.copy_start <= row["end"] <= (s.copy_end or row["end"]) + SLACK
        and (s.database or row["database"]).lower() == row["database"].lower()
        for s in seedings
    )


def _is_full_restore(row: Row) -> bool:
    return row["operation"] == "restore" and (row["kind"] or "full") == "full"


def _reach(gap: timedelta, restore: Row) -> timedelta:
    """Where only a restore's end is known, it may have begun long before."""
    return gap if restore["start"] is not None else 2 * gap


def _same(backup: Row, restore: Row, limits: Thresholds) -> bool:
    ours, theirs = backup["pages"], restore["pages"]
    if ours and theirs:
        return abs(ours - theirs) <= limits.compare_same_pages_share * max(ours, theirs)
    return bool(_files(backup) & _files(restore))


def _files(row: Row) -> set[str]:
    names = (row["device_names"] or "").lower().split("|")
    return {re.split(r"[\\/]", name)[-1] for name in names if name and name != "nul"}


def _run(backup: Row, restore: Row, history: History, limits: Thresholds) -> Run:
    source, target = backup["host_id"], restore["host_id"]
    size = backup["bytes"] or restore["bytes"]
    steps = [Step(r.BACKUP, backup["start"], backup["end"], source, size)]
    unseen = []
    if restore["start"] is not None:
        steps.append(Step(r.RESTORE, restore["start"], restore["end"], target, size))
    else:
        steps.append(Step(r.UNSEEN_RESTORE, backup["end"], restore["end"], target, size))
        unseen.append(
            f"when the restore on {target} began was not captured, so the time before it and the restore are "
            f"one step."
        )
    join, logs = _joined(backup, restore, history, limits)
    if join is None:
        unseen.append(f"no join of the database on {target} was captured: the run ends with its restore.")
    else:
        steps += [*logs, join]
    factors = (
        ()
        if backup["compression"] is None
        else (("backup compression", "on" if backup["compression"] else "off"),)
    )
    return Run(
        number=0,
        method=r.TWO_STEPS if join is None else r.MANUAL,
        database=backup["database"],
        source=source,
        target=target,
        steps=r.ordered(r.in_whole_seconds(steps)),
        database_bytes=size,
        factors=factors,
        told_by="errorlog",
        unseen=tuple(unseen),
    )


def _joined(
    backup: Row, restore: Row, history: History, limits: Thresholds
) -> tuple[Step | None, list[Step]]:
    """Find the join, and the log backups and restores before it."""
    target = restore["host_id"]
    # A second restore of the database before the join starts another run.
    again = history.series("restore", "full", target).after(restore["end"])
    signs = history.joins(target, restore["end"] - SLACK)
    first = next(signs, None)
    if first is None or (again is not None and first >= again["end"]):
        return None, []
    logs = _logs(backup, restore, history, first, limits)
    reached = max([restore["end"], *(step.end for step in logs)])
    if first - reached > timedelta(minutes=limits.compare_gap_minutes):
        return None, []
    last = first
    for time in signs:
        if time - last > BURST or (again is not None and time >= again["end"]):
            break
        last = time
    # Where one instant is all that was seen, and soon after the restore, it is the end of the join.
    is_end = last == first and first - reached <= SLACK
    begin = reached if is_end else max(first, reached)
    return Step(r.JOIN, begin, max(last, begin), target), logs


def _logs(backup: Row, restore: Row, history: History, before: datetime, limits: Thresholds) -> list[Step]:
    found = []
    source, target = backup["host_id"], restore["host_id"]
    for row in history.series("restore", "log", target).between(restore["end"], before + SLACK):
        if row["end"] == restore["end"]:
            continue
        found.append(Step(r.LOG_RESTORE, row["start"] or row["end"], row["end"], target))
        for made in history.series("backup", "log", source).between(backup["end"], row["end"]):
            if _same(made, row, limits):
                begin = made["start"] or made["end"]
                found.append(Step(r.LOG_BACKUP, begin, made["end"], source))
                break
    return found
