"""Runs as text tables, for the tests of the comparison.

One line per run: ``method | database | source > target | start | steps | GB | factors | label``.
Steps are ``name seconds`` with commas between; the start is in seconds after that of `tiny`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from agtrace import thresholds
from agtrace.diagnostics.comparison import judge
from agtrace.diagnostics.comparison.study import Asked, Study, examine, find
from agtrace.history.seedings import SOURCE, TARGET, Operation, Side, State
from agtrace.history.transfers.run import GIVEN, MANUAL, SEEDING, TWO_STEPS, Run, Step
from tests.diagnostics.backup.cases import backed_up, backup_case, interleaved, processed
from tests.diagnostics.tiny import START, Case, lines
from tests.diagnostics.workload.cases import case

METHODS = {"manual": MANUAL, "two steps": TWO_STEPS, "seeding": SEEDING, "window": GIVEN}
GB = 1_000_000_000


def moment(seconds: float) -> datetime:
    """Return an instant, so many seconds after the start of a tiny case."""
    return START.replace(tzinfo=UTC) + timedelta(seconds=seconds)


def runs(text: str) -> list[Run]:
    """Build runs from a text table."""
    found = []
    for number, cells in enumerate(lines(text), 1):
        method, database, hosts, start, steps, size, *more = [*cells, "", ""][:8]
        factors, label = more
        at, made = float(start), []
        source, _, target = (part.strip() for part in hosts.partition(">"))
        for step in steps.split(","):
            name, _, seconds = step.strip().rpartition(" ")
            made.append(Step(name, moment(at), moment(at + float(seconds))))
            at += float(seconds)
        pairs = tuple(tuple(p.strip().split("=", 1)) for p in factors.split(";") if p.strip())
        found.append(
            Run(number, METHODS[method], database or None, source or None, target or None, tuple(made),
                round(float(size) * GB) if size else None, pairs, label, label, "ERRORLOG")
        )  # fmt: skip
    return found


def examined(text: str, perfmon: str = "", *, asked: Asked | None = None, **more: object) -> Study:
    """Compare runs, with what perfmon showed of their hosts."""
    view = case(perfmon, **more)
    return examine(view, runs(text), [], asked or Asked(), thresholds.of(view))


def told(study: Study) -> str:
    """Return id, subject and title of each finding, as a text table."""
    return "\n".join(
        f"{f.id.removeprefix('compare.')} | "
        f"{f.subject['run'].split(' ')[0]}:{f.subject['baseline'].split(' ')[0]} | {f.title}"
        for f in judge.findings(study)
    )


def table(text: str) -> str:
    """Strip an expected text table."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def seeding(
    begin: float,
    copy: float,
    copied: float,
    end: float,
    *,
    number: int = 1,
    slot: float | None = None,
    outcome: str = "completed",
    size: int = 100 * GB,
    hosts: tuple[str, str] = ("A", "B"),
) -> Operation:
    """Build a seeding operation of ``db`` from its instants, in seconds."""
    states = [
        State(moment(begin), "PENDING"),
        State(moment(copy), "SEEDING"),
        State(moment(copied), "CATCHUP"),
    ]
    if slot is not None:
        states.insert(1, State(moment(slot), "LIMIT_CONCURRENT_BACKUPS"))
    sides = [
        Side(role, host, frozenset({"xel"}), tuple(states))
        for role, host in zip((SOURCE, TARGET), hosts, strict=True)
    ]
    return Operation(
        number=number, database="db", ag="ag", database_guid=None, source=sides[0], target=sides[1],
        start=moment(begin), end=moment(end), copy_start=moment(copy), copy_end=moment(copied),
        copied_bytes=size, bytes_source="transferred", database_bytes=size, outcome=outcome,
        told_by=frozenset({"xel"}),
    )  # fmt: skip


# ERRORLOG entries of a run by hand, in the manner of `backup_cases`


def restored(
    database: str, at: float, seconds: float | None, pages: int, device: str, *, log: bool = False
) -> list[tuple[float, str, str]]:
    """Return messages 18267 (18268) and, if the seconds are known, 3014 of a completed restore."""
    what = "Log was restored." if log else "Database was restored:"
    end = (
        "This is an informational message. No user action is required."
        if log
        else "Informational message. No user action required."
    )
    said = [
        (at, "Backup", f"{what} Database: {database}, creation date(time): 2024/01/02(03:04:05), "
         f"first LSN: 39:760:1, last LSN: 39:763:1, number of dump devices: 1, device information: (FILE=1, "
         f"TYPE=DISK: {{'{device}'}}). {end}"),
    ]  # fmt: skip
    statement = "RESTORE LOG" if log else "RESTORE DATABASE"
    if seconds is not None:
        said.append((at + 0.02, "Backup", processed(statement, pages, seconds)))
    return said


def made(
    database: str,
    at: float,
    seconds: float,
    pages: int,
    device: str,
    *,
    log: bool = False,
    media: str = "DISK",
) -> list[tuple[float, str, str]]:
    """Return messages 18264 (18265) and 3014 of a completed backup."""
    statement = "BACKUP LOG" if log else "BACKUP DATABASE"
    kind = "log" if log else "full"
    return [
        (at, "Backup", backed_up(database, pages, f"'{device}'", kind=kind, media=media)),
        (at + 0.02, "Backup", processed(statement, pages, seconds)),
    ]


def joined(database: str, at: float) -> list[tuple[float, str, str]]:
    """Return message 35266 of the replica that joined a database."""
    return [
        (at, "spid40s", f"Always On Availability Groups connection with primary database established for "
        f"secondary database "
         f"'{database}' on the availability replica 'A' with Replica ID: "
         f"{{f91fc35c-fcae-5e0f-bcab-393b9b3bfbb5}}. "
         "This is an informational message only. No user action is required."),
    ]  # fmt: skip


def by_hand(
    source: list[tuple[float, str, str]], target: list[tuple[float, str, str]], **more: object
) -> Case:
    """Build a case of the ERRORLOGs of A and B."""
    return backup_case(interleaved(source), interleaved(target), hosts=("A", "B"), **more)


def found(view: Case, operations: Sequence[Operation] = ()) -> tuple[list[Run], list[str]]:
    """Find the runs of a case, with the seeding operations given."""
    return find(view, operations, {}, thresholds.of(view))


def steps(run: Run) -> str:
    """Return a run's steps as text: "backup A 415, wait 60"."""
    return ", ".join(" ".join(filter(None, (s.name, s.host, f"{s.seconds:g}"))) for s in run.steps)
