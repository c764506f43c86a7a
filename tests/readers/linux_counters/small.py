"""A small file of raw counters: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from simulation.formats.linux_support import look

START = datetime(2026, 3, 1, 10, 15, 30, 913000)
REPLICA, BUFFERS, LOCKS = ("SQLServer:Database Replica", "SQLServer:Buffer Manager", "SQLServer:Locks")


def counters(number: int) -> list[tuple[str, str, str, int, int]]:
    """Return a snapshot's raw values, 15 s after the one before."""
    return [
        (REPLICA, "Log Send Queue", "Sales", 40 + number, 65792),
        (REPLICA, "Log Bytes Received/sec", "Sales", 15000 * number, 272696576),
        (BUFFERS, "Buffer cache hit ratio", "", 90, 537003264),
        (BUFFERS, "Buffer cache hit ratio base", "", 120, 1073939712),
        (LOCKS, "Average Wait Time (ms)", "Database", 600 * number, 1073874176),
        (LOCKS, "Average Wait Time Base", "Database", 30 * number, 1073939712),
    ]


def text(looks: int = 3, width: int = 80) -> str:
    return "".join(
        look(START + timedelta(seconds=15 * number), counters(number), width) for number in range(looks)
    )


def captures() -> Iterator[tuple[str, bytes]]:
    yield "contoso-l1_host_instance_SQL_Performance_Counters.out", text().encode()
