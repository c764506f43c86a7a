"""Writes the seeding compression case: 32 GB in 5 minutes plain, in 90 seconds with trace flag 9567.

The figures are those of the article. What limited each run is built in: the path between the hosts
(0.95 Gb/s, although the cards say 10) without compression, the primary's disk (250 MB/s) with it.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from simulation.samples.seeding_case import Truth, host_files, seeding_run, truth_of, write_files
from simulation.samples.seeding_case_errorlog import CLUSTER, JOINING, NO_ACTION, Journal
from simulation.samples.seeding_case_model import (
    Copy,
    Host,
    Model,
    Product,
    Seeding,
    flow_copy,
    flow_log,
    guid,
)
from simulation.samples.seeding_case_perfmon import SQL
from simulation.samples.seeding_case_xel import HEALTH, SESSION, ddl, seeding_events, xel_file

SEED = 2018
AG, DATABASE = "AutoSeed", "TestDatabase"
BYTES = 34_359_738_368
WIRE = 1.02
RATIO = 4.0
DISK_CEILING = 250e6
LOG = 0.21e6
CARDS = ("vmxnet3 Ethernet Adapter",)
SOURCE = Host("SEEDA", 120, 4, 16_383, {"C:": 400e6, "D:": DISK_CEILING}, CARDS, 2_260, 58, 7)
FREE = Host("SEEDA", 120, 4, 16_383, {"C:": 400e6, "D:": 700e6}, CARDS, 2_260, 58, 7)
"""The same host with a disk that limits nothing."""
TARGET = Host("SEEDB", -40, 2, 8_191, {"C:": 400e6, "D:": 660e6}, CARDS, 4_120, 54, 6)
SOURCE_REPLICA = guid("SEEDA replica")
TARGET_REPLICAS = (guid("SEEDB replica"), guid("SEEDB replica, added again"))
LIMITERS = ("disk", None)

FIRST, REMOVED = 250.0, 598.0
STOPPED, STARTED = 656.0, 689.0
SECOND, SECONDS = 930.0, 1230
UP = -93_000.0


def build(limiter: str | None) -> Model:
    """Return all that happens."""
    source = SOURCE if limiter else FREE
    model = Model(
        name=f"seeding compression {SEED}",
        start=datetime(2018, 1, 24, 2, 33, 0, 263_000),
        seconds=SECONDS,
        offset_minutes=-300,
        zone="(Eastern Standard Time)(300)",
        ag=AG,
        database=DATABASE,
        bytes=BYTES,
        source=source,
        target=TARGET,
        product=Product(
            "2016 (SP1-CU7) (KB4057119)",
            "13.0.4466.4",
            "Dec 22 2017 11:25:00",
            "Windows Server 2016 Standard 6.3 <X64> (Build 14393: ) (Hypervisor)",
        ),
    )
    model.background(source, 1.6, 140_000)
    model.background(TARGET, 2.4, 60_000)
    for start, end in ((0.0, STOPPED), (STARTED + 4, float(SECONDS))):
        model.add(source, f"log {DATABASE}", start, end, LOG, 0.3)
        model.add(source, "write D:", start, end, LOG * 2.0, 0.5)
        model.cpu(source, start, end, 1.4)
    model.cpu(source, STARTED, STARTED + 6, 34.0, sql=0.8)
    for second in (False, True):
        one = seeding(limiter, second=second)
        model.seedings.append(one)
        copy = one.copy
        factor = WIRE / RATIO if second else WIRE
        # The disk cannot have delivered what the operation reports: the article's own contradiction.
        reads = 0.992 * DISK_CEILING * copy.seconds if second and limiter else float(BYTES)
        flow_copy(model, copy, wire_bytes=BYTES * factor, read_bytes=reads, written_bytes=BYTES)
        if second and limiter:
            flatten(model, source, copy)
        busy, after = ((30.4, 66.0), 34.0) if second else ((24.25, 46.0), 12.0)
        model.cpu(source, copy.start, copy.end, busy[0])
        model.cpu(TARGET, copy.start, copy.end, busy[1])
        model.cpu(source, copy.end, one.end, after)
        model.cpu(TARGET, copy.end, one.end, 21.0)
        until = float(SECONDS) if second else REMOVED
        flow_log(model, LOG, copy.start, copy.end + 0.9, one.end - 0.2, until)
    first, second_one = model.seedings
    model.alive = {
        (source.name, SQL): [(0.0, STOPPED), (STARTED + 3, float(SECONDS))],
        (source.name, f"{DATABASE} replica"): [(0.0, STOPPED), (STARTED + 14, float(SECONDS))],
        (TARGET.name, f"{DATABASE} replica"): [
            (first.copy.end + 0.8, REMOVED),
            (second_one.copy.end + 0.8, float(SECONDS)),
        ],
        (TARGET.name, DATABASE): [
            (first.copy.asked + 0.3, REMOVED + 41),
            (second_one.copy.asked + 0.3, float(SECONDS)),
        ],
    }
    return model


def flatten(model: Model, host: Host, copy: Copy) -> None:
    """Make a disk at its ceiling deliver the same in every second."""
    values = model.signals[host.name, "read D:"]
    begin, end = int(copy.start), int(copy.end)
    for second in range(begin, end):
        values[second] = 0.992 * DISK_CEILING - 0.4e6 * ((second - begin) % 3)


def seeding(limiter: str | None, *, second: bool) -> Seeding:
    """Return one of the two; each end has an id of its own for the operation."""
    label = f"TestDatabase {'second' if second else 'first'} run"
    start, seconds, length = (SECOND, 86.0, 90.0) if second else (FIRST, 295.0, 300.0)
    small = {
        ("source", "disk"): 0.024 * seconds,
        ("source", "network"): 0.031 * seconds,
        ("target", "disk"): 0.019 * seconds,
        ("target", "network"): 0.042 * seconds,
    }
    built_in = {
        False: {
            ("source", "disk"): 11.8,
            ("source", "network"): 214.6,
            ("target", "disk"): 8.9,
            ("target", "network"): 238.3,
        },
        True: {
            ("source", "disk"): 63.7,
            ("source", "network"): 3.8,
            ("target", "disk"): 2.6,
            ("target", "network"): 61.2,
        },
    }
    waits = built_in[second] if limiter else small
    return Seeding(
        label=label,
        start=start,
        slot_s=0.0,
        copy=Copy(
            start + 1.0, start + 1.0 + seconds, BYTES, {key: round(value, 3) for key, value in waits.items()}
        ),
        end=start + length,
        operation_ids=(guid(f"{label} source operation"), guid(f"{label} target operation")),
        replica_ids=(SOURCE_REPLICA, TARGET_REPLICAS[second]),
    )


def journals(model: Model, host: Host) -> dict[str, Journal]:
    """Return what a host logs, by file name: the primary was restarted between the runs."""
    is_source = host is model.source
    first, second = model.seedings
    journal = Journal(model, host, first.replica_ids[0 if is_source else 1])
    journal.start_up(UP if is_source else UP + 205.3)
    if is_source:
        journal.skip(UP + 2.3)
        journal.group_starts(UP + 12.6)
        become_primary(journal, UP + 14.6)
    added(journal, FIRST - 2.0, first)
    journal.seeded(first)
    journal.left(REMOVED, first.replica_ids[1 if is_source else 0])
    if not is_source:
        removed(journal, REMOVED)
        journal.replica_id = second.replica_ids[1]
        added(journal, SECOND - 2.0, second)
        journal.seeded(second)
        return {"ERRORLOG": journal}
    journal.stops(STOPPED)
    again = Journal(model, host, SOURCE_REPLICA)
    again.start_up(STARTED, flags=(9567,))
    again.skip(STARTED + 2.3)
    again.group_starts(STARTED + 11.8)
    become_primary(again, STARTED + 13.8)
    added(again, SECOND - 2.0, second)
    again.seeded(second)
    return {"ERRORLOG.1": journal, "ERRORLOG": again}


def added(journal: Journal, t: float, seeding: Seeding) -> None:
    """Write that the secondary joins the group."""
    ids = seeding.replica_ids
    if journal.host is journal.model.source:
        journal.connected(t + 1.1, ids[1])
        return
    source = f"spid{journal.host.session}"
    journal.replica(t + 0.35, "NOT_AVAILABLE", "RESOLVING_NORMAL", JOINING, source)
    journal.replica(t + 0.48, "RESOLVING_NORMAL", "SECONDARY_NORMAL", CLUSTER)
    journal.connected(t + 1.104, ids[0])


def removed(journal: Journal, t: float) -> None:
    """Write that the secondary is removed from the group."""
    journal.say(
        t + 0.3,
        "spid21s",
        f"Always On: The local replica of availability group '{AG}' is being removed. The instance of SQL "
        f"Server failed to "
        "validate the integrity of the availability group configuration in the Windows Server Failover "
        "Clustering (WSFC) "
        "store.  This is expected if the availability group has been removed from another instance of SQL "
        "Server. "
        f"{NO_ACTION}",
    )
    journal.replica(t + 0.32, "SECONDARY_NORMAL", "RESOLVING_NORMAL", CLUSTER)


def become_primary(journal: Journal, t: float) -> None:
    """Write message 1480 for the database, and its start."""
    say = journal.say
    journal.changes_role(t, "RESOLVING", "PRIMARY")
    say(t + 0.03, "spid24s", f"Starting up database '{DATABASE}'.")
    say(t + 0.52, "spid24s", f"0 transactions rolled back in database '{DATABASE}' (7:0). {NO_ACTION}")


def logged(model: Model, host: Host) -> dict[str, bytes]:
    """Return a host's ERRORLOGs and Extended Events files; a restart begins new ones."""
    is_source = host is model.source
    told = journals(model, host)
    first, second = (seeding_events(model, one, is_source=is_source) for one in model.seedings)
    for t, on_source, action, statement in statements():
        if on_source == is_source:
            told["ERRORLOG.1" if is_source and t < STOPPED else "ERRORLOG"].health += ddl(
                model, host, t, action, statement
            )
    made = [(name, journal.file()) for name, journal in told.items()]
    if is_source:
        made += [
            xel_file(model, host, SESSION, first, -240.0),
            xel_file(model, host, SESSION, second, STARTED + 3.4),
            xel_file(model, host, HEALTH, told["ERRORLOG.1"].health, UP + 1.4),
            xel_file(model, host, HEALTH, told["ERRORLOG"].health, STARTED + 1.4),
        ]
    else:
        made += [
            xel_file(model, host, SESSION, [*first, *second], -195.0),
            xel_file(model, host, HEALTH, told["ERRORLOG"].health, UP + 206.7),
        ]
    return {f"{host.name}/{name}": data for name, data in made}


