"""A seeding case: the files of both hosts, and what is true of them.

`direct_seeding` and `seeding_compression` describe what happens; here it becomes captures.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from simulation.samples.seeding_case_dmv import automatic, physical
from simulation.samples.seeding_case_model import Host, Model, Seeding
from simulation.samples.seeding_case_perfmon import perfmon
from simulation.samples.seeding_case_xel import states


@dataclass
class Run:
    """What is true of one run; times are true UTC, means over the time that the name says.

    Parameters
    ----------
    kind
        "backup and restore" or "seeding".
    bytes
        Bytes of the database that were copied.
    bytes_per_s
        Mean rate of the copy; of backup and restore together where there is no copy.
    wire_bytes
        Bytes that the run itself sent from the primary to the secondary.
    wire_median_bits_per_s
        What the primary sent in the middle second of the copy (of the restore), all traffic.
    redo_bytes_per_s
        Mean redo while the secondary caught up.
    limiter
        "none", "network", "source disk" or "source cpu": what was built in as the slowest part.
    steps
        Seconds of each step, in order.
    cores
        Host to its logical processors.
    cpu_copy, cpu_run
        Host to mean percent of all processors, over the copy and over the whole run.
    core_seconds_per_gb
        Host to what its processors worked over the copy, in core-seconds per GB (10^9 bytes).
    disk_read, disk_written
        Host to mean B/s over the copy, all disks.
    waits
        Seconds waited over the copy: "source disk", "source network", ...
    """

    kind: str
    start: str
    end: str
    seconds: float
    copy_start: str
    copy_end: str
    copy_seconds: float
    bytes: int
    bytes_per_s: int
    wire_bytes: int
    wire_ratio: float
    wire_median_bits_per_s: int
    redo_bytes_per_s: int
    compressed: bool
    trace_flag_9567: bool
    limiter: str
    steps: dict[str, float]
    states: dict[str, float]
    cores: dict[str, int]
    cpu_copy: dict[str, float]
    cpu_run: dict[str, float]
    core_seconds_per_gb: dict[str, float]
    disk_read: dict[str, int]
    disk_written: dict[str, int]
    waits: dict[str, float]


@dataclass
class Truth:
    """What is true of a written case."""

    database: str
    ag: str
    source: str
    target: str
    database_bytes: int
    utc_offset_minutes: int
    clock_ms: dict[str, int]
    start: str
    end: str
    runs: dict[str, Run] = field(default_factory=dict)
    ratios: dict[str, float] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


def stamp(time: datetime) -> str:
    """Write a time as ISO 8601, UTC, to the millisecond."""
    return time.isoformat(timespec="milliseconds") + "Z"


def truth_of(model: Model) -> Truth:
    """Return the truth of a case without its runs."""
    return Truth(
        database=model.database,
        ag=model.ag,
        source=model.source.name,
        target=model.target.name,
        database_bytes=model.bytes,
        utc_offset_minutes=model.offset_minutes,
        clock_ms={host.name: host.clock_ms for host in model.hosts},
        start=stamp(model.start),
        end=stamp(model.utc(model.seconds)),
    )


def run_of(
    model: Model,
    kind: str,
    times: tuple[float, float],
    copy: tuple[float, float],
    *,
    wire_bytes: float,
    wire_span: tuple[float, float],
    redo_span: tuple[float, float],
    limiter: str,
    steps: dict[str, float],
    flag: bool = False,
    compressed: bool = False,
    states_s: dict[str, float] | None = None,
    waits: dict[str, float] | None = None,
) -> Run:
    """Return the truth of one run, measured on the model."""

    def disk(host: Host, what: str) -> int:
        whole = 0.0
        for one in host.disks:
            whole += model.mean(host, f"{what} {one}", *copy)
        return round(whole)

    def cpu(host: Host, span: tuple[float, float]) -> float:
        return round(model.cpu_mean(host, *span), 2)

    seconds = copy[1] - copy[0]
    sent = sorted(model.signals[model.source.name, "sent"][int(wire_span[0]) + 1 : int(wire_span[1])])
    return Run(
        kind=kind,
        start=stamp(model.utc(times[0])),
        end=stamp(model.utc(times[1])),
        seconds=round(times[1] - times[0], 3),
        copy_start=stamp(model.utc(copy[0])),
        copy_end=stamp(model.utc(copy[1])),
        copy_seconds=round(seconds, 3),
        bytes=model.bytes,
        bytes_per_s=round(model.bytes / seconds),
        wire_bytes=round(wire_bytes),
        wire_ratio=round(wire_bytes / model.bytes, 4),
        wire_median_bits_per_s=round(sent[len(sent) // 2] * 8),
        redo_bytes_per_s=round(model.mean(model.target, "redone", *redo_span)),
        compressed=compressed,
        trace_flag_9567=flag,
        limiter=limiter,
        steps=steps,
        states=states_s or {},
        cores={host.name: host.vcpus for host in model.hosts},
        cpu_copy={host.name: cpu(host, copy) for host in model.hosts},
        cpu_run={host.name: cpu(host, times) for host in model.hosts},
        core_seconds_per_gb={
            host.name: round(
                model.cpu_mean(host, *copy) / 100 * host.vcpus * seconds / (model.bytes / 1e9), 3
            )
            for host in model.hosts
        },
        disk_read={host.name: disk(host, "read") for host in model.hosts},
        disk_written={host.name: disk(host, "write") for host in model.hosts},
        waits=waits or {},
    )


def seeding_run(model: Model, seeding: Seeding, *, wire_bytes: float, limiter: str, flag: bool) -> Run:
    """Return the truth of a seeding; its steps are what its states show on the source."""
    copy = seeding.copy
    begun = states(seeding, is_source=True)
    lasted = {name: round(later - t, 3) for (t, name), (later, _) in pairwise(begun)}
    steps = {
        "before the copy": round(copy.start - seeding.start, 3),
        "copy": round(copy.seconds, 3),
        "catch-up": round(seeding.end - copy.end, 3),
        "total": round(seeding.end - seeding.start, 3),
    }
    return run_of(
        model,
        "seeding",
        (seeding.start, seeding.end),
        (copy.start, copy.end),
        wire_bytes=wire_bytes,
        wire_span=(copy.start, copy.end),
        redo_span=(copy.end + 0.9, seeding.end - 0.3),
        limiter=limiter,
        steps=steps,
        flag=flag,
        compressed=flag,
        states_s=lasted,
        waits={f"{end} {what}": s for (end, what), s in copy.waits_s.items()},
    )


def host_files(model: Model, host: Host, databases: tuple[str, ...], *, names: bool) -> dict[str, bytes]:
    """Return the files of a host that are alike in every case: perfmon and the views."""
    return {
        f"{host.name}/perfmon.csv": perfmon(model, host, databases),
        f"{host.name}/dm_hadr_automatic_seeding.csv": automatic(model, host, names=names),
        f"{host.name}/dm_hadr_physical_seeding_stats.csv": physical(model, host),
    }


def write_files(folder: Path, files: dict[str, bytes]) -> list[str]:
    """Write files and give their names."""
    for name, data in sorted(files.items()):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return sorted(files)
