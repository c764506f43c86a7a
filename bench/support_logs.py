"""Speed and memory of reading cluster logs and event logs, 500 MB of each layout.

Run ``python bench/support_logs.py [--mb 500] [--only cluster]``. Each file is written to a scratch
folder first and read in a process of its own; prints MB/s of file bytes (best of ``--rounds``), rows
and the most memory of that process, as a Markdown table.
"""

from __future__ import annotations

import argparse
import datetime as dt
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from agtrace.readers import detect
from agtrace.readers.base import ReadOptions, Source
from tests.readers.hostile import peak_bytes

START = dt.datetime(2026, 2, 28, 22, 10, 41)
_HEAD = (
    "[=== Cluster ===]\r\n\r\nUTC = localtime + time zone offset; the time zone offset of this machine is "
    "300 minutes, or 5 hours\r\nThe logs were generated using local time\r\n"
    "Current node: name (CONTOSO1) id (1)\r\n\r\n[=== Cluster Logs ===]\r\n\r\n"
)
TEXTS = (
    "INFO  [RES] SQL Server Availability Group <AG1>: [hadrag] SQL Server component 'system' health state "
    "has been changed from 'clean' to 'clean'",
    "INFO  [RCM] rcm::RcmApi::MoveGroup: (Group:AG1 Dest:-1 Flags:0 MoveType:MoveType::Manual "
    "Cur.State:Online)",
    "WARN  [RES] SQL Server Availability Group <AG1>: [hadrag] 2/28/2026 22:10:21.0, 98.412331, "
    "912341504.000000, 0.002113, 0.214400",
    "DBG   [NETFTAPI] Signaled NetftRemoteUnreachable event, local address 10.135.4.221:3343 remote "
    "address 10.135.4.222:3343",
    "INFO  [RES] Network Name <Cluster Name>: Agent: Closing (e1af67d8-e95e-49b4-b717-0fa494b5bb62,Identity)",
    "ERR   [RES] SQL Server Availability Group <AG2>: [hadrag] Failure detected, diagnostics heartbeat is "
    "lost",
)
_SOURCES = (
    ("Error", "Microsoft-Windows-FailoverClustering", 1135),
    ("Information", "Service Control Manager", 7036),
    ("Warning", "disk", 153),
    ("Information", "MSSQLSERVER", 17137),
)
_MESSAGE = (
    "Cluster node 'CONTOSO{0}' was removed from the active failover cluster membership. The Cluster "
    "service on "
    'this node may have stopped, "Validate" may tell more, {1} says so.'
)


def cluster_log(lines: int) -> Iterator[str]:
    """Entries, now and then with continuation lines, and samples of the resource."""
    yield _HEAD
    for number in range(lines):
        at = START + dt.timedelta(milliseconds=37 * number)
        stamp = f"{at:%Y/%m/%d-%H:%M:%S}.{at.microsecond // 1000:03}"
        text = TEXTS[2 if number % 997 == 0 else (0, 1, 3, 4, 5)[number % 5]]
        yield f"00001a2c.{number % 65536:08x}::{stamp} {text} {number}\r\n"
        if number % 50 == 0:
            yield "   second line\r\n"


def list_of_logscout(lines: int) -> Iterator[str]:
    """LogScout's .csv."""
    yield '"EntryType","TimeGenerated","Source","EventID","Category","Message"\r\n'
    for number in range(lines):
        at, (level, source, event) = _event(number)
        text = _MESSAGE.format(number % 9, number)
        yield f'"{level}","{_us(at)}","{source}","{event}","(3)","{text}"\r\n'


def table_of_logscout(lines: int, user: str = "NT AUTHORITY\\SYSTEM") -> Iterator[str]:
    """LogScout's .out."""
    titles = ("Date Time", 25), ("Type/Level", 16), ("Computer Name", 17), ("EventID", 8)
    titles = (*titles, ("Source", 51), ("Task Category", 20), ("Username", 51))
    yield ("".join(title.ljust(width) for title, width in titles) + "Message\r\n" + "-" * 230 + "\r\n")
    for number in range(lines):
        at, (level, source, event) = _event(number)
        yield (
            f"{_us(at):25}{level:16}{'CONTOSO1':17}{event!s:8}{source:51}{'(3)':20}{user:51}"
            f"{_MESSAGE.format(number % 9, number)}\r\n"
        )


