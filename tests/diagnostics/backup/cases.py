"""Cases made of ERRORLOG text, for the tests of the backup question."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from agtrace.readers.errorlog import READER
from agtrace.testing import read_all
from tests.diagnostics.tiny import Case, case, lines

RUNS = """
create table if not exists runs (run_id varchar, label varchar, factors varchar,
  start timestamptz, "end" timestamptz, source varchar)
"""
HOST = "SQL1"


def backup_case(
    *logs: str | bytes,
    hosts: tuple[str, ...] = (),
    runs: str = "",
    perfmon: str = "",
    facts: str = "",
    utc: bool = True,
    **more: Any,
) -> Case:
    """Build a case from ERRORLOGs, each a content of its own, whose local time is UTC.

    Parameters
    ----------
    hosts
        Host of each log; all of one when left out.
    runs
        Rows of ``label | name=value; name=value | start | end``, ISO times in UTC.
    perfmon, facts, more
        As in `tests.diagnostics.tiny.case`.
    utc
        False leaves the clocks unknown.
    """
    made = case(perfmon, facts=facts, **more)
    made.run(RUNS)
    names = dict.fromkeys(hosts or (HOST,))
    known = {row["host_id"] for row in made.table("select host_id from hosts").to_pylist()}
    made.insert("hosts", [{"host_id": h, "display_name": h} for h in names if h not in known])
    for number, log in enumerate(logs):
        _add(made, f"errorlog-{number}", (hosts or (HOST,) * len(logs))[number], log, utc=utc)
    made.insert(
        "runs",
        [
            {"run_id": str(number), "label": label, "factors": json.dumps(_pairs(factors)),
             "start": datetime.fromisoformat(start + "+00:00"),
             "end": datetime.fromisoformat(end + "+00:00"), "source": "runs.csv"}
            for number, (label, factors, start, end) in enumerate(lines(runs))
        ],
    )  # fmt: skip
    return made


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.strip().split("=", 1) for pair in text.split(";") if pair.strip())


def _add(made: Case, content: str, host: str, log: str | bytes, *, utc: bool) -> None:
    raw = log.encode() if isinstance(log, str) else log
    tables = read_all(READER, raw, "ERRORLOG")
    made.insert(
        "captures",
        [{"capture_id": content, "content_id": content, "host_id": host, "sql_instance": "MSSQLSERVER",
          "path": content, "kind": "SQL Server ERRORLOG", "status": "ingested"}],
    )  # fmt: skip
    for name in ("messages", "errorlog", "facts"):
        table = tables.get(name)
        if table is None or not len(table):
            continue
        local = table["time_local"]
        time = (
            local.cast(pa.timestamp("us", "UTC")) if utc else pa.nulls(len(table), pa.timestamp("us", "UTC"))
        )
        here = [content] * len(table)
        table = table.append_column("time", time).append_column("content_id", [here])
        table = table.append_column("host_id", [[host] * len(table)])
        if name == "facts":
            table = table.append_column("capture_id", [here])
        made.insert(name, table)


def stamp(seconds: float) -> str:
    """Return an ERRORLOG's time, so many seconds after noon of 4 March 2024, a Monday."""
    time = datetime(2024, 3, 4, 12) + timedelta(seconds=seconds)
    return f"{time:%Y-%m-%d %H:%M:%S}.{time.microsecond // 10000:02}"


def log(*entries: tuple[float, str, str]) -> str:
    """Write a log of (seconds, source, text)."""
    return "".join(f"{stamp(s)} {source:<12}{text}\n" for s, source, text in entries)


