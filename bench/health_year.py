"""A year of a group's captures: how long findings take from the store, and how much memory.

Run ``python bench/health_year.py [--entries 1000000] [--mb 2000] [--folder DIR]``. Two nodes, one failover a
fortnight, one ERRORLOG of a year with that many entries, and that many megabytes of AlwaysOn_health,
system_health and SQLDIAG files of the two together. Everything is ingested first, by a process of its own;
then another one opens the store and asks for the findings of the group, so that it computes what happened
anew. The last line says whether that took less than 30 s and 1 GB; ``--folder`` keeps the case, and takes it
up again.

``--gb 0.94,1.78,4`` measures the first findings of mixed cases of these sizes instead: the same year with a
quarter each of ERRORLOG, Extended Events, perfmon and cluster logs. For each size it prints what the commands
``ingest`` and ``findings`` take of the processors, and their most resident memory as the system reports it;
the exit status is 1 where findings fail or take more than 600 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import pdh_text, support_logs
from bench.machine import machine
from simulation.groups import failures, files, health
from simulation.groups import life as group_life
from simulation.groups.cast import Group, Node
from simulation.groups.files import KINDS, Taken, write_group
from simulation.groups.journal import Run, Said
from simulation.groups.life import Life
from simulation.groups.strain import CPU, DISK

YEAR_S = 365 * 86_400.0
FORTNIGHT_S = 14 * 86_400.0
FILE_SAMPLES = 5_000
"""Samples of a health file; the server begins a new one every some MB."""
SAMPLE_BYTES = 2_600
"""What the four components and the processors of one sample take in a file."""
MOST_S, MOST_MB = 30.0, 1000.0
MOST_FIRST_MB = 600.0
ERRORLOG_ENTRIES, XEL_MB, CLUSTER_MB, PERFMON_MB = 680_000, 270, 115, 80
"""Of a mixed case, for each GB; of cluster logs and perfmon on each node."""
SERIES = 500

ASK = """
import json, sys, time
from tests.readers.memory import peak_bytes
begun = time.perf_counter()
import agtrace
with agtrace.open_case(sys.argv[1], store=sys.argv[2], ingest=False) as case:
    opened = time.perf_counter()
    found = case.health.findings()
    rows = case.sql("select (select count(*) from timeline), (select count(*) from errorlog)").fetchall()[0]
peak = peak_bytes() / 1e6
done = time.perf_counter()
print(json.dumps({"cpu": time.process_time(), "open": opened - begun, "findings": done - opened, "mb": peak,
                  "n": len(found), "failovers": sum(f.id == "health.failover" for f in found),
                  "timeline": rows[0], "errorlog": rows[1]}))
