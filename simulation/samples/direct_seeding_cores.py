"""Writes the direct seeding case with more cores: the compressed seeding on 4, and again on 8 cores.

The article gives each replica three more virtual processors, leaves one to the system, and sees no gain
in time and cores that are loaded unevenly. The machines are those of `direct_seeding`, restarted between.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from simulation.samples.direct_seeding import (
    AG,
    BYTES,
    DATABASE,
    LOG,
    RATIO,
    REPLICAS,
    SOURCE,
    SURPLUS,
    TARGET,
    WIRE,
    seeding,
)
from simulation.samples.seeding_case import Truth, seeding_run, truth_of, write_files
from simulation.samples.seeding_case_errorlog import Journal
from simulation.samples.seeding_case_model import Host, Model, Product, flow_copy, flow_log
from simulation.samples.seeding_case_perfmon import perfmon
from simulation.samples.seeding_case_xel import HEALTH, SESSION, ddl, seeding_events, xel_file

SEED = 2016
BEGUN, SECONDS = 130.0, 760
REMOVED, STOPPED = 700.0, 1260.0
UP = -640.0
MORE = 8
ACTIVE = 0xFE
"""SQL Server is bound to all processors but the first."""
CPUS = {4: (91.6, 66.0), 8: (46.2, 33.4)}
"""Percent that the copy takes of all processors of the source and of the target."""
WEIGHTS = {
    SOURCE.name: [0.16, 1.0, 0.86, 0.62, 0.44, 0.34, 0.26, 0.2],
    TARGET.name: [0.2, 0.92, 1.0, 0.7, 0.58, 0.4, 0.36, 0.3],
}
"""The loads of the 8 cores: those that read and compress, and the others."""
STARTS = {4: datetime(2016, 12, 6, 14, 31, 0, 208_000), 8: datetime(2016, 12, 6, 15, 17, 0, 634_000)}


def build(vcpus: int) -> Model:
    """Return all that happens from one start of the machines to their stop."""
    source, target = (replace(host, vcpus=vcpus) for host in (SOURCE, TARGET))
    model = Model(
        name=f"direct seeding on {vcpus} cores {SEED}",
        start=STARTS[vcpus],
        seconds=SECONDS,
        offset_minutes=60,
        zone="(W. Europe Standard Time)(-60)",
        ag=AG,
        database=DATABASE,
        bytes=BYTES,
        source=source,
        target=target,
        product=Product("2016 (SP1) (KB3182545)", "13.0.4001.0", "Oct 28 2016 18:17:30"),
    )
    for host, cpu, traffic in ((source, 10.4, 210_000), (target, 8.4, 90_000)):
        model.background(host, cpu / vcpus, traffic)
    model.add(source, f"log {DATABASE}", 0, SECONDS, LOG, 0.2)
    model.add(source, "write D:", 0, SECONDS, LOG * 1.9, 0.4)
    model.cpu(source, 0, SECONDS, 12.4 / vcpus)
    one = seeding(f"GestionCom run on {vcpus} cores", BEGUN, 0.0, (2.0, 438.0), (), {
        ("source", "disk"): 7.1, ("source", "network"): 6.3,
        ("target", "disk"): 4.7, ("target", "network"): 231.2,
    })  # fmt: skip
    model.seedings, copy = [one], one.copy
    disk = copy.bytes * SURPLUS
    flow_copy(model, copy, wire_bytes=copy.bytes * WIRE / RATIO, read_bytes=disk, written_bytes=disk)
    for host, percent, after in zip(model.hosts, CPUS[vcpus], (124.0, 96.0), strict=True):
        model.cpu(host, copy.start, copy.end, percent)
        model.cpu(host, copy.end, one.end, after / vcpus)
    until = REMOVED if vcpus != MORE else float(SECONDS)
    flow_log(model, LOG, copy.start, copy.end + 0.9, one.end - 0.3, until)
    if vcpus == MORE:
        model.core_weights = WEIGHTS
    model.alive = {
        (source.name, f"{DATABASE} replica"): [(BEGUN, until)],
        (target.name, f"{DATABASE} replica"): [(copy.end + 0.7, until)],
        (target.name, DATABASE): [(copy.asked + 0.3, float(SECONDS))],
    }
    return model


def logged(model: Model, host: Host) -> dict[str, bytes]:
    """Return a host's ERRORLOG and Extended Events files from one start to the next."""
    is_source, is_last = host is model.source, host.vcpus == MORE
    mine, other = REPLICAS if is_source else REPLICAS[::-1]
    journal = Journal(model, host, mine)
    start = UP if is_source else UP + 41.7
    flags = (9567,) if is_source else ()
    databases = (DATABASE,) if is_source else ()
    journal.start_up(start, flags, databases, ACTIVE if is_last else None)
    journal.group_starts(start + 11.3)
    journal.connected(UP + 78.2 + (0 if is_source else 0.004), other)
    (one,) = model.seedings
    journal.seeded(one)
    ag = f"ALTER AVAILABILITY GROUP [{AG}]"
    if is_source:
        journal.health += ddl(model, host, BEGUN - 0.12, 2, f"{ag} ADD DATABASE [{DATABASE}];")
    if not is_last:
        if is_source:
            statement = f"{ag} REMOVE DATABASE [{DATABASE}];"
            journal.health += ddl(model, host, REMOVED - 0.08, 2, statement)
        journal.left(REMOVED, other)
        journal.stops(STOPPED if is_source else STOPPED - 35.0, has_database=False)
    events = seeding_events(model, one, is_source=is_source)
    made = [
        ("ERRORLOG" if is_last else "ERRORLOG.1", journal.file()),
        (f"perfmon_{host.vcpus}_vcpus.csv", perfmon(model, host, (DATABASE,))),
        xel_file(model, host, SESSION, events, -90.0 if is_source else -71.0),
        xel_file(model, host, HEALTH, journal.health, start + 1.4),
    ]
    return {f"{host.name}/{name}": data for name, data in made}


def write_case(folder: Path) -> Truth:
    """Write the case into a folder, made when it does not exist, and give its truth."""
    few, many = build(4), build(MORE)
    files: dict[str, bytes] = {}
    for model in (few, many):
        for host in model.hosts:
            files |= logged(model, host)
    truth = truth_of(few)
    truth.end = truth_of(many).end
    truth.runs = {
        f"on_{model.source.vcpus}_cores": seeding_run(
            model,
            model.seedings[0],
            wire_bytes=BYTES * WIRE / RATIO,
            limiter="source cpu" if model is few else "none",
            flag=True,
        )
        for model in (few, many)
    }
    first, second = truth.runs.values()
    truth.ratios = {
        "seconds: 4 cores / 8 cores": round(first.seconds / second.seconds, 4),
        "processor work of the primary per GB: 8 cores / 4 cores": round(
            second.core_seconds_per_gb[SOURCE.name] / first.core_seconds_per_gb[SOURCE.name], 4
        ),
    }
    truth.files = write_files(folder, files)
    return truth
