"""What twice the work costs: each of what a stranger's folder may repeat is doubled, and doubled again.

Run ``python bench/doubling.py [--only NAME,..] [--scale 0.1] [--doublings 2] [--profile]``. For each of
databases, hosts, groups, failovers, files, counters, events, sessions and archives a case of so many is
written, then of twice as many; a process of its own reads each and makes all findings, and what that takes of
the processors is compared, less what it takes for a case of next to nothing. The exit status is 1 where twice
as much takes more than 2.5 times as long. ``--profile`` prints where the time of the largest went. Times are
of processors, not of the clock: what else runs on a machine changes them less.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.machine import machine
from simulation.formats.seeding_dmv import PHYSICAL, write_csv
from simulation.groups import failures
from simulation.groups.cast import Group, Node
from simulation.groups.files import Taken, write_group
from simulation.groups.life import Life
from simulation.groups.strain import CPU, DISK

MOST_TIMES = 2.5
LEAST_S = 0.5
"""How often as long twice as much may take; what takes less than so many seconds says nothing."""
BEGIN = datetime(2024, 1, 9, 6)

ASK = """
import cProfile, json, pstats, sys, time

def main():
    import agtrace
    begun = time.process_time()
    profile = cProfile.Profile() if sys.argv[3] == "profile" else None
    if profile:
        profile.enable()
    case = agtrace.open_case(sys.argv[1], store=sys.argv[2], jobs=1)
    read = time.process_time()
    found = case.findings()
    done = time.process_time()
    if profile:
        profile.disable()
        pstats.Stats(profile, stream=sys.stderr).sort_stats("tottime").print_stats(25)
    kinds = {}
    for each in found:
        kinds[each.id] = kinds.get(each.id, 0) + 1
    print(json.dumps({"read": read - begun, "findings": done - read, "kinds": kinds}))

if __name__ == "__main__":
    main()
