"""Event logs as Windows keeps them: one chunk of records in binary XML.

Source of the layout: "Windows XML Event Log (EVTX) format" of libevtx.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from simulation.formats.binary_xml import TEMPLATE_AT, Element, Typed, Value, instance, plain, text
from simulation.formats.event_log import Event
from simulation.formats.xel import filetime

CHUNK = 65536
FIRST_RECORD = 512
RECORD_HEAD = 24
_LEVELS = {"Error": 2, "Warning": 3, "Information": 4}


def evtx(
    events: Sequence[Event],
    log: str = "System",
    first: int = 1,
    heads: Sequence[datetime] | None = None,
    *,
    dated: bool = True,
) -> bytes:
    """Write a log; the times of the events are UTC.

    Parameters
    ----------
    heads
        Times in the heads of the records, which a filtered export writes again; default: those of the events.
    dated
        Whether the records have System/TimeCreated.
    """
    written = heads or [event.at for event in events]
    elements = [_element(number, event, log, dated) for number, event in enumerate(events, start=first)]
    return log_of([partial(_plain, element) for element in elements], written, first)


def log_of(records: Sequence[Callable[[int], bytes]], written: Sequence[datetime], first: int = 1) -> bytes:
    """Write a log of one chunk.

    Parameters
    ----------
    records
        Give the binary XML of each record for a place of the chunk.
    written
        Times in the heads of the records.
    """
    body, last = b"", FIRST_RECORD
    for number, (record, at) in enumerate(zip(records, written, strict=True), start=first):
        last = FIRST_RECORD + len(body)
        xml = record(last + RECORD_HEAD)
        size = RECORD_HEAD + len(xml) + 4
        body += b"\x2a\x2a\0\0" + struct.pack("<IQQ", size, number, filetime(at))
        body += xml + struct.pack("<I", size)
    end = first + len(records) - 1
    chunk = bytearray(CHUNK)
    chunk[FIRST_RECORD : FIRST_RECORD + len(body)] = body
    struct.pack_into(
        "<8sQQQQIIII", chunk, 0, b"ElfChnk\0", first, end, first, end, 128, last,
        FIRST_RECORD + len(body), zlib.crc32(body),
    )  # fmt: skip
    struct.pack_into("<I", chunk, 124, zlib.crc32(bytes(chunk[:120]) + bytes(chunk[128:512])))
    head = bytearray(4096)
    struct.pack_into(
        "<8sQQQIHHHH", head, 0, b"ElfFile\0", 0, 0, end + 1, 128, 1, 3, 4096, 1
    )  # fmt: skip
    struct.pack_into("<I", head, 124, zlib.crc32(bytes(head[:120])))
    return bytes(head + chunk)


def _plain(element: Element, place: int) -> bytes:
    return plain(place, element)


def _element(number: int, event: Event, log: str, dated: bool) -> Element:
    system = [
        Element("Provider", Name=event.source),
        Element("EventID", str(event.number)),
        Element("Level", str(_LEVELS[event.level])),
        Element("Task", "3"),
        Element("Keywords", "0x8000000000000000"),
        Element("TimeCreated", SystemTime=f"{event.at.isoformat(timespec='microseconds')}00Z"),
        Element("EventRecordID", str(number)),
        Element("Channel", log),
        Element("Computer", event.computer),
        Element("Security", UserID="S-1-5-18"),
    ]
    kept = [element for element in system if dated or element.name != "TimeCreated"]
    data = Element("EventData", Element("Data", "CONTOSO2", Name="NodeName"))
    return Element("Event", Element("System", *kept), data)


TEMPLATE = Element(
    "Event",
    Element(
        "System",
        Element("Provider", Name=Value(0)),
        Element("EventID", Value(1), Qualifiers=Value(2, is_optional=True)),
        Element("Level", Value(3)),
        Element("Task", Value(4)),
        Element("Keywords", Value(5)),
        Element("TimeCreated", SystemTime=Value(6)),
        Element("EventRecordID", Value(7)),
        Element("Channel", "System"),
        Element("Computer", Value(8)),
        Element("Security", UserID=Value(9, is_optional=True)),
    ),
    Value(10, is_optional=True),
)
"""What services of Windows make their records of; the last value is binary XML of another template."""
CARRIED = Element(
    "EventData", Element("Data", Value(0), Name="NodeName"), Element("Data", Value(1), Name="Tries")
)


def evtx_of_templates(events: Sequence[Event]) -> bytes:
    """Write a log as Windows does: the first record has the templates, the others refer to them."""
    at = FIRST_RECORD + RECORD_HEAD
    first_value = len(instance(at, TEMPLATE, _values(1, events[0], b""))) - 1
    inner_at = at + first_value
    known = (at + TEMPLATE_AT, inner_at + TEMPLATE_AT)

    def record(place: int, number: int, event: Event) -> bytes:
        outer_known, inner_known = (None, None) if number == 1 else known
        carried = [text("CONTOSO2"), Typed(0x08, struct.pack("<I", number))]
        before = len(instance(place, TEMPLATE, _values(number, event, b""), outer_known)) - 1
        inner = instance(place + before, CARRIED, carried, inner_known)
        return instance(place, TEMPLATE, _values(number, event, inner), outer_known)

    records = [partial(record, number=number, event=event) for number, event in enumerate(events, start=1)]
    return log_of(records, [event.at for event in events])


def _values(number: int, event: Event, carried: bytes) -> list[Typed]:
    return [
        text(event.source),
        Typed(0x06, struct.pack("<H", event.number)),
        Typed(0x00, b""),
        Typed(0x04, bytes([_LEVELS[event.level]])),
        Typed(0x06, struct.pack("<H", 3)),
        Typed(0x15, struct.pack("<Q", 1 << 63)),
        Typed(0x11, struct.pack("<Q", filetime(event.at))),
        Typed(0x0A, struct.pack("<Q", number)),
        text(event.computer),
        Typed(0x13, b"\1\1\0\0\0\0\0\5" + struct.pack("<I", 18)),
        Typed(0x21, carried),
    ]
