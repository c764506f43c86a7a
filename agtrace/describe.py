"""The description of one capture, read once from end to end: kind, host, time span, contents, damage."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from agtrace.errors import AgtraceError
from agtrace.ingest.archives import HEAD_BYTES, Budget, kind_of, unpacked_folder
from agtrace.ingest.discover import Place, members
from agtrace.ingest.job import why
from agtrace.ingest.summary import Summariser
from agtrace.inputs import open_input
from agtrace.readers import Batch, detect, issue
from agtrace.readers.vast_values import without_vast
from agtrace.resolve.clocks import states_utc, stretches
from agtrace.resolve.hosts import names_inside
from agtrace.store import CommitRecord


@dataclass(frozen=True)
class Description:
    """Description of one capture.

    Parameters
    ----------
    path
        The file; a member of an archive is ``archive.zip!/member``.
    bytes
        Size in bytes.
    kind, status, reason
        As in the relation ``captures`` (docs/store.md).
    hosts, sql_instances
        Names in the file.
    first_local, last_local
        Time span in the local time of the host that wrote it.
    utc_offset_minutes
        Local minus UTC as stated in the file; None if it is not stated.
    is_utc
        Whether the format itself uses UTC.
    interval_s
        Median sampling interval.
    rows
        Rows by table: counters (series), ticks (sample times), samples (values), errorlog
        and cluster_log (entries), os_events, ``events/<name>``, facts.
    issues
        Faults found: severity, kind, message, offset, count.
    """

    path: str
    bytes: int
    kind: str = ""
    status: str = "not_understood"
    reason: str = ""
    reader: str | None = None
    hosts: list[str] = field(default_factory=list)
    sql_instances: list[str] = field(default_factory=list)
    first_local: datetime | None = None
    last_local: datetime | None = None
    utc_offset_minutes: int | None = None
    is_utc: bool = False
    interval_s: float | None = None
    rows: dict[str, int] = field(default_factory=dict)
    issues: list[dict[str, Any]] = field(default_factory=list)


def describe(path: str | Path) -> list[Description]:
    """Describe a file, or every member of an archive. Invalid contents never raise.

    Raises
    ------
    OSError
        There is no such file, or it cannot be opened.
    """
    file = Path(path)
    with open_input(file) as opened:
        status = os.fstat(opened.fileno())
        kind = kind_of(opened.read(HEAD_BYTES))
    place = Place(file, str(path), status.st_size, status.st_mtime_ns)
    if kind is None:
        return [_describe(place)]
    with unpacked_folder() as unpacked:
        places, settled = members(place, kind, Budget(), unpacked)
        told = [_describe(member) for member in places]
    told += [Description(c.path, c.bytes, c.kind, c.status or "", c.reason) for c in settled]
    return sorted(told, key=lambda description: description.path)


def _describe(place: Place) -> Description:
    if not place.bytes:
        return Description(place.shown, 0, status="empty", reason="0 bytes")
    source = place.source()
    try:
        found = detect(source.head(), source.name)
    except (OSError, AgtraceError) as error:
        return Description(place.shown, place.bytes, status="unreadable", reason=str(error))
    if found is None:
        return Description(place.shown, place.bytes, reason="no reader knows this format")
    reader, hit = found
    if not hit.readable:
        return Description(place.shown, place.bytes, hit.kind, "recognised", hit.reason, reader.name)
    summariser, rows, issues = Summariser(), Counter[str](), list[dict[str, Any]]()

    def see(batch: Batch) -> None:
        summariser.see(*batch)
        rows[batch[0]] += batch[1].num_rows
        if batch[0] == "issues":
            issues.extend(batch[1].to_pylist())

    status, reason = "ingested", ""
    try:
        for batch in without_vast(reader.read(source)):
            see(batch)
    except Exception as error:
        # As an ingest does: one capture, be it hostile or our own defect, never stops the others.
        status, reason = "failed", why(error, reader, place.shown)
        see(issue("unreadable", reason, severity="data_loss"))
    del rows["issues"]
    summary = summariser.summary()
    first, last = summary.span or (None, None)
    record = CommitRecord("", place.bytes, hit.kind, status, tables=dict(rows), summary=summary)
    return Description(
        place.shown,
        place.bytes,
        hit.kind,
        status,
        reason,
        reader.name,
        names_inside(record),
        summary.sql_instances,
        first,
        last,
        next((stretch.offset_minutes for stretch in stretches(record, [], None)), None),
        states_utc(record),
        summary.interval_s,
        dict(rows),
        issues,
    )