"""


def databases(folder: Path, n: int) -> None:
    """Write perfmon logs of a primary and a secondary with so many databases, all of which fall behind."""
    names = [f"DB{number:05}" for number in range(n)]
    sent = [rf"SQLServer:Databases({name})\Log Bytes Flushed/sec" for name in names]
    got = [
        rf"SQLServer:Database Replica({name})\{each}"
        for name in names
        for each in ("Log Bytes Received/sec", "Log Send Queue", "Redone Bytes/sec", "Recovery Queue")
    ]
    stream = r"SQLServer:Availability Replica(AG1:{})\Bytes {}/sec"
    _perfmon(
        folder / "SQL1" / "perf.csv", "SQL1", [*sent, stream.format("SQL2", "Sent to Transport")], rows=40
    )
    _perfmon(
        folder / "SQL2" / "perf.csv", "SQL2", [*got, stream.format("SQL1", "Received from Replica")], rows=40
    )
    _roles(folder / "SQL1" / "ERRORLOG", "SQL1", [("AG1", -400.0)], n)


def seedings(folder: Path, n: int) -> None:
    """Write what a server shows of the seedings of so many databases."""
    rows = [
        {
            "local_physical_seeding_id": f"{number:08X}-0000-4000-8000-000000000000",
            "remote_physical_seeding_id": f"{number:08X}-1111-4000-8000-000000000000",
            "local_database_name": f"DB{number:05}", "remote_machine_name": "SQL2", "role_desc": "Source",
            "internal_state_desc": "Success", "transfer_rate_bytes_per_second": 10**7,
            "transferred_size_bytes": 10**8,
            "database_size_bytes": 10**8, "start_time_utc": BEGIN + timedelta(seconds=20 * number),
            "end_time_utc": BEGIN + timedelta(seconds=20 * number + 10), "is_compression_enabled": False,
        }
        for number in range(n)
    ]  # fmt: skip
    _write(folder / "SQL1" / "ERRORLOG", [*_head("SQL1")])
    (folder / "SQL1" / "seeding.csv").write_text(write_csv(rows, PHYSICAL))


def backups(folder: Path, n: int) -> None:
    """Write an ERRORLOG of so many backups."""
    lines = [
        _line(60.0 + 5 * number, "Backup", f"Database backed up. Database: DB{number:05}, creation "
            f"date(time): 2019/04/02(10:11:12), "
              f"pages dumped: 1000, first LSN: 41:{number}:1, last LSN: 41:{number + 3}:1, number of dump "
              f"devices: 1, device information: "
              f"(FILE=1, TYPE=DISK: {{'B:\\DB{number}.bak'}}). This is an informational message only. No "
              f"user action is required.")
        + _line(60.0 + 5 * number, "Backup", "BACKUP DATABASE successfully processed 1000 pages in 2.500 "
            "seconds (3.125 MB/sec).")
        for number in range(n)
    ]  # fmt: skip
    _write(folder / "SQL1" / "ERRORLOG", [*_head("SQL1"), *lines])


def hosts(folder: Path, n: int) -> None:
    """Write ERRORLOG and perfmon log of so many hosts that have nothing to do with each other."""
    for number in range(n):
        host = f"SRV{number:05}"
        _roles(folder / host / "ERRORLOG", host, [(f"AG{number:05}", 5.0 + number)], 1)
        _perfmon(folder / host / "perf.csv", host, [r"Processor(_Total)\% Processor Time"])


def groups(folder: Path, n: int) -> None:
    """Write the ERRORLOGs of two hosts with so many groups, all of which fail over at once."""
    names = [(f"AG{number:05}", 600 + number / 1000) for number in range(n)]
    _roles(folder / "SQL1" / "ERRORLOG", "SQL1", names, 1, leaves=True)
    _roles(folder / "SQL2" / "ERRORLOG", "SQL2", names, 1)


def failovers(folder: Path, n: int) -> None:
    """Write the life of a group that fails over so many times, ten minutes apart."""
    _live(folder, n, 600.0)


def health_file(folder: Path, n: int) -> None:
    """Write one file of AlwaysOn_health that holds so many failovers."""
    _live(folder, n, 600.0, ("AlwaysOn_health",))
    shutil.rmtree(folder / "NODE2")


def failovers_at_once(folder: Path, n: int) -> None:
    """Write a group that fails over so many times within ten minutes."""
    _flaps(folder, n, 600.0 / n)


def files(folder: Path, n: int) -> None:
    """Write so many small perfmon logs of one host, one after the other in time."""
    for number in range(n):
        path = folder / f"log{number:05}.csv"
        _perfmon(path, "SQL1", [r"Processor(_Total)\% Processor Time"], since=200 * number)


def counters(folder: Path, n: int) -> None:
    """Write a perfmon log of so many counters."""
    names = [rf"Process(app#{number})\% Processor Time" for number in range(n)]
    _perfmon(folder / "perf.csv", "SQL1", names)


def events(folder: Path, n: int) -> None:
    """Write connections of one replica that are lost and come back so many times."""
    lines = [*_head("SQL1")]
    for number in range(n):
        at = 60.0 + 30 * number
        lines.append(
            _line(
                at,
                "spid20s",
                "A connection timeout has occurred on a previously established "
                "connection to availability "
                "replica 'SQL2' with id [8B0F5A1E-7D5D-4C4A-A1B5-3E5A5A0D9C11].  Either a "
                "networking or a firewall issue exists "
                "or the availability replica has transitioned to the resolving role.",
                35206,
                16,
            )
        )
        lines.append(_line(at + 5, "spid20s", "A connection for availability group 'AG1' from availability "
            "replica 'SQL1' with id  "
                           "[8B0F5A1E-7D5D-4C4A-A1B5-3E5A5A0D9C11] to 'SQL2' with id "
                           "[8B0F5A1E-7D5D-4C4A-A1B5-3E5A5A0D9C12] has been "
                           "successfully established.  This is an informational message only. No user "
                           "action is required."))  # fmt: skip
    _write(folder / "SQL1" / "ERRORLOG", lines)


def sessions(folder: Path, n: int) -> None:
    """Write so many starts of one instance, each with its ERRORLOG and its file of AlwaysOn_health."""
    group = Group("AG1", (Node("NODE1", 1), Node("NODE2", 2, 700)), ("Sales",), BEGIN)
    life = Life(group, Random(1))
    t = life.founded(group.nodes[0], 0.0)
    for _ in range(n):
        t += 3600
        life.stops(group.nodes[1], t, "SQL Server is terminating because of a system shutdown. This is an "
            "informational message only. No user action is required.")  # fmt: skip
        life.starts(group.nodes[1], t + 60)
    write_group(folder, life, Taken(kinds=("ERRORLOG", "AlwaysOn_health")))


def archives(folder: Path, n: int) -> None:
    """Write so many perfmon logs, each packed."""
    files(folder, n)
    for path in sorted(folder.iterdir()):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 1))
        path.unlink()


SIZES: dict[str, tuple[Callable[[Path, int], None], int]] = {
    "databases": (databases, 1500), "hosts": (hosts, 250), "groups": (groups, 1000), "failovers": (failovers,
    1000),
    "failovers_at_once": (failovers_at_once, 1000), "files": (files, 500), "counters": (counters, 5000),
    "events": (events, 10_000), "sessions": (sessions, 100), "archives": (archives, 500),
    "seedings": (seedings, 1000), "backups": (backups, 2000), "health_file": (health_file, 888),
}  # fmt: skip
"""What is doubled, and how many there are at first: so many that what grows with the square would show."""


KINDS = ("ERRORLOG", "AlwaysOn_health", "cluster log")


def _live(folder: Path, n: int, gap_s: float, kinds: tuple[str, ...] = KINDS) -> None:
    group = Group("AG1", (Node("NODE1", 1), Node("NODE2", 2, 700)), ("Sales", "Stock"), BEGIN)
    life = Life(group, Random(1))
    t = life.founded(group.nodes[0], 0.0)
    for number in range(n):
        t += gap_s
        target = life.others(life.primary)[0]  # type: ignore[arg-type]
        if number % 3 == 0:
            failures.lease_expired(life, t, target, CPU)
        elif number % 3 == 1:
            failures.health_timeout(life, t, target, DISK)
        else:
            failures.ddl_failover(life, t, target)
    write_group(folder, life, Taken(kinds=kinds))


def _flaps(folder: Path, n: int, gap_s: float) -> None:
    for place, host in enumerate(("SQL1", "SQL2")):
        lines = [*_head(host)]
        for number in range(n):
            leaves = number % 2 == place
            states = ("PRIMARY_NORMAL", "RESOLVING_NORMAL", "SECONDARY_NORMAL") if leaves else (
                "SECONDARY_NORMAL", "RESOLVING_NORMAL", "PRIMARY_NORMAL")  # fmt: skip
            lines += [
                _state(60 + (number + (step + place) / 4) * gap_s, "AG1", states[step], states[step + 1])
                for step in (0, 1)
            ]  # fmt: skip
        _write(folder / host / "ERRORLOG", lines)


def _roles(
    path: Path, host: str, names: list[tuple[str, float]], databases: int, *, leaves: bool = False
) -> None:
    """Write an ERRORLOG in which the groups go online at their times, or offline."""
    lines = [*_head(host)]
    for name, at in names:
        if leaves:
            lines.append(_state(5.0, name, "PRIMARY_PENDING", "PRIMARY_NORMAL"))
            lines.append(_state(at, name, "PRIMARY_NORMAL", "RESOLVING_NORMAL"))
        else:
            lines.append(_state(at + 2, name, "SECONDARY_NORMAL", "RESOLVING_NORMAL"))
            lines.append(_state(at + 3, name, "RESOLVING_NORMAL", "PRIMARY_NORMAL"))
        lines += [
            _line(at + 4 + number / 1000, "spid30s", f'The availability group database "DB{number:05}" is '
                f'changing roles from '
                  '"RESOLVING" to "PRIMARY" because the mirroring session or availability group failed '
                  'over due to role '
                  "synchronization. This is an informational message only. No user action is required.")
            for number in range(databases)
        ]  # fmt: skip
    _write(path, lines)


def _state(at: float, ag: str, old: str, new: str) -> str:
    return _line(at, "spid31s", f"The state of the local availability replica in availability group '{ag}' "
        f"has changed from '{old}' to "
                 f"'{new}'.  The state changed because the availability group is going offline.  For more "
                 f"information, see the SQL "
                 "Server error log or cluster log.")  # fmt: skip


def _head(host: str) -> list[str]:
    return [
        _line(0.0, "Server", "Microsoft SQL Server 2019 (RTM-CU18) (KB5017593) - 15.0.4261.1 (X64)"),
        _line(0.0, "Server", "UTC adjustment: 0:00"),
        _line(0.1, "Server", f"Server name is '{host}'. This is an informational message only. No user "
            f"action is required."),
    ]  # fmt: skip


def _line(at: float, source: str, text: str, error: int = 0, severity: int = 0) -> str:
    stamp = f"{(BEGIN + timedelta(seconds=at)).isoformat(' ', 'milliseconds')[:-1]} {source:<11} "
    said = f"{stamp}Error: {error}, Severity: {severity}, State: 1.\n" if error else ""
    return f"{said}{stamp}{text}\n"


def _write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(sorted(lines, key=lambda line: line[:22])).encode("utf-16"))


def _perfmon(path: Path, host: str, names: list[str], *, since: float = 0.0, rows: int = 10) -> None:
    """Write a perfmon log of some rows, a quarter of a minute apart."""
    path.parent.mkdir(parents=True, exist_ok=True)
    head = ["(PDH-CSV 4.0) (GMT Standard Time)(0)", *(rf"\\{host}\{name}" for name in names)]
    lines = [",".join(f'"{cell}"' for cell in head)]
    for row in range(rows):
        at = BEGIN + timedelta(seconds=since + 15 * row)
        cells = [f"{at:%m/%d/%Y %H:%M:%S}.000"]
        cells += [str(1000 + (row * 7919 + n) % 9973) for n in range(len(names))]
        lines.append(",".join(f'"{cell}"' for cell in cells))
    path.write_text("\r\n".join(lines) + "\r\n", encoding="cp1252")


def measured(write: Callable[[Path, int], None], n: int, *, profile: bool = False) -> dict[str, float]:
    """Return the processor seconds that reading so many takes, and their findings."""
    with tempfile.TemporaryDirectory(prefix="agtrace-doubling-") as name:
        case, store = Path(name) / "case", Path(name) / "store"
        case.mkdir()
        write(case, n)
        how = "profile" if profile else ""
        program = Path(name) / "ask.py"
        program.write_text(ASK, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-P", str(program), str(case), str(store), how],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
            # One thread: those that wait for each other count as work.
            env=os.environ | {"AGTRACE_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[1])},
        )
        told = json.loads(done.stdout)
    print(f"  {n:>7,}: read {told['read']:6.1f} s, findings {told['findings']:6.1f} s; "
          f"{', '.join(f'{k} {v}' for k, v in sorted(told['kinds'].items()))[:150]}", flush=True)  # fmt: skip
    return told


def main() -> int:
    """Double everything that is asked for, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default=",".join(SIZES), help="what is doubled")
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers to begin with")
    parser.add_argument("--doublings", type=int, default=2)
    parser.add_argument("--profile", action="store_true", help="print where the time goes")
    given = parser.parse_args()
    print(machine("duckdb", "pyarrow"))
    slow = []
    for name in given.only.split(","):
        write, first = SIZES[name]
        sizes = [int(first * given.scale) << power for power in range(given.doublings + 1)]
        print(name, flush=True)
        nothing = measured(write, 1)
        told = [measured(write, n, profile=given.profile and n == sizes[-1]) for n in sizes]
        for part in ("read", "findings"):
            before, after = (max(each[part] - nothing[part], 0.0) for each in told[-2:])
            times = after / max(before, LEAST_S)
            is_slow = times > MOST_TIMES
            slow += [f"{name} ({part})"] * is_slow
            print(f"  {part}: {times:.2f} times{' - MORE THAN IT MAY' if is_slow else ''}")
    print(f"more than {MOST_TIMES:g} times for twice as much: {', '.join(slow) or 'nothing'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
