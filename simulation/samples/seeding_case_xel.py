"""The Extended Events files of a seeding case: a session for seeding, and AlwaysOn_health."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from uuid import UUID

from simulation.formats.xel import Event, XelFile, filetime
from simulation.formats.xel_sessions import (
    ALWAYSON_HEALTH,
    AUTOMATIC_SEEDING,
    PHYSICAL_SEEDING,
    REPLICA_ROLE,
    SCHEMAS,
)
from simulation.samples.seeding_case_model import Host, Model, Seeding, guid

PROGRESS_S = 5
SESSION, HEALTH = "hadr_direct_seeding", "AlwaysOn_health"
NO_END = 0

Timed = tuple[float, str, dict[str, object]]
"""When (true time), the event's name, its fields."""


def file_name(session: str, started: datetime) -> str:
    """Return the name that the server gives a file: the session's, and when it was made."""
    return f"{session}_0_{filetime(started) // 10_000 * 10_000}.xel"


def xel_file(
    model: Model, host: Host, session: str, events: Sequence[Timed], started: float
) -> tuple[str, bytes]:
    """Write the file of one run of a session, begun at a time (before the case as a rule)."""
    since = model.clock(host, started).replace(microsecond=0) + timedelta(milliseconds=230)
    file = XelFile(
        base=filetime(since),
        run=guid(f"{host.name} {session} {started} run"),
        guid=guid(f"{host.name} {session} {started} file"),
        schemas=ALWAYSON_HEALTH if session == HEALTH else [*AUTOMATIC_SEEDING, *PHYSICAL_SEEDING],
    )
    chance = model.noise(f"{host.name} {session}")
    written = [
        Event(SCHEMAS[name], file.ticks(model.clock(host, t)) + chance.randrange(10), fields)
        for t, name, fields in sorted(events, key=lambda event: event[0])
    ]
    return file_name(session, since), file.write(written)


def seeding_events(model: Model, seeding: Seeding, *, is_source: bool) -> list[Timed]:
    """Return the events of one seeding as one end writes them, in time order."""
    automatic = automatic_events(model, seeding, is_source=is_source)
    return sorted(
        [*automatic, *physical_events(model, seeding, is_source=is_source)], key=lambda event: event[0]
    )


def states(seeding: Seeding, *, is_source: bool) -> list[tuple[float, str]]:
    """Return the states of automatic seeding with their starts."""
    start, copy = seeding.start, seeding.copy
    if not is_source:
        return [
            (start + 0.21, "PENDING"),
            (start + 0.33, "CHECK_IF_SEEDING_NEEDED"),
            (copy.asked - 0.12, "SEEDING"),
            (copy.end + 0.46, "CATCHUP"),
            (seeding.end - 0.09, "COMPLETED"),
        ]
    found = [
        (start, "PENDING"),
        (start + 0.09, "CHECK_IF_SEEDING_NEEDED"),
        (start + 0.27, "SENDING_FILE_LIST"),
    ]
    if seeding.slot_s:
        found.append((copy.asked - 0.2 - seeding.slot_s, "LIMIT_CONCURRENT_BACKUPS"))
    return [*found, (copy.asked - 0.2, "SEEDING"), (copy.end + 0.37, "CATCHUP"), (seeding.end, "COMPLETED")]


def automatic_events(model: Model, seeding: Seeding, *, is_source: bool) -> list[Timed]:
    """Return start, transitions and success."""
    ids: dict[str, object] = {
        "is_source": is_source,
        "operation_id": seeding.operation_ids[0 if is_source else 1],
        "ag_id": model.ag_id,
        "ag_db_id": model.database_guid,
        "ag_remote_replica_id": seeding.replica_ids[1 if is_source else 0],
    }
    steps = states(seeding, is_source=is_source)
    found: list[Timed] = [
        (steps[0][0], "hadr_automatic_seeding_start", {**ids, "operation_attempt_number": 1})
    ]
    for (_, before), (t, now) in pairwise(steps):
        fields = {**ids, "previous_state": before, "current_state": now}
        found.append((t, "hadr_automatic_seeding_state_transition", fields))
    success = {**ids, "required_seeding": True}
    found.append((seeding.end + 0.004, "hadr_automatic_seeding_success", success))
    return found


def physical_steps(seeding: Seeding, *, is_source: bool) -> list[tuple[float, int]]:
    """Return the states of the copy: number in the map, start."""
    begin, end = seeding.copy.start, seeding.copy.end
    if is_source:
        return [(begin - 0.31, 1), (begin, 2), (end - 1.2, 3), (end - 0.3, 4), (end, 5), (end + 0.18, 7)]
    return [
        (begin - 0.28, 1),
        (begin + 0.03, 2),
        (end - 0.41, 3),
        (end - 0.02, 6),
        (end + 0.06, 4),
        (end + 0.21, 8),
    ]


