"""Writes the read-only routing case: a basic availability group under growing load, with and without routing.

The figures of the article's three tables are the truth: run time and transactions per minute of
HammerDB, run time and SSD throughput of SQLQueryStress, and the 19 s of a read that no tool logs. The
tools' own files, runs.csv and perfmon logs of each host carry them. The article does not show where the reads
went; its group is a basic one, so the secondary is not readable and every read stays on the primary in both
configurations.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from uuid import NAMESPACE_OID, UUID, uuid5

from simulation.formats.errorlog import Log
from simulation.formats.host_facts import text_of
from simulation.formats.workload_tools import (
    STRESS_HEAD,
    build_console,
    count_log,
    driver_console,
    stress_row,
)
from simulation.formats.xel import Event, XelFile
from simulation.formats.xel_sessions import ALWAYSON_HEALTH
from simulation.samples.read_only_routing_load import (
    AG,
    BUILD_S,
    BUILD_START,
    BUILD_USERS,
    CONFIGURATIONS,
    DATABASE,
    DAY,
    EVERY_S,
    INSTANCE,
    LOADS,
    MAX_MEMORY_MB,
    MEMORY_CHANGED,
    MINUTES,
    OFFSET,
    PRIMARY,
    READ,
    READ_S,
    READ_STARTS,
    SECONDARY,
    SEED,
    SSD_MB_S,
    STRESS_S,
    TPM,
    WAREHOUSES,
    build_phases,
    hammer_phases,
    hammer_start,
    perfmon,
    read_start,
    stress_phases,
    stress_start,
)

LISTENER = (
    f"ALTER AVAILABILITY GROUP [{AG}]\r\nADD LISTENER N'BAGL' (\r\nWITH IP\r\n((N'10.0.0.50', "
    f"N'255.255.255.0')\r\n)\r\n"
    ", PORT=1433);"
)
ROUTED = tuple(
    f"ALTER AVAILABILITY GROUP [{AG}]\r\nMODIFY REPLICA ON N'{host}\\{INSTANCE}' WITH ({what});"
    for host, what in (
        (SECONDARY, "SECONDARY_ROLE (ALLOW_CONNECTIONS = READ_ONLY)"),
        (SECONDARY, f"SECONDARY_ROLE (READ_ONLY_ROUTING_URL = N'TCP://{SECONDARY}.corp.example:1433')"),
        (PRIMARY, f"PRIMARY_ROLE (READ_ONLY_ROUTING_LIST = (N'{SECONDARY}\\{INSTANCE}'))"),
    )
)
"""What the article configures; whether a basic group takes it is not known."""
DDL = (
    f"CREATE AVAILABILITY GROUP [{AG}]\r\nWITH (AUTOMATED_BACKUP_PREFERENCE = PRIMARY,\r\nBASIC,\r\n"
    f"DB_FAILOVER = ON,\r\nDTC_SUPPORT = NONE)\r\nFOR DATABASE [{DATABASE}]\r\nREPLICA ON "
    f"N'{PRIMARY}\\{INSTANCE}' WITH (ENDPOINT_URL = N'TCP://{PRIMARY}.corp.example:5022', FAILOVER_MODE = "
    f"AUTOMATIC, "
    f"AVAILABILITY_MODE = SYNCHRONOUS_COMMIT, SEEDING_MODE = AUTOMATIC),\r\n\tN'{SECONDARY}\\{INSTANCE}' "
    f"WITH "
    f"(ENDPOINT_URL = N'TCP://{SECONDARY}.corp.example:5022', FAILOVER_MODE = AUTOMATIC, "
    "AVAILABILITY_MODE = SYNCHRONOUS_COMMIT, SEEDING_MODE = AUTOMATIC);"
)


@dataclass
class Truth:
    """What is true of the written case: the article's tables."""

    loads: tuple[int, ...] = LOADS
    run_time_minutes: dict[str, list[int]] = field(default_factory=dict)
    transactions_per_minute: dict[str, list[int]] = field(default_factory=dict)
    stress_seconds: dict[str, list[float]] = field(default_factory=dict)
    ssd_mb_per_s: dict[str, list[int]] = field(default_factory=dict)
    read_seconds: dict[str, int] = field(default_factory=lambda: dict(READ_S))
    warehouses: int = WAREHOUSES
    build_users: int = BUILD_USERS
    build_seconds: int = BUILD_S
    max_server_memory_mb: int = MAX_MEMORY_MB
    primary: str = PRIMARY
    secondary: str = SECONDARY
    reads_on_secondary: bool = False
    files: list[str] = field(default_factory=list)


