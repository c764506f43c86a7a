"""Small captures, written out."""

from __future__ import annotations

from datetime import datetime, timedelta

START = datetime(2019, 3, 2, 10, 0, 0, 7000)
QUEUE = r"\\JBSAG3\SQLServer:Database Replica(JBDB)\Log Send Queue"
RECEIVED = r"\\JBSAG3\SQLServer:Database Replica(JBDB)\Log Bytes Received/sec"


def perfmon(
    rows: int = 6,
    *,
    every: int = 1,
    zone: str = "(Korea Standard Time)(-540)",
    series: tuple[str, ...] = (QUEUE, RECEIVED),
    start: datetime = START,
    host: str | None = None,
) -> bytes:
    """PDH-CSV: row i holds i, 1000 i, ... every 5 s (every n-th row of it with ``every``)."""
    names = [name.replace("JBSAG3", host) if host else name for name in series]
    lines = [",".join(f'"{cell}"' for cell in (f"(PDH-CSV 4.0) {zone}", *names))]
    for row in range(0, rows, every):
        at = start + timedelta(seconds=5 * row)
        stamp = at.strftime("%m/%d/%Y %H:%M:%S.") + f"{at.microsecond // 1000:03}"
        lines.append(",".join(f'"{cell}"' for cell in (stamp, *(row * 1000**n for n in range(len(names))))))
    return "\r\n".join([*lines, ""]).encode()


def errorlog(
    entries: int = 3,
    *,
    server: str = "JBSAG3",
    adjustment: str | None = "9:00",
    start: datetime = START - timedelta(hours=1),
) -> bytes:
    """A Windows ERRORLOG: banner, start-up lines, then ``entries`` log-on lines a second apart."""

    def line(at: datetime, source: str, text: str) -> str:
        return f"{at:%Y-%m-%d %H:%M:%S}.{at.microsecond // 10000:02} {source:<12}{text}"

    lines = [
        line(start, "Server", "Microsoft SQL Server 2014 (SP3) (KB4022619) - 12.0.6024.0 (X64) "),
        "\tSep  7 2018 01:37:51 ",
        "\tCopyright (c) Microsoft Corporation",
        "\tEnterprise Edition (64-bit) on Windows NT 6.3 <X64> (Build 9600: )",
        "",
    ]
    if adjustment is not None:
        lines.append(line(start, "Server", f"UTC adjustment: {adjustment}"))
    lines.append(
        line(
            start,
            "spid10s",
            f"Server name is '{server}'. This is an informational message only. No user action is required.",
        )
    )
    for number in range(entries):
        at = start + timedelta(minutes=1, seconds=number)
        lines.append(line(at, "Logon", f"Login number {number} succeeded for user 'app'."))
    return b"\xff\xfe" + "\r\n".join([*lines, ""]).encode("utf-16-le")


NETSH = b"""Querying active state...

TCP Global Parameters
----------------------------------------------
Receive-Side Scaling State          : enabled
Receive Window Auto-Tuning Level    : disabled
Add-On Congestion Control Provider  : default
ECN Capability                      : disabled
RFC 1323 Timestamps                 : disabled
"""
