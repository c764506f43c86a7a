"""Writes the direct seeding case: 100 GB by backup and restore, by seeding, and by seeding compressed.

The figures are those of the article: 24'06" against 8 and 8 minutes, 135 to 174 Mb/s against 2.2 Gb/s
against 2.5 times less, processors at 35, 70 and near 100 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from simulation.samples.seeding_case import Run, Truth, host_files, run_of, seeding_run, truth_of, write_files
from simulation.samples.seeding_case_errorlog import Journal
from simulation.samples.seeding_case_model import (
    PAGE,
    Copy,
    Host,
    Model,
    Product,
    Seeding,
    flow_copy,
    flow_log,
    guid,
)
from simulation.samples.seeding_case_xel import HEALTH, SESSION, Timed, ddl, seeding_events, xel_file

SEED = 2016
AG, DATABASE, OTHER = "TestGrp", "GestionCom", "Archives"
PAGES = 12_209_152
BYTES = PAGES * PAGE
"""100.0 GB."""
COMPRESSED_FILE = 19.9e9
"""Bytes of the backup file: what 135 to 174 Mb/s carry in 17'10"."""
WIRE = 1.03
"""Bytes on the wire per byte of the stream: frames, encryption of the endpoint."""
RATIO = 2.5
LOG = 1.12e6
SURPLUS = 1.5
"""Disk bytes per byte of the stream: the article's 350 to 450 MB/s against 2.2 Gb/s."""
CARDS = ("vmxnet3 Ethernet Adapter", "vmxnet3 Ethernet Adapter _2")
SOURCE = Host("AGDS1", 40, 4, 4095, {"C:": 400e6, "D:": 560e6, "E:": 520e6}, CARDS, 1_870, 57, 6)
TARGET = Host("AGDS2", -85, 4, 4095, {"C:": 400e6, "D:": 555e6}, CARDS, 3_410, 55, 5)
REPLICAS = (guid("AGDS1 replica"), guid("AGDS2 replica"))
UP, CONNECTED = -21_930.0, -21_592.8
"""When the instances were started, and connected: the morning."""

BACKUP, RESTORE, JOIN, JOINED = 192.0, 607.0, 1637.0, 1638.0
"""Run 1: begin of the backup, of the restore, of the join; its end. 6'55", 17'10", 0'01"."""
CAUGHT_UP = 1790.0
FIRST_REMOVED = 1880.0
SECOND, SECOND_REMOVED = 2046.0, 2640.0
FLAG_ON = 2716.0
THIRD, SECONDS = 2790.0, 3510
DISK_TEST = (70.0, 100.0)


def plateau(seconds: int) -> list[float]:
    """Return the rates of the second run: a rise, the plateau, the last files alone at the end."""
    rates = [1.0] * seconds
    rates[:5] = [0.35, 0.55, 0.75, 0.9, 0.97]
    rates[-30:] = [0.62] * 30
    return rates


def build() -> Model:
    """Return all that happens."""
    model = Model(
        name=f"direct seeding {SEED}",
        start=datetime(2016, 12, 6, 12, 58, 0, 417_000),
        seconds=SECONDS,
        offset_minutes=60,
        zone="(W. Europe Standard Time)(-60)",
        ag=AG,
        database=DATABASE,
        bytes=BYTES,
        source=SOURCE,
        target=TARGET,
        product=Product("2016 (SP1) (KB3182545)", "13.0.4001.0", "Oct 28 2016 18:17:30"),
    )
    for host, cpu, traffic in ((SOURCE, 2.6, 210_000), (TARGET, 2.1, 90_000)):
        model.background(host, cpu, traffic)
        model.add(host, "read D:", *DISK_TEST, 548e6 if host is SOURCE else 541e6, 0.01)
        model.cpu(host, *DISK_TEST, 7.0, sql=0.0)
    model.add(SOURCE, f"log {DATABASE}", 0, SECONDS, LOG, 0.2)
    model.add(SOURCE, "write D:", 0, SECONDS, LOG * 1.9, 0.4)
    model.add(SOURCE, "read D:", 0, SECONDS, 350_000, 0.5)
    model.cpu(SOURCE, 0, SECONDS, 3.1)
    backup_and_restore(model)
    model.seedings = [
        seeding("GestionCom second run", SECOND, 51.0, (53.0, 441.0), plateau(388), {
            ("source", "disk"): 13.7, ("source", "network"): 17.9,
            ("target", "disk"): 11.3, ("target", "network"): 15.2,
        }),
        seeding("GestionCom third run", THIRD, 0.0, (2.0, 438.0), (), {
            ("source", "disk"): 7.4, ("source", "network"): 6.1,
            ("target", "disk"): 4.8, ("target", "network"): 229.6,
        }),
    ]  # fmt: skip
    second, third = model.seedings
    other_backup(model, second)
    for one, factor, cpus in ((second, WIRE, (64.8, 58.0)), (third, WIRE / RATIO, (91.6, 66.0))):
        copy = one.copy
        disk = copy.bytes * SURPLUS
        flow_copy(model, copy, wire_bytes=copy.bytes * factor, read_bytes=disk, written_bytes=disk)
        model.cpu(SOURCE, copy.start, copy.end, cpus[0])
        model.cpu(TARGET, copy.start, copy.end, cpus[1])
        model.cpu(SOURCE, copy.end, one.end, 31.0)
        model.cpu(TARGET, copy.end, one.end, 24.0)
        until = SECOND_REMOVED if one is second else float(SECONDS)
        flow_log(model, LOG, copy.start, copy.end + 0.9, one.end - 0.3, until)
    exist(model)
    return model


