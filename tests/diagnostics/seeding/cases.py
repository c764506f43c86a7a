"""Events, exports and log lines of seedings, as the text tables of `tests.diagnostics.tiny`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from agtrace.history.seedings import Operation
from tests.diagnostics.tiny import START

MB = 1_000_000


def at(seconds: float) -> datetime:
    """Return a UTC time, so many seconds after the start of the case."""
    return START.replace(tzinfo=UTC) + timedelta(seconds=seconds)


def after(time: datetime | None) -> float | None:
    """Return the seconds from the start of the case to a time."""
    return None if time is None else round((time - at(0)).total_seconds(), 3)


def request(
    host: str,
    role: str,
    states: str,
    *,
    operation: str = "op1",
    database: str = "db1",
    remote: str = "r2",
    attempt: int = 1,
    ag: str = "ag1",
    begun: bool = True,
    success: bool | None = None,
    failure: str = "",
) -> str:
    """Return the events of automatic seeding on one host.

    Parameters
    ----------
    states
        ``seconds STATE, seconds STATE``; the first is the one that the start event begins.
    success
        Whether the copy was required, for a success event at the end.
    failure
        ``state text`` for a failure event at the end.
    """
    changes = [part.split() for part in states.split(",")]
    is_source = role == "source"
    guids = (
        f"is_source={int(is_source)}; operation_id={operation}; ag_id={ag}; ag_db_id={database}; "
        f"ag_remote_replica_id={remote}"
    )
    rows = []
    if begun:
        rows.append((changes[0][0], "start", f"operation_attempt_number={attempt}"))
    for before, change in pairwise(changes):
        rows.append((change[0], "state_transition", f"previous_state={before[1]}; current_state={change[1]}"))
    last = changes[-1][0]
    if success is not None:
        rows.append((last, "success", f"required_seeding={int(success)}"))
    if failure:
        number, text = failure.split(" ", 1)
        rows.append((last, "failure", f"failure_state={number}; failure_state_desc={text}"))
    return "".join(
        f"{host} | {seconds} | hadr_automatic_seeding_{event} | {guids}; {fields}\n"
        for seconds, event, fields in rows
    )


def copy(
    host: str,
    role: str,
    start: float,
    end: float,
    *,
    database: str = "Sales",
    guids: str = "a b",
    size: int = 1000 * MB,
    remote: str = "",
    every: float = 10,
    ended: bool = True,
    waits: str = "100 200",
    retries: int | None = None,
) -> str:
    """Return the events of a copy on one host: its states, and its progress at a steady rate.

    Parameters
    ----------
    guids
        ``local remote``.
    waits
        Milliseconds of ``disk network`` at the end.
    """
    local, other = guids.split()
    event, states = {
        "source": ("backup", "Inital WaitingForRestoreToStart ReadingAndSendingData Success"),
        "target": ("restore", "Inital WaitingForBackupToStartSending ReceivingAndWritingData Success"),
    }[role]  # fmt: skip
    idle, waiting, busy, done = states.split()
    desc = {"source": "Source", "target": "Destination"}[role]
    disk, network = map(int, waits.split())

    def row(seconds: float, name: str, fields: str) -> str:
        share = (seconds - start) / (end - start)
        return (
            f"{host} | {seconds} | hadr_physical_seeding_{name} | {fields}; local_seeding_guid={local}; "
            f"remote_seeding_guid={other}; database_name={database}; role_desc={desc}; "
            f"remote_machine_name={remote}; seeding_start_time={start}; "
            f"transferred_size_bytes={round(size * share)}; database_size_bytes={size}; "
            f"transfer_rate_bytes_per_second={round(size / (end - start))}; "
            f"total_disk_io_wait_time_ms={round(disk * share)}; "
            f"total_network_wait_time_ms={round(network * share)}; is_compression_enabled=0; "
            f"database_id=7\n"
        )

    change = f"{event}_state_change"
    text = row(start, change, f"old_state={idle}; new_state={waiting}")
    text += row(start + 0.5, change, f"old_state={waiting}; new_state={busy}")
    seconds = start + every
    while seconds < end:
        text += row(seconds, "progress", f"internal_state_desc={busy}")
        seconds += every
    if retries is not None:
        text += row(end, "submit_callback", f"retry_count={retries}; internal_state_desc={busy}")
    if ended:
        text += row(end, change, f"old_state={busy}; new_state={done}; seeding_end_time={end}")
    return text


def told(operation: Operation) -> str:
    """Return an operation in one line: names, hosts, times after the start, bytes, outcome."""
    ends = "->".join(
        "?" if side is None else (side.host or "unknown") for side in (operation.source, operation.target)
    )
    times = " ".join(
        "-" if time is None else f"{after(time):g}"
        for time in (operation.start, operation.copy_start, operation.copy_end, operation.end)
    )
    copied = "-" if operation.copied_bytes is None else f"{operation.copied_bytes / MB:g} MB"
    return f"{operation.database or '?'} {ends} [{times}] {copied} {operation.outcome}"


def exported(host: str, item: int, *, topic: str = "automatic", file: str = "", **columns: object) -> str:
    """Return a row of an export of a seeding DMV, as its reader gives it; None is NULL.

    Times are given in seconds after the start: without zone, or with Z in columns that end in _utc.
    """
    name = {"automatic": "dm_hadr_automatic_seeding", "physical": "dm_hadr_physical_seeding_stats"}
    rows = []
    for key, value in columns.items():
        if value is None:
            continue
        if key.endswith("_utc"):
            value = f"{at(float(str(value))):%Y-%m-%dT%H:%M:%S.%f}Z"
        elif key.endswith("_time") or key == "sampled":
            value = f"{at(float(str(value))):%Y-%m-%dT%H:%M:%S.%f}"
        rows.append(f"{host}{file} | {name[topic]} | {item} | {key} | {value}\n")
    return "".join(rows)


def operation_row(host: str, item: int, start: float, end: float | None, **more: object) -> str:
    """Return a row of sys.dm_hadr_automatic_seeding."""
    columns: dict[str, object] = {
        "start_time": start, "completion_time": end, "ag_id": "ag1", "ag_db_id": "db1",
        "ag_remote_replica_id": "r2", "operation_id": "op1", "is_source": 1,
        "current_state": "COMPLETED", "performed_seeding": 1, "error_code": 0,
        "number_of_attempts": 1,
    }  # fmt: skip
    return exported(host, item, **columns | more)


def copy_rows(
    host: str, start: float, end: float, *, every: float = 10, size: int = 1000 * MB,
    sampled: str = "sampled_utc", zone: float = 0, done: bool = True, **more: object,
) -> str:  # fmt: skip
    """Return the rows of one copy in snapshots of sys.dm_hadr_physical_seeding_stats.

    Parameters
    ----------
    sampled, zone
        Column of the look's time, None for no such column, and seconds added to it.
    done
        Whether the last look shows the end.
    """
    looks = [start + every * n for n in range(1, int((end - start) / every) + 1)]
    looks = [look for look in looks if look < end] + ([end] if done else [])
    text = ""
    for item, look in enumerate(looks):
        columns: dict[str, object] = {
            "local_physical_seeding_id": "a", "remote_physical_seeding_id": "b",
            "local_database_name": "Sales", "remote_machine_name": "B", "role_desc": "Source",
            "internal_state_desc": "Success" if look == end else "ReadingAndSendingData",
            "transfer_rate_bytes_per_second": round(size / (end - start)),
            "transferred_size_bytes": round(size * (look - start) / (end - start)),
            "database_size_bytes": size, "start_time_utc": start,
            "end_time_utc": end if look == end else None, "total_disk_io_wait_time_ms": 100,
            "total_network_wait_time_ms": 200, "failure_code": 0, "is_compression_enabled": 0,
        }  # fmt: skip
        if sampled:
            columns[sampled] = look + zone
        text += exported(host, item, topic="physical", **columns | more)
    return text
