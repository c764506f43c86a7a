"""Map readings to perfmon counters, in perfmon's units: bytes instead of KiB, s instead of ms."""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.readers.sysstat.reading import Reading

_KIB, _MIB, _SECTOR = 1024.0, 1048576.0, 512.0
_NOT_BUSY = ("%idle", "%iowait")
"""A processor that waits for a disk runs nothing: Windows calls it idle."""

_READ = (("rkB/s", _KIB), ("rMB/s", _MIB), ("rsec/s", _SECTOR),
         ("kB_read/s", _KIB), ("MB_read/s", _MIB), ("Blk_read/s", _SECTOR))  # fmt: skip
_WRITTEN = (("wkB/s", _KIB), ("wMB/s", _MIB), ("wsec/s", _SECTOR),
            ("kB_wrtn/s", _KIB), ("MB_wrtn/s", _MIB), ("Blk_wrtn/s", _SECTOR))  # fmt: skip
_MOVED = (("kB/s", _KIB), ("MB/s", _MIB))


def _alike(*columns: str, factor: float = 1.0) -> tuple[tuple[str, float], ...]:
    return tuple((column, factor) for column in columns)


_CPU = (
    ("% User Time", _alike("%usr", "%user", "%nice")),
    ("% Privileged Time", _alike("%sys", "%system", "%irq", "%soft")),
    ("% Interrupt Time", _alike("%irq")),
    ("% DPC Time", _alike("%soft")),
    ("% Idle Time", _alike(*_NOT_BUSY)),
    ("Interrupts/sec", _alike("intr/s")),
)
_INTERFACE = (
    ("Bytes Received/sec", _alike("rxkB/s", factor=_KIB)),
    ("Bytes Sent/sec", _alike("txkB/s", factor=_KIB)),
    ("Bytes Total/sec", _alike("rxkB/s", "txkB/s", factor=_KIB)),
    ("Packets Received/sec", _alike("rxpck/s")),
    ("Packets Sent/sec", _alike("txpck/s")),
)
_DEVICE = (
    ("Disk Reads/sec", _alike("r/s")),
    ("Disk Writes/sec", _alike("w/s")),
    ("Disk Transfers/sec", _alike("r/s", "w/s", "tps")),
    ("Disk Read Bytes/sec", _READ),
    ("Disk Write Bytes/sec", _WRITTEN),
    ("Disk Bytes/sec", (*_READ, *_WRITTEN, *_MOVED)),
    ("Avg. Disk sec/Read", _alike("r_await", factor=0.001)),
    ("Avg. Disk sec/Write", _alike("w_await", factor=0.001)),
    ("Avg. Disk sec/Transfer", _alike("await", factor=0.001)),
    ("Avg. Disk Queue Length", _alike("aqu-sz", "avgqu-sz")),
)
_OBJECTS = {
    "cpu": ("Processor", _CPU),
    "interface": ("Network Interface", _INTERFACE),
    "device": ("PhysicalDisk", _DEVICE),
}
_OF_USE = {"cpu": "%idle", "device": "%util"}
"""The column that the share of time in use is taken from."""

COLUMNS = {
    kind: frozenset(column for _name, parts in table for column, _factor in parts) | {_OF_USE.get(kind)}
    for kind, (_object, table) in _OBJECTS.items()
}
"""Columns of which a counter is made, by kind of table."""


def counters_of(reading: Reading) -> Iterator[tuple[str, float]]:
    """Yield counter paths with their values; a counter is the sum of its columns."""
    group, table = _OBJECTS[reading.kind]
    item = "_Total" if reading.kind == "cpu" and reading.item == "all" else reading.item
    machine = f"\\\\{reading.host}" if reading.host else ""
    front = f"{machine}\\{group}({item})\\"
    values = reading.values
    for name, parts in table:
        found = [values[column] * factor for column, factor in parts if column in values]
        if found:
            yield front + name, sum(found)
    if reading.kind == "cpu" and "%idle" in values:
        idle = sum(values.get(column, 0.0) for column in _NOT_BUSY)
        yield f"{front}% Processor Time", round(max(100.0 - idle, 0.0), 6)
    elif reading.kind == "device" and "%util" in values:
        yield f"{front}% Idle Time", round(max(100.0 - values["%util"], 0.0), 6)
