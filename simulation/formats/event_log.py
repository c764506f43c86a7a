"""Windows event logs in the texts that support tools make of them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Event(NamedTuple):
    """An event as Get-EventLog shows it."""

    level: str
    at: datetime
    source: str
    number: int
    message: str
    category: str = "(3)"
    user: str = "NT AUTHORITY\\SYSTEM"
    computer: str = "CONTOSO1"


REMOVED = Event(
    "Error",
    datetime(2026, 2, 28, 22, 10, 44),
    "Microsoft-Windows-FailoverClustering",
    1135,
    "Cluster node 'CONTOSO2' was removed from the active failover cluster membership.",
)
STOPPED = Event(
    "Information",
    datetime(2026, 2, 28, 9, 5, 3),
    "Service Control Manager",
    7036,
    'The "SQL Server", (MSSQLSERVER) service entered the "stopped","halted" state.',
    "None",
    "N/A",
)
SLOW = Event("Warning", datetime(2026, 2, 27, 0, 0, 0), "disk", 153, "The IO operation was retried.")
EVENTS = (REMOVED, STOPPED, SLOW)


def us(at: datetime) -> str:
    half = "AM" if at.hour < 12 else "PM"
    return f"{at.month}/{at.day}/{at.year} {at.hour % 12 or 12}:{at:%M:%S} {half}"


def german(at: datetime) -> str:
    return f"{at:%d.%m.%Y %H:%M:%S}"


def logscout_csv(events=EVENTS, when=us, levels=None) -> str:
    lines = ['"EntryType","TimeGenerated","Source","EventID","Category","Message"']
    for event in events:
        cells = event.level, when(event.at), event.source, event.number, event.category
        lines.append(",".join(f'"{cell}"' for cell in (*cells, event.message)))
    return "\r\n".join(lines) + "\r\n"


def logscout_out(events=EVENTS, when=us) -> str:
    titles = ("Date Time", 25), ("Type/Level", 16), ("Computer Name", 17), ("EventID", 8)
    titles = (*titles, ("Source", 51), ("Task Category", 20), ("Username", 51))
    lines = ["".join(title.ljust(width) for title, width in titles) + "Message", "-" * 230]
    for event in events:
        lines.append(
            when(event.at).ljust(25)
            + event.level.ljust(16)
            + event.computer.ljust(17)
            + str(event.number).ljust(8)
            + event.source[:50].ljust(51)
            + event.category.ljust(20)
            + event.user[:50].ljust(51)
            + event.message
        )
    return "\r\n".join(lines) + "\r\n"


def sdp_txt(events=EVENTS, when=us) -> str:
    """Write a table as SDP does: day and time of day apart, other widths, no user."""
    widths = (11, 13, 12, 25, 11, 45, 20)
    titles = ("Date", "Time", "Type/Level", "Computer Name", "Event Code", "Source", "Task Category")
    rows = [(*titles, "Description"), (*("-" * (width - 1) for width in widths), "-" * 60)]
    for event in events:
        day, clock = when(event.at).split(" ", 1)
        rows.append(
            (
                day,
                clock,
                event.level,
                event.computer,
                str(event.number),
                event.source,
                event.category,
                event.message,
            )
        )
    lines = [
        "".join(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=True)) + row[-1]
        for row in rows
    ]
    return "\r\n".join(lines) + "\r\n"


def sdp_csv(events=EVENTS) -> str:
    lines = ["Date,Time,Type/Level,Computer Name,Event Code,Source,Task Category,Username,Description"]
    for event in events:
        day, clock = us(event.at).split(" ", 1)
        message = event.message.replace('"', '""')
        lines.append(
            f"{day},{clock},{event.level},{event.computer},{event.number},{event.source},"
            f'{event.category},{event.user},"{message}"'
        )
    return "\r\n".join(lines) + "\r\n"


def export_csv(events=EVENTS, when=us) -> str:
    lines = [
        "#TYPE System.Diagnostics.EventLogEntry#System/Service Control Manager/7036",
        '"EventID","MachineName","Data","Index","Category","CategoryNumber","EntryType","Message","Source",'
        '"ReplacementStrings","InstanceId","TimeGenerated","TimeWritten","UserName","Site","Container"',
    ]
    for number, event in enumerate(events):
        message = event.message.replace('"', '""')
        cells = (
            event.number, "CONTOSO1.contoso.lan", "System.Byte[]", 97575 - number, event.category, 3,
            event.level, message, event.source, "System.String[]", event.number, when(event.at),
            when(event.at), event.user,
        )  # fmt: skip
        lines.append(",".join(f'"{cell}"' for cell in cells) + ",,")
    return "\r\n".join(lines) + "\r\n"
