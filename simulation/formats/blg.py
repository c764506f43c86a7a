"""Writes the bytes of binary performance logs: every kind of block, either pointer size, whole or torn.

A log is a list of items (what is logged) and a list of samples, each with one block per item:

>>> items = [Item("Processor", "% Processor Time", 0x21510500, instance="_Total")]
>>> log = write_blg(items, [Sample(START, [One(0, 100)])])

Whole objects are ``Item("Process", "*", WHOLE, instance="*")`` with `Objects` blocks, whose names come
from ``names``.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from simulation.formats.blg_blocks import (
    PERF_FREQUENCY,
    START,
    Item,
    Sample,
    filetime,
    fixed_text,
    item_bytes,
    sample_bytes,
    text,
)

PROVIDER = UUID("933f3bb3-943e-490d-9ced-3cbb14c14479").bytes_le
LOGGER = "8823f583-d12f-4ed2-9ccf-7a3bf55fdecb"
SIGNATURE = bytes.fromhex("ff06000008000200")
CATALOGUE, SAMPLE, SUMMARY, STRING_TABLE = 0x20, 0x22, 0x23, 0x24
PIECE_BYTES = 8000


@dataclass(frozen=True)
class Zone:
    """A time zone as the header holds it; dates are (year, month, weekday, day, h, m, s, ms)."""

    bias: int = 480
    standard_name: str = "@tzres.dll,-212"
    standard_date: tuple[int, ...] = (0, 11, 0, 1, 2, 0, 0, 0)
    daylight_name: str = "@tzres.dll,-211"
    daylight_date: tuple[int, ...] = (0, 3, 0, 2, 2, 0, 0, 0)
    daylight_bias: int = -60


UTC = Zone(0, "UTC", (0,) * 8, "UTC", (0,) * 8, 0)


@dataclass
class Form:
    """How a log is written.

    Parameters
    ----------
    wide
        64-bit writer.
    buffer_bytes
        Size of the buffers.
    zone
        Of the header.
    mode
        LogFileMode; 2 marks a circular log.
    closed
        False as after the logger was killed: no end time, no count of buffers, no summary.
    repeat_signature
        Each piece of a catalogue begins with the signature.
    system
        Major and minor version, and build; 5.2 writes its buffers in the older way.
    """

    wide: bool = True
    buffer_bytes: int = 0x10000
    zone: Zone = field(default_factory=Zone)
    mode: int = 1
    closed: bool = True
    repeat_signature: bool = False
    system: tuple[int, int, int] = (10, 0, 17763)
    summary: bytes = b""
    logger: str = LOGGER
    provider: bytes = PROVIDER
    piece_bytes: int = PIECE_BYTES


def write_blg(
    items: Sequence[Item],
    samples: Sequence[Sample],
    names: dict[int, str] | None = None,
    form: Form | None = None,
    machine: str = r"\\HOST",
) -> bytes:
    """Write a log of one catalogue."""
    log = Log(form or Form())
    if names:
        log.add_names(machine, names, samples[0].time if samples else START)
    log.add_catalogue(items, samples[0].time if samples else START)
    for sample in samples:
        log.add_sample(sample)
    return log.finish()


class Log:
    """A log that is written event by event."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.buffers: list[bytes] = []
        self._events = bytearray()
        self._times: list[int] = []
        self._last = START
        self._begin_buffer()

    def _begin_buffer(self) -> None:
        if not self.buffers:
            # The header of the trace stands alone in the first buffer; it is written at the end.
            self.buffers.append(b"")
        self._events = bytearray()

    def add_event(self, kind: int, body: bytes, time: datetime, piece: int = 1, of: int = 1) -> None:
        """Add one event, in a new buffer where it does not fit."""
        payload = UUID(LOGGER).bytes_le + struct.pack("<II", piece, of) + body
        header = struct.pack(
            "<HBBBBHIIq16s8x",
            0x30 + len(payload),
            0x14 if self.form.wide else 0x0A,
            0xC0,
            kind,
            0,
            0x3C,
            1,
            1,
            filetime(time),
            self.form.provider,
        )
        event = header + payload
        event += bytes(-len(event) % 8)
        if 0x48 + len(self._events) + len(event) > self.form.buffer_bytes:
            self.end_buffer()
        self._events += event
        self._last = time

    def end_buffer(self) -> None:
        """Write the buffer as it is, and begin the next."""
        if self._events:
            written = filetime(self._last) + len(self.buffers)
            self.buffers.append(self._buffer(bytes(self._events), len(self.buffers), written))
        self._begin_buffer()

    def _buffer(self, events: bytes, number: int, written: int) -> bytes:
        used = 0x48 + len(events)
        old = self.form.system[0] < 6
        kind = (1 if old else 4) if number == 0 else 0
        header = bytearray(0x48)
        struct.pack_into("<II", header, 0, self.form.buffer_bytes, number + 1 if old else used)
        struct.pack_into("<qq", header, 0x10, written, 0 if old else number)
        struct.pack_into("<IHH", header, 0x30, used, int(number == 0), kind)
        return bytes(header) + events + b"\xff" * (self.form.buffer_bytes - used)

    def add_pieces(self, kind: int, body: bytes, time: datetime) -> None:
        """Add a body, cut into pieces."""
        size = self.form.piece_bytes
        cuts = [body[at : at + size] for at in range(0, len(body), size)] or [b""]
        for number, cut in enumerate(cuts, start=1):
            repeat = kind == CATALOGUE and self.form.repeat_signature and number > 1
            self.add_event(kind, (SIGNATURE if repeat else b"") + cut, time, number, len(cuts))

    def add_catalogue(self, items: Sequence[Item], time: datetime) -> None:
        """Add what the samples that follow hold."""
        self.add_pieces(CATALOGUE, SIGNATURE + b"".join(item_bytes(item) for item in items), time)

    def add_names(self, machine: str, names: dict[int, str], time: datetime) -> None:
        """Add the names of a machine, in as many events as it takes."""
        pairs = [text(str(index)) + text(name) for index, name in names.items()]
        body = text(machine)
        for pair in pairs:
            if len(body) + len(pair) > self.form.piece_bytes:
                self.add_event(STRING_TABLE, body, time)
                body = text(machine)
            body += pair
        self.add_event(STRING_TABLE, body, time)

    def add_sample(self, sample: Sample) -> None:
        """Add one row."""
        self.add_pieces(SAMPLE, sample_bytes(sample), sample.time)

    def finish(self) -> bytes:
        """Return the whole file."""
        if self.form.summary and self.form.closed:
            self.add_event(SUMMARY, self.form.summary, self._last)
        self.end_buffer()
        count = len(self.buffers)
        payload = trace_header(self.form, count, filetime(self._last))
        event = struct.pack("<HBBHHIIq8x", 0, 2 if self.form.wide else 1, 0xC0, 0x20, 0, 1, 1, 0)
        event = bytearray(event + payload)
        struct.pack_into("<H", event, 4, len(event))
        event += bytes(-len(event) % 8)
        self.buffers[0] = self._buffer(bytes(event), 0, 0)
        return b"".join(self.buffers)


