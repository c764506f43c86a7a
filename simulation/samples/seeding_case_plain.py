"""The files of the seeding cases read plainly, for checking them without agtrace's readers."""

from __future__ import annotations

import csv
import re
import tomllib
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

from simulation.formats import plain_xel
from simulation.samples import direct_seeding, seeding_compression
from simulation.samples.log_send_queue_plain import Perfmon

SAMPLES = Path(__file__).resolve().parent.parent.parent / "sample_data"
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))
CASES = {"direct_seeding": direct_seeding, "seeding_compression": seeding_compression}
SEEDINGS = [
    ("direct_seeding", "seeding"),
    ("direct_seeding", "seeding_9567"),
    ("seeding_compression", "uncompressed"),
    ("seeding_compression", "compressed"),
]
HOSTS = [(case, MANIFEST[case]["truth"][end]) for case in CASES for end in ("source", "target")]
EPOCH = datetime(1601, 1, 1)
NIC = "Network Interface(vmxnet3 Ethernet Adapter)\\"
PROGRESS = "hadr_physical_seeding_progress"
Happened = dict[str, Any]


def truth(case: str) -> dict[str, Any]:
    return MANIFEST[case]["truth"]


def run(case: str, label: str) -> dict[str, Any]:
    return truth(case)["runs"][label]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.removesuffix("Z"))


def clock(case: str, host: str) -> timedelta:
    return timedelta(milliseconds=truth(case)["clock_ms"][host])


def span(case: str, label: str, host: str, what: str = "copy") -> tuple[datetime, datetime]:
    """Return a run's copy, or all of it, by a host's clock in its own zone: as perfmon writes it."""
    one = run(case, label)
    names = ("copy_start", "copy_end") if what == "copy" else ("start", "end")
    shift = clock(case, host) + timedelta(minutes=truth(case)["utc_offset_minutes"])
    first, last = (moment(one[name]) + shift for name in names)
    return first, last


def perfmon(case: str, host: str) -> Perfmon:
    return Perfmon(SAMPLES / case / host / "perfmon.csv")


def inner(log: Perfmon, counter: str, first: datetime, last: datetime) -> list[float]:
    """Return the values whose whole interval is between two times."""
    values = log.values(counter)
    return [
        value
        for before, time, value in zip(log.times, log.times[1:], values[1:], strict=False)
        if value is not None and before >= first and time <= last
    ]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def events(case: str, host: str, session: str = "hadr_direct_seeding") -> list[Happened]:
    """Return what happened, in time order: name, time, and the fields without their types."""
    found = []
    for path in sorted((SAMPLES / case / host).glob(f"{session}*.xel")):
        for event in plain_xel.events(path.read_bytes()):
            fields = {name: value[1] for name, value in event["fields"].items() if value}
            time = EPOCH + timedelta(microseconds=event["ts"] // 10)
            found.append({"name": event["name"], "time": time, **fields})
    return sorted(found, key=lambda event: event["time"])


def of_run(case: str, label: str, host: str, *names: str) -> list[Happened]:
    one = run(case, label)
    first, last = (moment(one[name]) + clock(case, host) for name in ("start", "end"))
    second = timedelta(seconds=1)
    return [
        event
        for event in events(case, host)
        if event["name"] in names and first - second <= event["time"] <= last + second
    ]


def errorlog(case: str, host: str, name: str = "ERRORLOG") -> list[str]:
    return (SAMPLES / case / host / name).read_text(encoding="utf-16").splitlines()


def rows(case: str, host: str, view: str) -> list[dict[str, str]]:
    with (SAMPLES / case / host / f"{view}.csv").open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def utc(value: str | int) -> datetime:
    """Read a FILETIME, as a number or as the decoder's text."""
    if isinstance(value, int):
        return EPOCH + timedelta(microseconds=value // 10)
    return datetime.fromisoformat(value[:26])


def backed_up(
    case: str, host: str, database: str, what: str = "Database backed up", name: str = "ERRORLOG"
) -> list[Happened]:
    """Return the backups or restores in an ERRORLOG, by its clock in its own zone."""
    lines = errorlog(case, host, name)
    found = []
    for line, after in pairwise(lines):
        if what in line and f"Database: {database}," in line:
            told = re.search(r"processed (\d+) pages in ([\d.]+) seconds \(([\d.]+) MB/sec\)", after)
            assert told, after
            end = datetime.fromisoformat(line[:22])
            seconds = float(told[2])
            rate = int(told[1]) * 8192 / seconds / 2**20
            assert abs(float(told[3]) - rate) < 0.001
            device = re.search(r"TYPE=(\w+)", line)
            assert device
            found.append(
                {
                    "end": end,
                    "start": end - timedelta(seconds=seconds),
                    "bytes": int(told[1]) * 8192,
                    "device": device[1],
                }
            )
    return found
