"""Studies of backups with what perfmon saw of them, made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from agtrace.diagnostics.backup.sides import Seen, StudySides
from agtrace.diagnostics.backup.studies import BackupStudy, Configuration, FirstRun, Measurements
from agtrace.diagnostics.backup.volumes import READ, WRITE, Side, Volume
from agtrace.measure.statistics import Sample
from agtrace.measure.usage import Part, Usage
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record

LIMITS = Thresholds()
MB = 2**20

SERVER: dict[str, Any] = {
    "host_id": "A", "sql_instance": "MSSQLSERVER", "database": "Sales", "kind": "full",
    "operation": "backup", "version": "13.0.1601.5", "product": "SQL Server 2016", "level": "RTM",
    "edition": "", "only_version": "", "os": "", "processors": 8, "memory_mb": None, "target": "DISK",
    "media": "DISK", "device_names": "", "stripes": 1, "volumes": 1, "files": 4, "buffer_count": 7,
    "max_transfer_size_kb": 1024, "sets_of_buffers": 1, "total_matches": True, "total_mb": 7,
    "has_options": False, "command": "",
}  # fmt: skip
PLAIN = {"media": "DISK", "stripes": 1, "buffer_count": 7, "max_transfer_size_kb": 1024,
         "compression": None, "checksum": None}  # fmt: skip
USUAL = {"mb_per_s": 100.0, "duration_s": 60.0, "bytes": 2.0**30, "files": 4.0, "volumes": 1.0,
         "idle_s": np.nan, "warm_s": np.nan, "beside": 0.0, "hour": 12.0, "weekday": 1.0}  # fmt: skip


def study(*own: dict[str, Any], facts: Any = (), **columns: list[float]) -> BackupStudy:
    """Return a study of configurations: factors, and under ``rates`` the throughput of their runs."""
    made: list[Configuration] = []
    rates: list[float] = []
    for number, each in enumerate(own or ({"rates": [100.0] * len(next(iter(columns.values())))},)):
        factors = PLAIN | {name: value for name, value in each.items() if name != "rates"}
        places = range(len(rates), len(rates) + len(each["rates"]))
        rates += each["rates"]
        row = SERVER | {n: factors[n] for n in ("stripes", "buffer_count", "max_transfer_size_kb")}
        row |= {"target": factors["media"]} | dict(facts)
        first = record(FirstRun, **{name: row[name] for name in FirstRun._fields if name in row})
        sample = Sample(np.array(each["rates"], float), number)
        made.append(
            Configuration(factors=factors, runs=places, number=number, first_run=first, sample=sample)
        )
    held = {name: np.full(len(rates), value) for name, value in USUAL.items()}
    held |= {"mb_per_s": np.array(rates, float)} | {name: np.array(own) for name, own in columns.items()}
    return BackupStudy(record(Measurements, **held), made)


def side(way: str, *volumes: tuple[str, float | None, float]) -> Side:
    """Volumes by name, time of an access in ms, MB/s."""
    return Side(way, tuple(Volume(name, ms, mb * MB) for name, ms, mb in volumes))


def seen(
    of: BackupStudy, number: int, verdict: str = "undecided", reason: str = "neither", **more: Any
) -> Seen:
    """What perfmon saw of a configuration: F: is read, E: is written, 100 MB/s each."""
    given: dict[str, Any] = {
        "configuration": of.configurations[number], "read": side(READ, ("F:", 5.0, 100.0)),
        "write": side(WRITE, ("E:", 6.0, 100.0)), "cpu": 20.0, "card_busy": None, "network_rate": None,
        "is_inferred": False, "samples": 40, "runs": 2, "mb_per_s": 100.0, "verdict": verdict,
        "reason": reason,
    }  # fmt: skip
    return Seen(**given | more)


def watched_study(*own: dict[str, Any], verdicts: tuple[str, ...] = (), **more: Any) -> StudySides:
    """A study of which perfmon saw the first configurations, with these verdicts."""
    made = study(*own, **more)
    return StudySides(made, [seen(made, n, verdict) for n, verdict in enumerate(verdicts)], [])


def part(window: int, resource: str, instance: str, mean: float, n: int = 20) -> Part:
    """What a disk did while an operation ran."""
    return Part(window, "A", resource, instance, n, mean)


def of_host(window: int, resource: str, mean: float, n: int = 20) -> Usage:
    """What a host did while an operation ran."""
    return Usage(window, "A", resource, "x", "%", n, *[mean] * 5, None)