def trace_header(form: Form, buffers: int, end: int) -> bytes:
    """Write TRACE_LOGFILE_HEADER."""
    major, minor, build = form.system
    head = struct.pack(
        "<IBBBBIIqIIIIIIII",
        form.buffer_bytes,
        major,
        minor,
        1,
        5,
        build,
        1,
        end if form.closed else 0,
        156_250,
        0,
        form.mode,
        buffers if form.closed else 0,
        1,
        8 if form.wide else 4,
        0,
        2400,
    )
    head += bytes(16 if form.wide else 8)
    zone = form.zone
    head += struct.pack("<i", zone.bias) + fixed_text(zone.standard_name)
    head += struct.pack("<8Hi", *zone.standard_date, 0) + fixed_text(zone.daylight_name)
    head += struct.pack("<8Hi", *zone.daylight_date, zone.daylight_bias)
    head += bytes(-len(head) % 8)
    head += struct.pack("<qqqII", filetime(START), PERF_FREQUENCY, filetime(START), 2, 0)
    return head + text(form.logger) + text(r"C:\PerfLogs\DataCollector01.blg")


def rotate(log: bytes, form: Form, by: int) -> bytes:
    """Move the buffers after the first as in a circular log whose writer is ``by`` buffers in."""
    size = form.buffer_bytes
    first, later = log[:size], log[size:]
    at = len(later) - by * size
    return first + later[at:] + later[:at]
