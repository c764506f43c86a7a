"""What each replica did while each trial ran, and where the reads went."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agtrace.diagnostics.base import View
from agtrace.history.trials.trial import Trial

BATCHES = "SQLServer:SQL Statistics\\Batch Requests/sec"
PAGE_READS = "SQLServer:Buffer Manager\\Page reads/sec"
RECEIVED = "SQLServer:Database Replica\\Log Bytes Received/sec"
CPU = "Processor\\% Processor Time"
DISKS = ("LogicalDisk", "PhysicalDisk")
READ, WRITTEN, BOTH = "Disk Read Bytes/sec", "Disk Write Bytes/sec", "Disk Bytes/sec"
WANTED = [BATCHES, PAGE_READS, RECEIVED, CPU, *(f"{d}\\{c}" for d in DISKS for c in (READ, WRITTEN, BOTH))]  # fmt: skip
PAGE_BYTES = 8192
_CREATE = re.compile(r"CREATE\s+AVAILABILITY\s+GROUP\b.*?\bWITH\s*\((?P<options>[^)]*)\)", re.IGNORECASE | re.DOTALL)  # fmt: skip
_BASIC = re.compile(r"\bBASIC\b(?!\s*=\s*OFF)", re.IGNORECASE)


@dataclass(frozen=True)
class Activity:
    """Means over one trial on one host; None where it was not captured.

    Parameters
    ----------
    disk_read, disk_written, disk
        Bytes per second of all disks: read, written, both.
    batches
        Batch requests per second.
    page_reads
        Bytes per second that the buffer pool read from data files.
    received
        Log bytes per second that the host received as a secondary.
    cpu
        Percent of all processors.
    n
        Samples of the disks, or of what else there is.
    """

    disk_read: float | None = None
    disk_written: float | None = None
    disk: float | None = None
    batches: float | None = None
    page_reads: float | None = None
    received: float | None = None
    cpu: float | None = None
    n: int = 0


@dataclass(frozen=True)
class Hosts:
    """What the hosts did.

    Parameters
    ----------
    by_trial
        Per trial (its place in the list): host to activity. Empty where its time is not known or no
        sample lies within it.
    names
        Every host with such counters.
    basic
        What says that the availability group is a basic one; "" when nothing does.
    """

    by_trial: list[dict[str, Activity]]
    names: list[str]
    basic: str
    secondaries: frozenset[str] = field(default_factory=frozenset)


def read_hosts(view: View, sql: Callable[[str], str], trials: list[Trial]) -> Hosts:
    """Read the activity of every host during every trial."""
    timed = [
        (no, trial.start_us, trial.end_us)
        for no, trial in enumerate(trials)
        if trial.start_us is not None and trial.end_us is not None
    ]
    values: dict[tuple[int, str], list[dict[str, Any]]] = {}
    if timed:
        no, start, end = (list(column) for column in zip(*timed, strict=True))
        parameters = {"no": no, "start_us": start, "end_us": end, "wanted": WANTED}
        for row in view.table(sql("activity.sql"), parameters).to_pylist():
            values.setdefault((row["no"], row["host_id"]), []).append(row)
    by_trial: list[dict[str, Activity]] = [{} for _ in trials]
    for (number, host), rows in sorted(values.items()):
        by_trial[number][host] = _activity(rows)
    names = sorted({host for activities in by_trial for host in activities})
    return Hosts(by_trial, names, _basic(view, sql), _secondaries(by_trial))


def _activity(rows: list[dict[str, Any]]) -> Activity:
    def total(path: str) -> float | None:
        found = [row for row in rows if f"{row['object']}\\{row['counter']}" == path]
        parts = [row for row in found if row["instance"] != "_Total"]
        return sum(row["value"] for row in parts or found) if found else None

    disk = next((name for name in DISKS if any(row["object"] == name for row in rows)), DISKS[0])
    read, written = total(f"{disk}\\{READ}"), total(f"{disk}\\{WRITTEN}")
    both = total(f"{disk}\\{BOTH}")
    if both is None and read is not None and written is not None:
        both = read + written
    pages = total(PAGE_READS)
    cpu = [row["value"] for row in rows if row["object"] == "Processor"]
    # The _Total instance is the mean of the processors already.
    whole = [r["value"] for r in rows if r["object"] == "Processor" and r["instance"] == "_Total"]
    return Activity(
        disk_read=read,
        disk_written=written,
        disk=both,
        batches=total(BATCHES),
        page_reads=None if pages is None else pages * PAGE_BYTES,
        received=total(RECEIVED),
        cpu=float(np.mean(whole or cpu)) if cpu else None,
        n=max(row["n"] for row in rows),
    )


def _secondaries(by_trial: list[dict[str, Activity]]) -> frozenset[str]:
    """Give the hosts that received log in more trials than not."""
    votes: dict[str, int] = {}
    for activities in by_trial:
        for host, activity in activities.items():
            if activity.received is not None:
                votes[host] = votes.get(host, 0) + (1 if activity.received > 0 else -1)
    return frozenset(host for host, vote in votes.items() if vote > 0)


def _basic(view: View, sql: Callable[[str], str]) -> str:
    """Say what shows that the group is a basic one: its own statement, or the edition.

    Standard Edition has basic availability groups only (SQL Server 2016 and later, documentation
    "Basic Always On availability groups for a single database").
    """
    known = "select 1 from information_schema.tables where table_name = 'events_alwayson_ddl_executed'"  # fmt: skip
    if view.table(known).num_rows:
        for row in view.table(sql("groups.sql")).to_pylist():
            created = _CREATE.search(row["statement"])
            if created and _BASIC.search(created["options"]):
                return (
                    f"CREATE AVAILABILITY GROUP ... WITH (BASIC) in {row['path'] or row['host_id']}"
                )
    editions = view.table(sql("editions.sql")).to_pylist()
    standard = sorted(r["host_id"] for r in editions if str(r["edition"]).startswith("Standard"))
    if standard and len(standard) == len({row["host_id"] for row in editions}):
        return f"Standard Edition in the ERRORLOG of {standard[0]}"
    return ""
