"""Small error logs that tools saved as rows: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

ROWS = "LogDate,ProcessInfo,Text\r\n" + "".join(
    f'2024-03-05 12:{minute:02d}:00.120,spid9s,"Starting up database ""D{minute}""."\r\n'
    for minute in range(30)
)
VIEWER = "".join(
    f"Date\t\t03/15/2024 12:{minute:02d}:00\r\nLog\t\tSQL Server (Current - 3/15/2024)\r\n\r\n"
    f"Source\t\tspid9s\r\n\r\nMessage\r\nStarting up database 'D{minute}'.\r\n\r\n"
    for minute in reversed(range(30))
)


def captures() -> Iterator[tuple[str, bytes]]:
    yield "sp_readerrorlog.csv", ROWS.encode()
    yield "LogExport.log", VIEWER.encode("utf-16")
