"""What a reading is called in perfmon, in perfmon's units: bytes instead of KiB, s instead of ms."""

from __future__ import annotations

from collections.abc import Iterator

from agtrace.readers.sysstat.decode import Reading

_KIB = 1024.0
_NOT_BUSY = ("%idle", "%iowait")
"""A processor that waits for a disk runs nothing: Windows calls it idle."""

_CPU = (
    ("% User Time", ("%usr", "%user", "%nice"), 1.0),
    ("% Privileged Time", ("%sys", "%system", "%irq", "%soft"), 1.0),
    ("% Interrupt Time", ("%irq",), 1.0),
    ("% DPC Time", ("%soft",), 1.0),
    ("% Idle Time", _NOT_BUSY, 1.0),
)
_INTERFACE = (
    ("Bytes Received/sec", ("rxkB/s",), _KIB),
    ("Bytes Sent/sec", ("txkB/s",), _KIB),
    ("Bytes Total/sec", ("rxkB/s", "txkB/s"), _KIB),
    ("Packets Received/sec", ("rxpck/s",), 1.0),
    ("Packets Sent/sec", ("txpck/s",), 1.0),
)
_DEVICE = (
    ("Disk Reads/sec", ("r/s",), 1.0),
    ("Disk Writes/sec", ("w/s",), 1.0),
    ("Disk Transfers/sec", ("r/s", "w/s"), 1.0),
    ("Disk Read Bytes/sec", ("rkB/s",), _KIB),
    ("Disk Write Bytes/sec", ("wkB/s",), _KIB),
    ("Disk Bytes/sec", ("rkB/s", "wkB/s"), _KIB),
    ("Avg. Disk sec/Read", ("r_await",), 0.001),
    ("Avg. Disk sec/Write", ("w_await",), 0.001),
    ("Avg. Disk Queue Length", ("aqu-sz", "avgqu-sz"), 1.0),
)
_OBJECTS = {
    "cpu": ("Processor", _CPU),
    "interface": ("Network Interface", _INTERFACE),
    "device": ("PhysicalDisk", _DEVICE),
}


def counters_of(reading: Reading) -> Iterator[tuple[str, float]]:
    """Give counter paths with their values; a counter is the sum of the columns that make it up."""
    group, table = _OBJECTS[reading.kind]
    item = "_Total" if reading.kind == "cpu" and reading.item == "all" else reading.item
    machine = f"\\\\{reading.host}" if reading.host else ""
    front = f"{machine}\\{group}({item})\\"
    values = reading.values
    for name, columns, factor in table:
        found = [values[column] for column in columns if column in values]
        if found:
            yield front + name, sum(found) * factor
    if reading.kind == "cpu" and "%idle" in values:
        idle = sum(values.get(column, 0.0) for column in _NOT_BUSY)
        yield f"{front}% Processor Time", round(max(100.0 - idle, 0.0), 6)
    elif reading.kind == "device" and "%util" in values:
        yield f"{front}% Idle Time", round(max(100.0 - values["%util"], 0.0), 6)
