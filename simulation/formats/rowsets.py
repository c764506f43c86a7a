"""Writes rowsets as sqlcmd does: fixed width, one blank between, lines broken at the screen's width."""

from __future__ import annotations

from collections.abc import Sequence

Column = tuple[str, int]
"""Name, and characters of the type's display size: negative for numbers, which stand at the right."""
Cell = str | int | None


def rowset(name: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], screen: int = 8000) -> str:
    """Write a rowset under ``-- name --``, with a blank line behind it."""
    return f"-- {name} --\r\n" + table(columns, rows, screen) + "\r\n"


def titled(title: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], screen: int = 20000) -> str:
    """Write a rowset under a title between rulers, as the script of SDP does."""
    ruler = "=" * len(title)
    return f"{ruler}\r\n{title}\r\n{ruler}\r\n\r\n" + table(columns, rows, screen) + "\r\n"


def table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], screen: int = 8000) -> str:
    """Write header, dashes and rows."""
    widths = [max(len(name), abs(width)) for name, width in columns]
    lines = [
        " ".join(name.ljust(width) for (name, _), width in zip(columns, widths, strict=True)),
        " ".join("-" * width for width in widths),
    ]
    for row in rows:
        cells = ["NULL" if cell is None else str(cell) for cell in row]
        lines.append(
            " ".join(
                cell.rjust(width) if size < 0 else cell.ljust(width)
                for cell, width, (_name, size) in zip(cells, widths, columns, strict=True)
            )
        )
    broken = [line[at : at + screen] for line in lines for at in range(0, max(len(line), 1), screen)]
    return "".join(f"{line}\r\n" for line in broken)


def look(moment: str) -> str:
    """Write what SELECT GETDATE() gives: a column without a name."""
    return f"{' ' * 23}\r\n{'-' * 23}\r\n{moment}\r\n\r\n"


WAITS = (
    ("runtime", 30), ("waiting_tasks_count", -20), ("wait_time_ms", -20),
    ("max_wait_time_ms", -20), ("signal_wait_time_ms", -20), ("wait_type", 60),
)  # fmt: skip


def waits(moment: str, figures: dict[str, tuple[int, int]]) -> str:
    """Write one look at sys.dm_os_wait_stats: waits and milliseconds by type."""
    rows = [(moment, tasks, ms, 1, 1, name) for name, (tasks, ms) in figures.items()]
    return f"Start time: {moment}\r\n \r\n" + rowset("dm_os_wait_stats", WAITS, rows)


FILES = (
    ("runtime", 30), ("DbId", -6), ("FileId", -6), ("NumberReads", -20), ("BytesRead", -20),
    ("IoStallReadMS", -20), ("NumberWrites", -20), ("BytesWritten", -20), ("IoStallWriteMS", -20),
    ("type_desc", 60), ("database", 128), ("file", 260),
)  # fmt: skip


def file_stats(moment: str, rows: Sequence[Sequence[Cell]]) -> str:
    """Write one look at the files: all columns but the first."""
    return rowset("File Stats (full)", FILES, [(moment, *row) for row in rows])


REPLICAS = (
    ("group_name", 256), ("replica_server_name", 256), ("node_name", 256), ("replica_id", 36),
    ("group_id", 36), ("endpoint_url", 256), ("availability_mode", -17),
    ("availability_mode_desc", 60), ("failover_mode", -13), ("failover_mode_desc", 60),
    ("session_timeout", -15), ("is_local", -8), ("role", -4), ("role_desc", 60),
    ("connected_state_desc", 60), ("synchronization_health_desc", 60),
    ("last_connect_error_number", -25), ("last_connect_error_description", 512),
)  # fmt: skip
STATES = (
    ("Availability_Group", 128), ("replica_id", 36), ("group_database_id", 36),
    ("database_name", 128), ("database_id", -11), ("group_id", 36), ("is_local", -8),
    ("synchronization_state_desc", 60), ("synchronization_health_desc", 60), ("is_suspended", -12),
    ("suspend_reason_desc", 60), ("log_send_queue_size", -20), ("log_send_rate", -20),
    ("redo_queue_size", -20), ("redo_rate", -20), ("secondary_lag_seconds", -21), ("name", 128),
    ("replica_name", 256), ("endpoint_url", 256), ("availability_mode", -17),
)  # fmt: skip
AG, A, B = (f"{letter * 8}-1111-4222-8333-0123456789AB" for letter in "ABC")


def replicas(ag: str = "AG1", first: str = "SRV1", second: str = "SRV2") -> str:
    """Write the replicas of a group of two, as LogScout's script does."""
    rows = [
        (ag, server, server.split("\\")[0], number, AG, f"TCP://{server}:5022", mode, name, 0, "AUTOMATIC",
         10, int(server == first), role, role_name, "CONNECTED", "HEALTHY", error, text)
        for server, number, mode, name, role, role_name, error, text in (
            (first, A, 1, "SYNCHRONOUS_COMMIT", 1, "PRIMARY", None, None),
            (second, B, 0, "ASYNCHRONOUS_COMMIT", 2, "SECONDARY", 35250, "The connection is not active."),
        )
    ]  # fmt: skip
    return rowset("AG_hadr_ag_replica_states", REPLICAS, rows)


def states(databases: Sequence[str], ag: str = "AG1", servers: Sequence[str] = ("SRV1", "SRV2")) -> str:
    """Write the states of databases on two replicas, as LogScout's script does."""
    rows = []
    for number, database in enumerate(databases):
        guid = f"{number:08X}-2222-4222-8333-0123456789AB"
        rows += [
            (ag, A, guid, database, 5 + number, AG, 1, "SYNCHRONIZED", "HEALTHY", 0, None, None, None,
             None, None, None, ag, servers[0], "TCP://x:5022", 1),
            (ag, B, guid, database, 5 + number, AG, 0, "SYNCHRONIZING", "PARTIALLY_HEALTHY", 1,
             "SUSPEND_FROM_USER", 12 + number, 18233, 40960, 20480, 2, ag, servers[1], "TCP://y:5022", 0),
        ]  # fmt: skip
    text = rowset("AG", STATES, rows)
    return text.replace("-- AG --", "--AG_hadr_ag_database_replica_states--", 1)