def german_table(lines: int) -> Iterator[str]:
    """Write the same with accounts of letters beyond ASCII."""
    yield from table_of_logscout(lines, "NT-AUTORITÄT\\SYSTEM")


def export_csv(lines: int) -> Iterator[str]:
    """Write what Export-Csv makes of Get-EventLog."""
    yield "#TYPE System.Diagnostics.EventLogEntry#System/Service Control Manager/7036\r\n"
    yield (
        '"EventID","MachineName","Data","Index","Category","CategoryNumber","EntryType","Message","Source",'
        '"ReplacementStrings","InstanceId","TimeGenerated","TimeWritten","UserName","Site","Container"\r\n'
    )
    for number in range(lines):
        at, (level, source, event) = _event(number)
        text = _MESSAGE.format(number % 9, number).replace('"', '""')
        yield (
            f'"{event}","CONTOSO1.contoso.lan","System.Byte[]","{number}","(3)","3","{level}","{text}","{source}",'
            f'"System.String[]","{event}","{_us(at)}","{_us(at)}","NT AUTHORITY\\SYSTEM",,\r\n'
        )


def _event(number: int) -> tuple[dt.datetime, tuple[str, str, int]]:
    return START - dt.timedelta(seconds=7 * number), _SOURCES[number % len(_SOURCES)]


def _us(at: dt.datetime) -> str:
    return f"{at.month}/{at.day}/{at.year} {at.hour % 12 or 12}:{at:%M:%S} {'AM' if at.hour < 12 else 'PM'}"


LAYOUTS: dict[str, tuple[str, str, Callable[[int], Iterator[str]]]] = {
    "cluster log, UTF-16": ("CONTOSO1_cluster.log", "utf-16-le", cluster_log),
    "cluster log, 8-bit": ("Cluster.log", "cp1252", cluster_log),
    "event log, LogScout .csv, UTF-16": ("A_EventLog_System.csv", "utf-16-le", list_of_logscout),
    "event log, LogScout .out, UTF-16": ("A_EventLog_System.out", "utf-16-le", table_of_logscout),
    "event log, LogScout .out, German": ("B_EventLog_System.out", "utf-16-le", german_table),
    "event log, Export-Csv, 8-bit": ("system.csv", "cp1252", export_csv),
}


def write(path: Path, encoding: str, lines: Callable[[int], Iterator[str]], size: int) -> None:
    """Write a file of at least ``size`` bytes; after 200,000 lines the same ones come again."""
    pieces = list(lines(200_000))
    mark = "\ufeff".encode(encoding) if encoding.startswith("utf-16") else b""
    head, body = pieces[0].encode(encoding), "".join(pieces[1:]).encode(encoding)
    with path.open("wb") as file:
        file.write(mark + head)
        while file.tell() < size:
            file.write(body)


def measure(path: Path) -> tuple[float, float, dict[str, int], int]:
    """Read a file; give seconds, those of the processor, rows by table and the most memory."""
    source = Source.of_path(path)
    found = detect(source.head(), source.name)
    assert found is not None
    rows: dict[str, int] = {}
    start, worked = time.perf_counter(), time.process_time()
    for table, batch in found[0].read(source, ReadOptions()):
        rows[table] = rows.get(table, 0) + batch.num_rows
    return time.perf_counter() - start, time.process_time() - worked, rows, peak_bytes()


def main() -> None:
    """Make the files, read them, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--only", default="", help="part of a layout's name")
    options = parser.parse_args()
    print("| what | MB | MB/s | MB per second of the processor | rows | MB of memory |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, (file, encoding, lines) in LAYOUTS.items():
            if options.only not in name:
                continue
            path = Path(folder) / file
            write(path, encoding, lines, options.mb * 1_000_000)
            found: list[tuple[float, float, dict[str, int], int]] = []
            for _ in range(options.rounds):
                with multiprocessing.get_context("spawn").Pool(1) as pool:
                    found.append(pool.apply(measure, (path,)))
            seconds, worked, rows, memory = min(found)
            size = path.stat().st_size / 1e6
            main_rows = max(rows.values())
            cells = name, f"{size:.0f}", f"{size / seconds:.0f}", f"{size / worked:.0f}"
            print("|", " | ".join([*cells, f"{main_rows:,}", str(memory >> 20)]), "|", flush=True)
            path.unlink()


if __name__ == "__main__":
    main()
