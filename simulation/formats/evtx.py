"""Event logs as Windows keeps them: one chunk of records in binary XML without templates.

Source of the layout: "Windows XML Event Log (EVTX) format" of libevtx.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from datetime import datetime

from simulation.formats.event_log import Event
from simulation.formats.xel import filetime

_CHUNK, _DATA = 65536, 512
_LEVELS = {"Error": 2, "Warning": 3, "Information": 4}


class _Binary:
    """Binary XML that begins at a place of the chunk."""

    def __init__(self, place: int) -> None:
        self._place = place
        self.data = bytearray(b"\x0f\x01\x01\x00")

    def _name(self, text: str) -> None:
        offset = self._place + len(self.data) + 4
        self.data += struct.pack("<IIHH", offset, 0, 0, len(text))
        self.data += text.encode("utf-16-le") + b"\0\0"

    def value(self, text: str) -> None:
        self.data += b"\x05\x01" + struct.pack("<H", len(text)) + text.encode("utf-16-le")

    def element(self, name: str, content: object = None, **attributes: str) -> None:
        """Write an element: with a text, with what a function writes, or empty."""
        self.data += b"\x41" if attributes else b"\x01"
        size_at = len(self.data)
        self.data += bytes(4)
        self._name(name)
        if attributes:
            list_at = len(self.data)
            self.data += bytes(4)
            for number, (key, text) in enumerate(attributes.items(), start=1):
                self.data += b"\x06" if number == len(attributes) else b"\x46"
                self._name(key)
                self.value(text)
            struct.pack_into("<I", self.data, list_at, len(self.data) - list_at - 4)
        if content is None:
            self.data += b"\x03"
        else:
            self.data += b"\x02"
            if callable(content):
                content()
            else:
                self.value(str(content))
            self.data += b"\x04"
        struct.pack_into("<I", self.data, size_at, len(self.data) - size_at - 4)


def _record(number: int, event: Event, log: str, place: int, head_at: datetime, dated: bool) -> bytes:
    xml = _Binary(place + 24)

    def system() -> None:
        xml.element("Provider", Name=event.source)
        xml.element("EventID", event.number)
        xml.element("Level", _LEVELS[event.level])
        xml.element("Task", 3)
        xml.element("Keywords", "0x8000000000000000")
        if dated:
            xml.element("TimeCreated", SystemTime=f"{event.at.isoformat(timespec='microseconds')}00Z")
        xml.element("EventRecordID", number)
        xml.element("Channel", log)
        xml.element("Computer", event.computer)
        xml.element("Security", UserID="S-1-5-18")

    def values() -> None:
        xml.element("Data", "CONTOSO2", Name="NodeName")

    def whole() -> None:
        xml.element("System", system)
        xml.element("EventData", values)

    xml.element("Event", whole)
    xml.data += b"\0"
    size = 24 + len(xml.data) + 4
    head = b"\x2a\x2a\0\0" + struct.pack("<IQQ", size, number, filetime(head_at))
    return head + bytes(xml.data) + struct.pack("<I", size)


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
    times = heads or [event.at for event in events]
    body, last = b"", _DATA
    for number, event in enumerate(events, start=first):
        last = _DATA + len(body)
        body += _record(number, event, log, last, times[number - first], dated)
    end = first + len(events) - 1
    chunk = bytearray(_CHUNK)
    chunk[_DATA : _DATA + len(body)] = body
    struct.pack_into(
        "<8sQQQQIIII", chunk, 0, b"ElfChnk\0", first, end, first, end, 128, last,
        _DATA + len(body), zlib.crc32(body),
    )  # fmt: skip
    struct.pack_into("<I", chunk, 124, zlib.crc32(bytes(chunk[:120]) + bytes(chunk[128:512])))
    head = bytearray(4096)
    struct.pack_into(
        "<8sQQQIHHHH", head, 0, b"ElfFile\0", 0, 0, end + 1, 128, 1, 3, 4096, 1
    )  # fmt: skip
    struct.pack_into("<I", head, 124, zlib.crc32(bytes(head[:120])))
    return bytes(head + chunk)