def write_case(
    folder: Path,
    *,
    basic: bool = True,
    reads_moved: bool = False,
    only: tuple[str, ...] = (),
    routes: bool | None = True,
    memory: bool = True,
) -> Truth:
    """Write the case.

    Parameters
    ----------
    folder
        Made when it does not exist.
    basic
        Whether the session of availability groups shows that the group is a basic one.
    reads_moved
        The neighbouring case: with routing on, the queries of SQLQueryStress run on the secondary.
    only
        Hosts whose perfmon logs are written; empty: both.
    routes
        Whether the output of the routing list has its route; None: it was not captured.
    memory
        Whether the ERRORLOGs tell of the change of max server memory.
    """
    stress, hammer = stress_phases(), hammer_phases()
    files = {
        f"{PRIMARY}/hammerdb_console.txt": console().encode(),
        f"{PRIMARY}/hammerdb_build.txt": build().encode(),
        f"{PRIMARY}/hdbtcount.log": counter().encode(),
        f"{PRIMARY}/SQLQueryStress.csv": stress_table().encode(),
        "runs.csv": windows().encode(),
    }
    for host in (PRIMARY, SECONDARY):
        files[f"{host}/ERRORLOG"] = errorlog(host, memory=memory)
        if only and host not in only:
            continue
        files[f"{host}/DataCollector00.csv"] = perfmon(host, build_phases(), 15, reads_moved=False)
        files[f"{host}/DataCollector01.csv"] = perfmon(host, stress, 1, reads_moved=reads_moved)
        files[f"{host}/DataCollector02.csv"] = perfmon(host, hammer, 15, reads_moved=False)
    if basic:
        files[f"{PRIMARY}/AlwaysOn_health_0_132004872000000000.xel"] = health()
    if routes is not None:
        files[f"{PRIMARY}/read_only_routing_list.txt"] = routing_list(empty=not routes).encode()
    for name, data in sorted(files.items()):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    return Truth(
        run_time_minutes={key: list(values) for key, values in MINUTES.items()},
        transactions_per_minute={key: list(values) for key, values in TPM.items()},
        stress_seconds={key: list(values) for key, values in STRESS_S.items()},
        ssd_mb_per_s={key: list(values) for key, values in SSD_MB_S.items()},
        reads_on_secondary=reads_moved,
        files=sorted(files),
    )


def build() -> str:
    """Return HammerDB's command line output for building the database, in the primary's time."""
    return build_console(
        BUILD_START + OFFSET, warehouses=WAREHOUSES, users=BUILD_USERS, seconds=BUILD_S, zone="EDT"
    )


