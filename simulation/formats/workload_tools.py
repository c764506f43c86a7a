"""Writers of what load generators leave: HammerDB's console and logs, SQLQueryStress results."""

from __future__ import annotations

from datetime import datetime, timedelta

from simulation.formats.host_facts import text_of

RULER = "+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-"
COUNT_RULER = RULER + "+-+-+-+-+-+-+-+-+-+-+"
STRESS_HEAD = (
    "TestId,TestStartTime,ElapsedTime,Iterations,Threads,Delay,CompletedIterations,"
    "AvgCPUSeconds,AvgActualSeconds,AvgClientSeconds,AvgLogicalReads"
)


def tcl_clock(time: datetime, zone: str = "UTC") -> str:
    """Write a time as Tcl's ``clock format`` does."""
    return f"{time:%a %b %d %H:%M:%S} {zone} {time:%Y}"


def timed_log(
    started: datetime,
    *,
    users: int,
    nopm: int,
    tpm: int,
    rampup: int = 2,
    duration: int = 5,
    zone: str = "UTC",
    stamps: bool = True,
    database: str = "SQL Server",
) -> str:
    """Return ``hammerdb.log`` of one run of the timed driver."""
    lines = [f"Hammerdb Log @ {tcl_clock(started, zone)}", RULER]
    measured = started + timedelta(minutes=rampup)
    over = measured + timedelta(minutes=duration)

    def say(at: datetime, user: int, text: str) -> None:
        if stamps:
            lines.append(f"Timestamp {user} @ {tcl_clock(at, zone)}")
        lines.append(f"Vuser {user}:{text}")

    say(started, 1, f"Beginning rampup time of {rampup} minutes")
    for user in range(2, users + 2):
        say(started, user, "Processing 10000000 transactions with output suppressed...")
    for minute in range(1, rampup + 1):
        say(started + timedelta(minutes=minute), 1, f"Rampup {minute} minutes complete ...")
    say(measured, 1, "Rampup complete, Taking start Transaction Count.")
    say(measured, 1, f"Timing test period of {duration} in minutes")
    for minute in range(1, duration + 1):
        say(measured + timedelta(minutes=minute), 1, f"{minute}  ...,")
    say(over, 1, "Test complete, Taking end Transaction Count.")
    say(over, 1, f"{users} Active Virtual Users configured")
    say(over, 1, f"TEST RESULT : System achieved {nopm} NOPM from {tpm} {database} TPM")
    return text_of(*lines)


def driver_console(
    *,
    users: int,
    minutes: int,
    readings: list[int],
    transactions: int = 50_000,
    failed: tuple[int, ...] = (),
    database: str = "MSSQLServer",
) -> str:
    """Return what the command line prints of one run of the test driver, counter included."""
    everyone = range(1, users + 1)
    lines = [
        f"{users} VU TEST",
        *(f"Vuser {user} created - WAIT IDLE" for user in everyone),
        f"{users} Virtual Users Created",
        "Transaction Counter Started",
    ]
    for user in everyone:
        lines += [
            f"Vuser {user}:RUNNING",
            f"Vuser {user}:Processing {transactions} transactions with output suppressed...",
        ]
    shown = 0
    for minute in range(1, minutes + 1):
        upto = len(readings) * minute // minutes
        lines += [f"{reading} {database} tpm" for reading in readings[shown:upto]]
        lines.append(f"Timer: {minute} minutes elapsed")
        shown = upto
    for user in everyone:
        how = "FAILED" if user in failed else "SUCCESS"
        lines.append(f"Vuser {user}:FINISHED {how}")
    lines += ["ALL VIRTUAL USERS COMPLETE", "vudestroy success", "Transaction Counter Stopped", ""]
    return text_of(*lines)


def build_console(
    started: datetime,
    *,
    warehouses: int,
    users: int,
    seconds: int,
    zone: str = "UTC",
    failed: tuple[int, ...] = (),
) -> str:
    """Return what the command line prints of a build of the schema by several virtual users."""
    workers = range(2, users + 2)
    lines = [
        f"Building {warehouses} Warehouses with {users + 1} Virtual Users, {users} active + 1 Monitor VU"
        f"(dict value mssqls_num_vu is set to {users})",
        f"Ready to create a {warehouses} Warehouse MS SQL Server TPROC-C schema",
        *(f"Vuser {user} created - WAIT IDLE" for user in range(1, users + 2)),
        "Vuser 1:RUNNING",
        "Vuser 1:Monitor Thread",
        "Vuser 1:CREATING TPCC SCHEMA",
        "Vuser 1:CHECKING IF DATABASE tpcc EXISTS",
        "Vuser 1:CREATING TPCC TABLES",
        "Vuser 1:Loading Item",
        "Vuser 1:Loading Items - 100000",
        "Vuser 1:Item done",
        "Vuser 1:Monitoring Workers...",
    ]
    first = 1
    for place, user in enumerate(workers):
        share = warehouses // users + (place < warehouses % users)
        lines += [
            f"Vuser {user}:RUNNING",
            f"Vuser {user}:Worker Thread",
            f"Vuser {user}:Waiting for Monitor Thread...",
            f"Vuser {user}:Loading {share} Warehouses start:{first} end:{first + share - 1}",
            f"Vuser {user}:Start:{tcl_clock(started + timedelta(seconds=place), zone)}",
            f"Vuser {user}:Loading Warehouse",
            f"Vuser {user}:Loading Stock Wid={first}",
        ]
        first += share
    for place, user in enumerate(workers):
        how = "FAILED" if user in failed else "SUCCESS"
        ended = started + timedelta(seconds=seconds - users + 1 + place)
        lines += [f"Vuser {user}:Orders Done", f"Vuser {user}:End:{tcl_clock(ended, zone)}"]
        lines += [f"Vuser {user}:FINISHED {how}"]
    lines += [
        f"Vuser 1:Workers: 0 Active {users} Done",
        "Vuser 1:CREATING TPCC INDEXES",
        "Vuser 1:CREATING TPCC STORED PROCEDURES",
        "Vuser 1:UPDATING SCHEMA STATISTICS",
        "Vuser 1:TPCC SCHEMA COMPLETE",
        "Vuser 1:FINISHED SUCCESS",
        "ALL VIRTUAL USERS COMPLETE",
        "",
    ]
    return text_of(*lines)


def count_log(
    started: datetime,
    readings: list[int],
    *,
    every: float = 10,
    zone: str = "UTC",
    stamps: bool = True,
    database: str = "MSSQLServer",
) -> str:
    """Return one session of ``hdbtcount.log``."""
    lines = [f"Hammerdb Transaction Counter Log @ {tcl_clock(started, zone)}", COUNT_RULER]
    for number, reading in enumerate(readings, 1):
        at = started + timedelta(seconds=every * number)
        stamp = f" @ {tcl_clock(at, zone)}" if stamps else ""
        lines.append(f"{reading} {database} tpm{stamp}")
    return text_of(*lines)


def stress_row(
    test_id: str,
    started: str,
    seconds: float,
    threads: int,
    *,
    iterations: int = 1,
    client: float | None = None,
    actual: float | None = None,
    cpu: float = 1.25,
    reads: float = 85_000,
) -> str:
    """Return one row of the table of results, without its line end."""
    client = seconds if client is None else client
    actual = client if actual is None else actual
    elapsed = f"{int(seconds) // 3600:02}:{int(seconds) // 60 % 60:02}:{seconds % 60:07.4f}"
    averages = ",".join(f"{value:.4f}" for value in (cpu, actual, client, reads))
    return f"{test_id},{started},{elapsed},{iterations},{threads},0,{iterations * threads},{averages}"