def seeding(
    label: str,
    start: float,
    slot_s: float,
    copy: tuple[float, float],
    shape: Sequence[float],
    waits: dict[tuple[str, str], float],
) -> Seeding:
    """Return a seeding of 8 minutes; the operation has one id at both ends."""
    operation = guid(f"{label} operation")
    return Seeding(
        label=label,
        start=start,
        slot_s=slot_s,
        copy=Copy(start + copy[0], start + copy[1], BYTES, waits, shape),
        end=start + 480.0,
        operation_ids=(operation, operation),
        replica_ids=REPLICAS,
    )


def backup_and_restore(model: Model) -> None:
    """Add the first run: backup to a local disk, restore from its share, join."""
    backup, restore = (BACKUP, RESTORE), (RESTORE, JOIN)
    seconds = RESTORE - BACKUP
    model.add(SOURCE, "read D:", *backup, BYTES / seconds, 0.05)
    model.add(SOURCE, "write E:", *backup, COMPRESSED_FILE / seconds, 0.06)
    model.add(SOURCE, f"backup {DATABASE}", *backup, BYTES / seconds, 0.05)
    model.cpu(SOURCE, *backup, 46.5)
    seconds = JOIN - RESTORE
    sways = [1 + 0.09 * (1 if n // 45 % 2 else -1) for n in range(int(seconds))]
    model.wire(SOURCE, TARGET, *restore, COMPRESSED_FILE / seconds, 0.03, sways)
    model.add(SOURCE, "read E:", *restore, COMPRESSED_FILE / seconds, 0.04, sways)
    # Sending the file and scanning it costs the primary as much as its share of the article's 35 %.
    model.cpu(SOURCE, *restore, 22.3, sql=0.1)
    model.add(TARGET, f"backup {DATABASE}", *restore, BYTES / seconds, 0.04)
    # Data files, and a log file of 32 GiB that is zeroed meanwhile: 130 MB/s.
    model.add(TARGET, "write D:", *restore, (BYTES + 32 * 2**30) / seconds, 0.04)
    model.cpu(TARGET, *restore, 45.3)
    flow_log(model, LOG, BACKUP, JOIN + 0.5, CAUGHT_UP, FIRST_REMOVED)
    model.cpu(TARGET, JOIN, CAUGHT_UP, 14.0)


def other_backup(model: Model, second: Seeding) -> None:
    """Add the backup of another database that holds the slot in front of the second run."""
    start, end = SECOND - 24.0, second.copy.start - 1.1
    model.add(SOURCE, "read D:", start, end, 233e6, 0.05)
    model.add(SOURCE, "write E:", start, end, 51e6, 0.05)
    model.add(SOURCE, f"backup {OTHER}", start, end, 233e6, 0.05)
    model.cpu(SOURCE, start, end, 46.0)


def exist(model: Model) -> None:
    """Set when the database, and its replica, exist."""
    second, third = model.seedings
    end = float(SECONDS)
    joins = [
        (JOIN + 0.5, FIRST_REMOVED),
        *((s.copy.end + 0.7, e) for s, e in ((second, SECOND_REMOVED), (third, end))),
    ]
    model.alive = {
        (SOURCE.name, f"{DATABASE} replica"): [(JOIN, FIRST_REMOVED), (SECOND, SECOND_REMOVED), (THIRD, end)],
        (TARGET.name, f"{DATABASE} replica"): joins,
        (TARGET.name, DATABASE): [
            (RESTORE + 1, FIRST_REMOVED + 40),
            (second.copy.asked + 0.3, SECOND_REMOVED + 35),
            (third.copy.asked + 0.3, end),
        ],
    }


def journal_of(model: Model, host: Host) -> Journal:
    """Return what a host logs."""
    is_source = host is SOURCE
    mine, other = REPLICAS if is_source else REPLICAS[::-1]
    journal = Journal(model, host, mine)
    start = UP if is_source else UP + 312.4
    journal.start_up(start, databases=(DATABASE, OTHER) if is_source else ())
    journal.group_starts(start + 11.3)
    journal.connected(CONNECTED + (0 if is_source else 0.004), other)
    if is_source:
        path = rf"FILE=1, TYPE=DISK: {{'E:\Backup\{DATABASE}.bak'}}"
        journal.backed_up(RESTORE - 0.03, DATABASE, PAGES, RESTORE - BACKUP - 0.31, path, 38_214)
        other_end = model.seedings[0].copy.start - 1.08
        path = rf"FILE=1, TYPE=DISK: {{'E:\Backup\{OTHER}.bak'}}"
        seconds = other_end - (SECOND - 24.0) - 0.2
        journal.backed_up(other_end, OTHER, round(233e6 * seconds / PAGE), seconds, path, 5_166)
        journal.say(
            FLAG_ON,
            f"spid{host.session}",
            f"DBCC TRACEON 9567, server process ID (SPID) {host.session}. This is an informational message "
            f"only; no user action is required.",
        )
    else:
        path = rf"FILE=1, TYPE=DISK: {{'\\{SOURCE.name}\Backup\{DATABASE}.bak'}}"
        journal.restores(RESTORE + 1.12, f"spid{host.session}")
        journal.restored(JOIN - 0.03, PAGES, JOIN - RESTORE - 0.24, path, 38_214)
    journal.joined(JOIN + 0.45, REPLICAS)
    journal.left(FIRST_REMOVED, other)
    journal.seeded(model.seedings[0])
    journal.left(SECOND_REMOVED, other)
    journal.seeded(model.seedings[1])
    return journal


def logged(model: Model, host: Host) -> dict[str, bytes]:
    """Return a host's ERRORLOG and Extended Events files."""
    is_source = host is SOURCE
    journal = journal_of(model, host)
    seeding: list[Timed] = []
    for one in model.seedings:
        seeding += seeding_events(model, one, is_source=is_source)
    for t, on_source, statement in statements():
        if on_source == is_source:
            journal.health += ddl(model, host, t, 2, statement)
    start = UP if is_source else UP + 312.4
    made = [
        ("ERRORLOG", journal.file()),
        xel_file(model, host, SESSION, seeding, -260.0 if is_source else -231.0),
        xel_file(model, host, HEALTH, journal.health, start + 1.4),
    ]
    return {f"{host.name}/{name}": data for name, data in made}


def statements() -> list[tuple[float, bool, str]]:
    """Return the group's statements: when, whether on the primary."""
    ag = f"ALTER AVAILABILITY GROUP [{AG}]"
    add, remove = f"{ag} ADD DATABASE [{DATABASE}];", f"{ag} REMOVE DATABASE [{DATABASE}];"
    return [
        (JOIN, True, add),
        (JOIN + 0.4, False, f"ALTER DATABASE [{DATABASE}] SET HADR AVAILABILITY GROUP = [{AG}];"),
        (FIRST_REMOVED - 0.08, True, remove),
        (
            FIRST_REMOVED + 71,
            True,
            f"{ag} MODIFY REPLICA ON N'{TARGET.name}' WITH (SEEDING_MODE = AUTOMATIC);",
        ),
        (FIRST_REMOVED + 93, False, f"{ag} GRANT CREATE ANY DATABASE;"),
        (SECOND - 0.12, True, add),
        (SECOND_REMOVED - 0.08, True, remove),
        (THIRD - 0.12, True, add),
    ]


def write_case(folder: Path) -> Truth:
    """Write the case into a folder, made when it does not exist, and give its truth."""
    model = build()
    files: dict[str, bytes] = {}
    for host in model.hosts:
        databases = (DATABASE, OTHER) if host is SOURCE else (DATABASE,)
        files |= host_files(model, host, databases, names=False)
        files |= logged(model, host)
    truth = truth_of(model)
    truth.runs = runs(model)
    first, second, third = truth.runs.values()
    truth.ratios = {
        "seconds: backup and restore / seeding": round(first.seconds / second.seconds, 4),
        "seconds: seeding / seeding with 9567": round(second.seconds / third.seconds, 4),
        "wire bytes: seeding / seeding with 9567": round(second.wire_bytes / third.wire_bytes, 4),
        "cpu of the primary over the run: seeding / backup and restore": round(
            second.cpu_run[SOURCE.name] / first.cpu_run[SOURCE.name], 4
        ),
        "cpu of the primary over the run: seeding with 9567 / seeding": round(
            third.cpu_run[SOURCE.name] / second.cpu_run[SOURCE.name], 4
        ),
    }
    truth.files = write_files(folder, files)
    return truth


def runs(model: Model) -> dict[str, Run]:
    """Return the truth of the three runs."""
    second, third = model.seedings
    steps = {
        "backup": RESTORE - BACKUP,
        "restore": JOIN - RESTORE,
        "join": JOINED - JOIN,
        "total": JOINED - BACKUP,
    }
    return {
        "backup_restore": run_of(
            model,
            "backup and restore",
            (BACKUP, JOINED),
            (BACKUP, JOIN),
            wire_bytes=COMPRESSED_FILE,
            limiter="none",
            steps=steps,
            compressed=True,
            wire_span=(RESTORE, JOIN),
            redo_span=(JOINED, CAUGHT_UP),
        ),
        "seeding": seeding_run(model, second, wire_bytes=BYTES * WIRE, limiter="none", flag=False),
        "seeding_9567": seeding_run(
            model, third, wire_bytes=BYTES * WIRE / RATIO, limiter="source cpu", flag=True
        ),
    }