"""

RUN = """
import json, resource, subprocess, sys
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, status]))
"""


def lived(entries: int) -> Life:
    """Run a group for a year, with a failover every fortnight and log in between."""
    group = Group(
        "AG1", (Node("NODE1", 1), Node("NODE2", 2, 700)), ("Sales", "Stock"), datetime(2024, 1, 9, 6)
    )
    life = Life(group, Random("a year"))
    t = life.founded(group.nodes[0], 0.0)
    for number in range(int(YEAR_S / FORTNIGHT_S)):
        t += FORTNIGHT_S
        target = life.others(life.primary)[0]  # type: ignore[arg-type]
        if number % 3 == 0:
            failures.lease_expired(life, t, target, CPU)
        elif number % 3 == 1:
            failures.health_timeout(life, t, target, DISK)
        else:
            failures.ddl_failover(life, t, target)
    busy = life[group.nodes[0]].run
    _fill(busy, entries - len(busy.said))
    return life


def _fill(run: Run, count: int) -> None:
    """Write what a busy server logs all year: logins that fail, backups of the log."""
    for number in range(max(count, 0)):
        at = 60 + (YEAR_S - 120) * number / count
        if number % 3:
            text = (
                f"Login failed for user 'app{number % 97}'. Reason: Password did not match that for the "
                f"login provided. [CLIENT: 10.0.{number % 250}.7]"
            )
            run.said.append(Said(at, "Logon", text))
        else:
            text = (
                f"Log was backed up. Database: Sales, creation date(time): 2019/04/02(10:11:12), first "
                f"LSN: 41:{number}:1, last LSN: "
                f"41:{number + 3}:1, number of dump devices: 1, device information: (FILE=1, TYPE=DISK: "
                f"{{'B:\\log{number}.trn'}}). "
                "This is an informational message only. No user action is required."
            )
            run.said.append(Said(at, "Backup", text))


def write(folder: Path, entries: int, megabytes: int) -> None:
    """Write the captures of the year."""
    life = lived(entries)
    write_group(folder, life, Taken(kinds=tuple(kind for kind in KINDS if kind != "system_health")))
    samples = megabytes * 1_000_000 / SAMPLE_BYTES / len(life.group.nodes)
    group_life.SAMPLE_S = YEAR_S / samples
    for since, until in _spans(FILE_SAMPLES * group_life.SAMPLE_S):
        life.healthy(since, until)
        for node in life.group.nodes:
            journal = life[node]
            mine = [event for event in journal.run.system if since <= event[0] < until]
            journal.run.system = [event for event in journal.run.system if event[0] >= until]
            name, data = files.session_file(
                journal, "system_health", mine, health.SYSTEM_HEALTH, since, until
            )
            (folder / node.name / name).write_bytes(data)


def _spans(seconds: float) -> Iterator[tuple[float, float]]:
    since = 20.0
    while since < YEAR_S:
        yield since, min(since + seconds, YEAR_S)
        since += seconds


def write_mixed(folder: Path, gb: float) -> float:
    """Write a mixed case of about that size; return its GB."""
    write(folder, round(ERRORLOG_ENTRIES * gb), round(XEL_MB * gb))
    told = support_logs.TEXTS
    calm = [text for text in told if text.startswith("INFO") and "MoveGroup" not in text]
    # One entry in a thousand is an event.
    support_logs.TEXTS = (calm[0], calm[1], told[2], calm[0], calm[1], calm[0])
    header = pdh_text.header
    for seed, node in enumerate(("NODE1", "NODE2")):
        # Its series name the node: they are of a host of the case.
        pdh_text.header = lambda columns, name=node: header(columns).replace(b"BENCH01", name.encode())
        rows = round(PERFMON_MB * 1e6 * gb / SERIES / 12)
        pdh_text.write_log(folder / node / "perfmon.csv", SERIES, rows, seed)
        log = folder / node / f"{node}_x_cluster.log"
        support_logs.write(log, "utf-16-le", support_logs.cluster_log, round(CLUSTER_MB * 1e6 * gb))
    support_logs.TEXTS, pdh_text.header = told, header
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e9


def ran(*arguments: str | Path) -> tuple[float, float, int]:
    """Run a command of agtrace; return its seconds of processors, its most resident MB, and its status."""
    # A process counts as its own what its parent held when it was forked: the parent is a small one.
    command = [sys.executable, "-S", "-c", RUN, sys.executable, "-m", "agtrace", *map(str, arguments)]
    done = subprocess.run(
        [*command, "--jobs", "1"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        cwd=Path(__file__).resolve().parents[1],
    )
    seconds, megabytes, status = json.loads(done.stdout)
    return seconds, megabytes, status


def first_findings(sizes: list[float], folder: Path) -> int:
    """Measure the first findings of mixed cases; print a row for each."""
    print("| GB | ingest, s | MB | first findings, s | MB (max. 600) |")
    print("|--:|--:|--:|--:|--:|")
    is_met = True
    for gb in sizes:
        case, store = folder / f"mixed-{gb:g}", folder / f"mixed-{gb:g}-store"
        size = write_mixed(case, gb)
        read_s, read_mb, failed = ran("ingest", case, "--store", store)
        found_s, found_mb, lacks = ran("findings", case, "--store", store, "--json")
        is_met &= not failed and not lacks and found_mb <= MOST_FIRST_MB
        print(f"| {size:.2f} | {read_s:.1f} | {read_mb:.0f} | {found_s:.1f} | {found_mb:.0f} |", flush=True)
    return 0 if is_met else 1


def main() -> int:
    """Make the year, ingest it, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--mb", type=int, default=2_000)
    parser.add_argument("--folder", type=Path, help="where the case is kept")
    parser.add_argument("--gb", help="first findings of mixed cases of these sizes")
    given = parser.parse_args()
    if given.gb:
        with tempfile.TemporaryDirectory() as scratch:
            print(machine("duckdb", "pyarrow"))
            return first_findings([*map(float, given.gb.split(","))], given.folder or Path(scratch))
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.folder or Path(scratch)
        case, store = folder / "case", folder / "store"
        if not case.is_dir():
            write(case, given.entries, given.mb)
        begun = time.perf_counter()
        load = "import agtrace, sys; agtrace.open_case(sys.argv[1], store=sys.argv[2]).close()"
        subprocess.run([sys.executable, "-c", load, str(case), str(store)], check=True)
        ingested = time.perf_counter() - begun
        ask = [sys.executable, "-c", ASK, str(case), str(store)]
        told = json.loads(subprocess.run(ask, check=True, stdout=subprocess.PIPE, text=True).stdout)
        size = sum(path.stat().st_size for path in case.rglob("*.xel")) / 1e6
    print(machine("duckdb", "pyarrow"))
    print(
        f"{told['errorlog']:,} entries of ERRORLOGs, {size:,.0f} MB of health files; ingested in "
        f"{ingested:.0f} s"
    )
    print(f"opened in {told['open']:.1f} s, {told['n']} findings ({told['failovers']} failovers) of "
        f"{told['timeline']:,} rows of "
          f"the timeline in {told['findings']:.1f} s; {told['mb']:.0f} MB at most, {told['cpu']:.0f} s of "
          f"processors")  # fmt: skip
    is_met = told["open"] + told["findings"] <= MOST_S and told["mb"] <= MOST_MB
    print(f"less than {MOST_S:g} s and {MOST_MB:g} MB: {'yes' if is_met else 'NO'}")
    return 0 if is_met else 1


if __name__ == "__main__":
    sys.exit(main())
