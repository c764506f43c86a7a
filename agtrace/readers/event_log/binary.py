"""Event logs as Windows keeps them (.evtx), through the library ``evtx``.

A record holds the values of its message, not the message: that is in a library of the machine that
wrote it. Times are UTC: those of
the events (System/TimeCreated), not of the heads of the records, which filtered exports write again.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any, BinaryIO

import pyarrow as pa
from xelib.entries import KEPT_BYTES

from agtrace.errors import CaptureError, MissingExtraError
from agtrace.extras import has
from agtrace.moments import iso
from agtrace.readers.base import Batch, Source, issue
from agtrace.readers.event_log.levels import ERROR, INFORMATION, WARNING
from agtrace.tables import OS_EVENTS

MAGIC = b"ElfFile\x00"
COPIED_AT_ONCE = 1 << 20
BATCH = 20_000
"""Events of one batch."""
MAX_FAULTS_IN_A_ROW = 10_000
"""Records that cannot be read, one after the other, before the rest of a log is given up."""
EARLIEST = datetime(1990, 1, 1)
"""The head of a record has 1601, the start of FILETIME, where its time was not written."""
APART = timedelta(seconds=1)
"""By how much the head of a record and its event may differ: the event is created before it is written."""
_LEVELS = {0: INFORMATION, 1: ERROR, 2: ERROR, 3: WARNING, 4: INFORMATION, 5: INFORMATION}
_AUDIT_FAILURE, _AUDIT_SUCCESS = 0x10000000000000, 0x20000000000000


def lack() -> str:
    """Explain why such logs cannot be read here; "" if they can."""
    return "" if has("evtx") else str(MissingExtraError(".evtx", "evtx"))


def read(source: Source, see: Callable[[pa.RecordBatch], None]) -> Iterator[Batch]:
    """Yield the rows of ``os_events``, and issues.

    Parameters
    ----------
    see
        Told of every batch.

    Raises
    ------
    CaptureError
        It is not such a log.
    """
    unread = moved = 0
    kept: list[dict[str, Any]] = []
    with source.open() as file, _seekable(file) as log:
        for record in _records(log, source.path):
            row = None if record is None else _row(record)
            if row is None:
                unread += 1
                continue
            moved += row.pop("is_moved")
            kept.append(row)
            if len(kept) >= BATCH:
                yield _batch(kept, see)
                kept = []
    if kept:
        yield _batch(kept, see)
    if moved:
        yield issue(
            "record_time",
            "records whose head has another time than their event, as filtered exports write them: "
            "the time of the event counts",
            severity="info",
            count=moved,
        )
    if unread:
        yield issue(
            "damaged_record",
            "records of the event log that cannot be read: left out",
            severity="data_loss",
            count=unread,
        )


@contextlib.contextmanager
def _seekable(file: BinaryIO) -> Iterator[BinaryIO]:
    """Yield the file itself, or a copy on disk if it only reads from front to back."""
    if file.seekable():
        yield file
        return
    with tempfile.TemporaryFile() as copy:
        shutil.copyfileobj(file, copy, COPIED_AT_ONCE)
        copy.seek(0)
        yield copy


def _records(file: BinaryIO, path: str) -> Iterator[dict[str, Any] | None]:
    """Yield the records as the library does, None for one that it cannot read."""
    from evtx import PyEvtxParser

    try:
        records = PyEvtxParser(file, number_of_threads=1).records_json()
    except (RuntimeError, OSError, ValueError) as error:
        raise CaptureError(path, f"is no event log that can be read ({_short(error)})") from error
    faults = 0
    while faults < MAX_FAULTS_IN_A_ROW:
        try:
            record = next(records, None)
        except (RuntimeError, OSError, ValueError):
            faults += 1
            yield None
            continue
        except BaseException as error:
            # The library's own way to fail is no Exception; it must not end the others' reading.
            if type(error).__name__ != "PanicException":
                raise
            raise CaptureError(path, f"its library cannot read it ({_short(error)})") from None
        if record is None:
            return
        faults = 0
        yield record


def _short(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]


def _row(record: dict[str, Any]) -> dict[str, Any] | None:
    try:
        event = json.loads(record["data"])["Event"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return row_of(event, int(record["event_record_id"]) & (2**63 - 1), record.get("timestamp"))


def row_of(event: object, line: int, header_time: str | None = None) -> dict[str, Any] | None:
    """Return an event as a row of ``os_events``; None where it is none."""
    system = event.get("System") if isinstance(event, dict) else None
    if not isinstance(event, dict) or not isinstance(system, dict):
        return None
    number = _value(system.get("EventID"))
    record = _value(system.get("EventRecordID"))
    created = _time(_attribute(system.get("TimeCreated"), "SystemTime"))
    head = _time(header_time)
    return {
        "line": line,
        "time_local": created or (head if head and head >= EARLIEST else None),
        "is_moved": created is not None and head is not None and abs(created - head) > APART,
        "log": _text(system.get("Channel")),
        "level": _level(system),
        "source": _attribute(system.get("Provider"), "Name"),
        "event_id": number if isinstance(number, int) and 0 <= number < 2**31 else None,
        "computer": _text(system.get("Computer")),
        "category": _text(system.get("Task")),
        "user": _attribute(system.get("Security"), "UserID"),
        "record": record if isinstance(record, int) and record < 2**63 else line,
        "message": _message(event),
    }


def _time(text: object) -> datetime | None:
    """Read what an event or the library writes: ``2026-03-01T03:10:44.1234567Z``, or with a blank and UTC."""
    if not isinstance(text, str):
        return None
    found = iso(text.removesuffix(" UTC").removesuffix("Z")[:26])
    return found.replace(tzinfo=None) if found else None


def _level(system: dict[str, Any]) -> str | None:
    level = _value(system.get("Level"))
    if level == 0:
        try:
            words = int(str(_value(system.get("Keywords"))), 16)
        except ValueError:
            words = 0
        if words & _AUDIT_FAILURE:
            return WARNING
    return _LEVELS.get(level) if isinstance(level, int) else None


def _value(given: object) -> object:
    """Return the text of an element with attributes, or a number in a text element."""
    value = given.get("#text") if isinstance(given, dict) else given
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 18:
        return int(value)
    return value


def _text(given: object) -> str | None:
    value = given.get("#text") if isinstance(given, dict) else given
    return None if value is None or isinstance(value, (dict, list)) else str(value) or None


def _attribute(given: object, name: str) -> str | None:
    values = given.get("#attributes") if isinstance(given, dict) else None
    value = values.get(name) if isinstance(values, dict) else None
    return None if value is None else str(value)


def _message(event: dict[str, Any]) -> str:
    """Write the values of an event, ``name: value`` where they have names."""
    found: list[str] = []
    rendered = event.get("RenderingInfo")
    if isinstance(rendered, dict) and (text := _text(rendered.get("Message"))):
        return text.encode()[:KEPT_BYTES].decode(errors="ignore")
    for part in ("EventData", "UserData"):
        _flatten(event.get(part), "", found, 0)
    text = "; ".join(found)
    return text.encode()[:KEPT_BYTES].decode(errors="ignore")


def _flatten(given: object, name: str, found: list[str], depth: int) -> None:
    if given is None or depth > 8 or len(found) > 1000:
        return
    if isinstance(given, dict):
        for key, value in given.items():
            if key != "#attributes":
                _flatten(value, "" if key in ("#text", "Data") else key, found, depth + 1)
    elif isinstance(given, list):
        for value in given:
            _flatten(value, name, found, depth + 1)
    else:
        found.append(f"{name}: {given}" if name else str(given))


def _batch(kept: list[dict[str, Any]], see: Callable[[pa.RecordBatch], None]) -> Batch:
    batch = pa.RecordBatch.from_pylist(kept, schema=OS_EVENTS)
    see(batch)
    return "os_events", batch