def statements() -> list[tuple[float, bool, int, str]]:
    """Return the statements about the group: when, whether on the primary, their kind."""
    ag = f"ALTER AVAILABILITY GROUP [{AG}]"
    add = (
        f"{ag} ADD REPLICA ON N'{TARGET.name}' WITH (ENDPOINT_URL = "
        f"N'TCP://{TARGET.name}.corp.example:5022', "
        "FAILOVER_MODE = MANUAL, AVAILABILITY_MODE = ASYNCHRONOUS_COMMIT, SEEDING_MODE = AUTOMATIC);"
    )
    found = [(REMOVED - 0.2, True, 2, f"{ag} REMOVE REPLICA ON N'{TARGET.name}';")]
    for start in (FIRST, SECOND):
        found += [
            (start - 8.6, True, 2, add),
            (start - 1.8, False, 2, f"{ag} JOIN;"),
            (start - 0.11, False, 2, f"{ag} GRANT CREATE ANY DATABASE;"),
        ]
    return sorted(found)


def write_case(folder: Path, limiter: str | None = "disk") -> Truth:
    """Write the case into a folder, made when it does not exist, and give its truth.

    Parameters
    ----------
    limiter
        "disk": as described above. None: the variant in which nothing that was captured is
        saturated and both ends hardly wait.
    """
    if limiter not in LIMITERS:
        raise ValueError(f"no case with limiter {limiter!r}: {LIMITERS}")
    model = build(limiter)
    files: dict[str, bytes] = {}
    for host in model.hosts:
        files |= host_files(model, host, (DATABASE,), names=True)
        files |= logged(model, host)
    truth = truth_of(model)
    plain, packed = model.seedings
    truth.runs = {
        "uncompressed": seeding_run(
            model, plain, wire_bytes=BYTES * WIRE, limiter="network" if limiter else "none", flag=False
        ),
        "compressed": seeding_run(
            model,
            packed,
            wire_bytes=BYTES * WIRE / RATIO,
            limiter="source disk" if limiter else "none",
            flag=True,
        ),
    }
    first, second = truth.runs.values()
    truth.ratios = {
        "seconds: uncompressed / compressed": round(first.seconds / second.seconds, 4),
        "wire bytes: uncompressed / compressed": round(first.wire_bytes / second.wire_bytes, 4),
        "cpu of the primary over the run: compressed / uncompressed": round(
            second.cpu_run[SOURCE.name] / first.cpu_run[SOURCE.name], 4
        ),
    }
    truth.files = write_files(folder, files)
    return truth