def backed_up(database: str, pages: int, devices: str = r"'E:\b.bak'", *, kind: str = "full",
              media: str = "DISK") -> str:  # fmt: skip
    """Return message 18264, 18265 or 18270."""
    created = "creation date(time): 2024/01/02(03:04:05)"
    lsn = "first LSN: 39:760:1, last LSN: 39:763:1"
    names = (
        f"number of dump devices: {devices.count(',') + 1}, device information: (FILE=1, TYPE={media}: "
        f"{{{devices}}})"
    )
    if kind == "log":
        return (
            f"Log was backed up. Database: {database}, {created}, {lsn}, {names}. This is an informational "
            f"message only. No user action is required."
        )
    if kind == "differential":
        return (
            f"Database differential changes were backed up. Database: {database}, {created}, pages dumped: "
            f"{pages}, {lsn}, full backup LSN: 39:1:1, {names}. This is an informational message. No user "
            f"action is required."
        )
    return (
        f"Database backed up. Database: {database}, {created}, pages dumped: {pages}, {lsn}, {names}. This "
        f"is an informational message only. No user action is required."
    )


def restored(database: str, devices: str = r"'E:\b.bak'", *, media: str = "DISK") -> str:
    """Return message 18267."""
    return (
        f"Database was restored: Database: {database}, creation date(time): 2024/01/02(03:04:05), first LSN: "
        f"36:200:65, "
        f"last LSN: 36:248:1, number of dump devices: 1, device information: (FILE=1, TYPE={media}: "
        f"{{{devices}}}). "
        "Informational message. No user action required."
    )


def processed(statement: str, pages: int, seconds: float) -> str:
    """Return message 3014 with the resulting rate."""
    return (
        f"{statement} successfully processed {pages} pages in {seconds:.3f} seconds "
        f"({pages / 128 / seconds:.3f} MB/sec)."
    )


def buffers(
    count: int = 7, size_kb: int = 1024, sets: int = 1, volumes: int = 1, limit: int = 895
) -> list[str]:
    """Return a block of trace flag 3213 as 2012 writes it."""
    block = [
        "Backup/Restore buffer configuration parameters",
        f"Memory limit: {limit}MB",
        f"BufferCount: {count}",
        f"Sets Of Buffers:            {sets}",
        f"MaxTransferSize: {size_kb} KB",
        "Min MaxTransferSize:        64 KB",
        f"Total buffer space:         {count * size_kb * sets // 1024} MB",
        f"Tabular data device count:  {volumes}",
        "Fulltext data device count: 0",
        "Filestream device count:    0",
        "TXF device count:           0",
        "Filesystem i/o alignment:   512",
        f"Media Buffer count:           {count}",
        f"Media Buffer size:          {size_kb}KB",
    ]
    return block + ([f"Encode Buffer count:        {count}"] if sets == 3 else [])


def traced(
    database: str,
    start: float,
    seconds: float,
    *,
    pages: int = 128_000,
    spid: str = "spid51",
    devices: str = r"'E:\b.bak'",
    media: str = "DISK",
    rate: bool = True,
    files: tuple[str, ...] = (),
    **block: int,
) -> list[tuple[float, str, str]]:
    """Return the entries of a full backup as 2012 traces it with flags 3004, 3014 and 3213."""
    end = start + seconds
    said: list[tuple[float, str, str]] = [(start, spid, f"BackupDatabase: Database {database}")]
    said += [(start + 0.02, spid, text) for text in buffers(**block)]
    said += [
        (start + 0.03, spid, "Backup: Media open"),
        (start + 0.04, spid, "Backup: Media ready to backup"),
        (start + 0.1, spid, "BackupDatabase: Checkpoint done"),
        (start + 0.2, spid, "Backup: Copying data"),
        (start + 0.2, spid, f"Backup: DBReaderCount = {block.get('volumes', 1)}"),
    ]
    said += [(start + 0.21, spid, f"Started file {name}") for name in files]
    said += [
        (end - 0.3, spid, "Backup data streams: Initial=1 Final=1 ExcessMode=0"),
        (end, "Backup", backed_up(database, pages + 7, devices, media=media)),
    ]
    if rate:
        said.append((end + 0.02, "Backup", processed("BACKUP DATABASE", pages, seconds - 0.05)))
    return said


def interleaved(*operations: list[tuple[float, str, str]]) -> str:
    """Merge the entries of operations by time, as the server would write them."""
    return log(*sorted((entry for each in operations for entry in each), key=lambda e: e[0]))