def routing_list(*, empty: bool) -> str:
    """Return sqlcmd's output of the routing lists, joined to the names of the replicas."""
    server = f"{SECONDARY}\\{INSTANCE}"
    url = f"TCP://{SECONDARY}.corp.example:1433"
    names = ("WhenThisServerIsPrimary", "Priority", "RouteToThisServer", "ConnectionsAllowed", "RoutingURL")
    rows = () if empty else ((f"{PRIMARY}\\{INSTANCE}", "1".rjust(11), server, "READ_ONLY", url),)
    widths = (30, 11, 30, 30, 60)
    cells = (names, tuple("-" * width for width in widths), *rows)
    lines = [" ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in cells]
    return text_of(*lines, "", f"({len(rows)} rows affected)")


def readings(routing: str, place: int) -> list[int]:
    """Return the transaction counter's readings of one test; their median is the article's figure."""
    chance = random.Random(f"{SEED} counter {routing} {place}")
    tpm = TPM[routing][place]
    count = MINUTES[routing][place] * 60 // EVERY_S
    inner = [0, 0]
    while len(inner) < count - 2:
        step = 6 * chance.randrange(1, max(tpm // 150, 2))
        inner += [step, -step]
    chance.shuffle(inner)
    # The first and the last reading cover a part of their interval.
    return [tpm // 12 * 6, *(tpm + step for step in inner[: count - 2]), tpm // 18 * 6]


def console() -> str:
    """Return HammerDB's command line output, both configurations one after the other."""
    text = ""
    for routing in CONFIGURATIONS.values():
        for place, load in enumerate(LOADS):
            minutes = MINUTES[routing][place]
            text += driver_console(users=load, minutes=minutes, readings=readings(routing, place))
    return text


def counter() -> str:
    """Return the transaction counter's log, with times of the primary's clock."""
    return "".join(
        count_log(hammer_start(routing, place) + OFFSET, readings(routing, place), every=EVERY_S, zone="EDT")
        for routing in CONFIGURATIONS.values()
        for place in range(len(LOADS))
    )


def stress_table() -> str:
    """Return the table that SQLQueryStress saved."""
    rows = [STRESS_HEAD]
    for routing in CONFIGURATIONS.values():
        for place, load in enumerate(LOADS):
            local = stress_start(routing, place) + OFFSET
            hour = (local.hour - 1) % 12 + 1
            started = f"{local.month}/{local.day}/{local:%Y} {hour}:{local:%M:%S %p}"
            seconds = STRESS_S[routing][place]
            test_id = str(uuid5(NAMESPACE_OID, f"stress {routing} {load}"))
            client = seconds - 0.03
            rows.append(stress_row(test_id, started, seconds, load, client=client, actual=client - 0.01))
    return text_of(*rows)


def windows() -> str:
    """Return runs.csv: which configuration was tested when."""
    rows = ["label,routing,start,end,measured,value,unit"]
    for label, routing in CONFIGURATIONS.items():
        for first, last in (
            (stress_start(routing, 0), stress_start(routing, 5) + timedelta(seconds=30)),
            (hammer_start(routing, 0), hammer_start(routing, 5) + timedelta(minutes=11)),
        ):
            rows.append(_window(label, routing, first, last) + ",,,")
        first, seconds = read_start(routing), READ_S[routing]
        measured = f',"{READ}",{seconds},s'
        rows.append(_window(label, routing, first, first + timedelta(seconds=seconds)) + measured)
    last = BUILD_START + timedelta(seconds=BUILD_S)
    rows.append(_window("Basic AG", "off", BUILD_START, last) + ",,,")
    return text_of(*rows)


def _window(label: str, routing: str, first: datetime, last: datetime) -> str:
    return f"{label},{routing},{first:%Y-%m-%dT%H:%M:%SZ},{last:%Y-%m-%dT%H:%M:%SZ}"


def errorlog(host: str, *, memory: bool = True) -> bytes:
    """Return the ERRORLOG of a host: started in the morning, its role in the group, less memory."""
    log = Log(time=DAY + timedelta(hours=11) + OFFSET)
    log.start(
        host=host,
        instance=INSTANCE,
        utc="-4:00",
        version="13.0.5026.0",
        product="2016 (SP2) (KB4052908)",
        sockets=2,
        cores=14,
        licensed=56,
        memory_mb=131_072,
        os="Windows Server 2016 Datacenter 10.0 <X64> (Build 14393: )",
        machine=("Dell Inc.", "PowerEdge R730"),
    )
    role = "PRIMARY" if host == PRIMARY else "SECONDARY"
    log.replica_state(AG, "NOT_AVAILABLE", "RESOLVING_NORMAL")
    if role == "PRIMARY":
        log.replica_state(AG, "RESOLVING_NORMAL", "PRIMARY_PENDING")
        log.replica_state(AG, "PRIMARY_PENDING", "PRIMARY_NORMAL")
    else:
        log.replica_state(AG, "RESOLVING_NORMAL", "SECONDARY_NORMAL")
    log.role_change(DATABASE, "RESOLVING", role)
    if memory:
        log.time = MEMORY_CHANGED + OFFSET
        log.option_changed("show advanced options", 0, 1)
        log.option_changed("max server memory (MB)", 2_147_483_647, MAX_MEMORY_MB)
    return log.windows()


def health() -> bytes:
    """Return the group session's file: the statements that made the group and its routing."""
    schema = next(schema for schema in ALWAYSON_HEALTH if schema.name == "alwayson_ddl_executed")
    made = DAY + timedelta(hours=11, minutes=30)
    file = XelFile(schemas=(schema,))
    about = {
        "availability_group_id": UUID("5f3c9a70-31d2-4b0f-9f0e-6a9d1c2b7e44"),
        "availability_group_name": AG,
        "client_hostname": PRIMARY,
        "client_app_name": "Microsoft SQL Server Management Studio",
    }
    statements = [(made, 0, DDL), (made + timedelta(seconds=20), 1, LISTENER)]
    enabled = DAY + READ_STARTS["on"] - timedelta(seconds=30)
    statements += [(enabled + timedelta(seconds=n), 1, text) for n, text in enumerate(ROUTED)]
    return file.write(
        [
            Event(schema, file.ticks(at), {"ddl_action": action, "ddl_phase": 1, "statement": text} | about)
            for at, action, text in statements
        ]
    )