def physical_events(model: Model, seeding: Seeding, *, is_source: bool) -> list[Timed]:
    """Return the copy's states, its progress, and its callback."""
    side = "backup" if is_source else "restore"
    change = f"hadr_physical_seeding_{side}_state_change"
    names = SCHEMAS[change].columns["new_state"].type.texts
    steps = [(seeding.copy.asked, 0), *physical_steps(seeding, is_source=is_source)]
    found: list[Timed] = []
    for (_, old), (t, new) in pairwise(steps):
        state = {"old_state": old, "new_state": new}
        statistics = copy_fields(model, seeding, t, is_source=is_source, state=names[new])
        found.append((t, change, {**state, **statistics}))
    chance = model.noise(f"{seeding.label} {side} progress")
    running = names[2]
    count = int(seeding.copy.seconds / PROGRESS_S)
    for n in range(1, count + 1):
        t = seeding.copy.start + PROGRESS_S * n + chance.uniform(0.001, 0.02)
        if t < seeding.copy.end - 1.3:
            fields = copy_fields(model, seeding, t, is_source=is_source, state=running)
            found.append((t, "hadr_physical_seeding_progress", fields))
    last = seeding.copy.end + 0.12
    fields = copy_fields(model, seeding, last, is_source=is_source, state=names[5 if is_source else 4])
    found.append((last, "hadr_physical_seeding_submit_callback", {"retry_count": 0, **fields}))
    return found


def waits_ms(seeding: Seeding, share: float, end: str) -> tuple[int, int]:
    """Return (disk, network) waits in ms after a share of the copy."""
    waits = seeding.copy.waits_s
    return round(1000 * share * waits[end, "disk"]), round(1000 * share * waits[end, "network"])


def copy_fields(
    model: Model, seeding: Seeding, t: float, *, is_source: bool, state: str
) -> dict[str, object]:
    """Return the statistics in events of the copy at a time, by this end's clock."""
    host, other = (model.source, model.target) if is_source else (model.target, model.source)
    local, remote = seeding.guids if is_source else reversed(seeding.guids)
    copy = seeding.copy
    share = model.transferred(copy, t)
    elapsed = min(t, copy.end) - copy.asked
    rate = copy.bytes * share / elapsed if elapsed > 0 else 0.0
    left = copy.bytes * (1 - share) / rate if rate else 0.0
    disk, network = waits_ms(seeding, share, "source" if is_source else "target")
    return {
        "database_id": host.database_id,
        "transferred_size_bytes": blocks(copy.bytes * share, copy.bytes),
        "transfer_rate_bytes_per_second": round(rate),
        "database_size_bytes": model.bytes,
        "seeding_start_time": filetime(model.clock(host, copy.asked)),
        "seeding_end_time": filetime(model.clock(host, copy.end)) if t >= copy.end else NO_END,
        "estimated_completion_time": filetime(model.clock(host, min(t, copy.end) + left)) if rate else NO_END,
        "total_disk_io_wait_time_ms": disk,
        "total_network_wait_time_ms": network,
        "is_compression_enabled": False,
        "failure_code": 0,
        "local_seeding_guid": local,
        "remote_seeding_guid": remote,
        "database_name": model.database,
        "role_desc": "Source" if is_source else "Destination",
        "remote_machine_name": f"{other.name}.corp.example",
        "failure_message": "",
        "internal_state_desc": state,
    }


def blocks(amount: float, whole: int) -> int:
    """Return bytes in whole transfers of 64 KB."""
    return min(round(amount / 65_536) * 65_536, whole) if amount < whole else whole


def ddl(model: Model, host: Host, t: float, action: int, statement: str) -> list[Timed]:
    """Return the two events of a statement about the group: begun, without its id, and committed."""
    fields: dict[str, object] = {
        "ddl_action": action,
        "statement": statement,
        "availability_group_name": model.ag,
        "nt_username": "CORP\\dba",
        "client_hostname": host.name,
        "client_app_name": "Microsoft SQL Server Management Studio - Query",
    }
    return [
        (t + after, "alwayson_ddl_executed", {**fields, "ddl_phase": phase, "availability_group_id": group})
        for after, phase, group in ((0.0, 0, UUID(int=0)), (0.07, 1, model.ag_id))
    ]


def role(model: Model, host: Host, replica: UUID, t: float, before: str, now: str) -> Timed:
    """Return the event of a replica that changes its role."""
    numbers = {text: number for number, text in REPLICA_ROLE.texts.items()}
    fields: dict[str, object] = {
        "previous_state": numbers[before],
        "current_state": numbers[now],
        "availability_group_id": model.ag_id,
        "availability_group_name": model.ag,
        "availability_replica_id": replica,
        "availability_replica_name": host.name,
    }
    return t, "availability_replica_state_change", fields


def starts(model: Model, replica: UUID, t: float) -> list[Timed]:
    """Return the events of a replica that starts: the manager online, the replica starting."""
    fields: dict[str, object] = {
        "current_state": 0,
        "availability_group_id": model.ag_id,
        "availability_group_name": model.ag,
        "availability_replica_id": replica,
    }
    online: dict[str, object] = {"current_state": 1}
    return [
        (t, "availability_replica_state", fields),
        (t + 0.08, "availability_replica_manager_state_change", online),
    ]


def reported(t: float, number: int, message: str) -> Timed:
    """Return the event of a message, as AlwaysOn_health keeps those about the group."""
    fields: dict[str, object] = {
        "error_number": number,
        "severity": 10,
        "state": 1,
        "user_defined": False,
        "category": 2,
        "destination": 12,
        "is_intercepted": False,
        "message": message,
    }
    return t, "error_reported", fields
