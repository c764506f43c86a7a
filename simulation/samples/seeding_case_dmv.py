"""Exports of the two views of seeding, as Management Studio saves a result as CSV with headers."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from simulation.formats.seeding_dmv import AUTOMATIC, PHYSICAL, Row, write_csv
from simulation.samples.seeding_case_model import Host, Model, Seeding
from simulation.samples.seeding_case_xel import blocks, states, waits_ms

POLL_S = 10
NAMES = ("ag_name", "database_name", "replica_server_name")
SAMPLED = "sampled_utc"


def automatic(model: Model, host: Host, *, names: bool) -> bytes:
    """Return sys.dm_hadr_automatic_seeding at the case's end, newest first.

    Parameters
    ----------
    names
        Whether the query joined the names of the group, the database and the other replica.
    """
    is_source = host is model.source
    other = model.target if is_source else model.source
    rows: list[Row] = []
    for seeding in reversed(model.seedings):
        steps = states(seeding, is_source=is_source)
        rows.append(
            {
                "ag_name": model.ag,
                "database_name": model.database,
                "replica_server_name": other.name,
                "start_time": thirds(model.clock(host, steps[0][0])),
                "completion_time": thirds(model.clock(host, steps[-1][0])),
                "ag_id": upper(model.ag_id),
                "ag_db_id": upper(model.database_guid),
                "ag_remote_replica_id": upper(seeding.replica_ids[1 if is_source else 0]),
                "operation_id": upper(seeding.operation_ids[0 if is_source else 1]),
                "is_source": is_source,
                "current_state": "COMPLETED",
                "performed_seeding": True,
                "error_code": 0,
                "number_of_attempts": 1,
            }
        )
    return write_csv(rows, (*NAMES, *AUTOMATIC) if names else AUTOMATIC).encode()


def physical(model: Model, host: Host) -> bytes:
    """Return sys.dm_hadr_physical_seeding_stats, queried every 10 seconds while there are rows."""
    rows: list[Row] = []
    for seeding in model.seedings:
        copy = seeding.copy
        chance = model.noise(f"{seeding.label} {host.name} polls")
        t = copy.asked + chance.uniform(1.0, 3.0)
        while t < copy.end:
            rows.append(physical_row(model, host, seeding, t))
            t += POLL_S + chance.uniform(0.002, 0.03)
        rows.append(physical_row(model, host, seeding, copy.end + 0.15))
    return write_csv(rows, (SAMPLED, *PHYSICAL)).encode()


def physical_row(model: Model, host: Host, seeding: Seeding, t: float) -> Row:
    """Return the row of a copy at a time."""
    is_source = host is model.source
    other = model.target if is_source else model.source
    local, remote = seeding.guids if is_source else seeding.guids[::-1]
    copy = seeding.copy
    share = model.transferred(copy, t)
    rate = copy.bytes * share / (min(t, copy.end) - copy.asked)
    left = copy.bytes * (1 - share) / rate if rate else 0.0
    has_ended = t >= copy.end
    running = "ReadingAndSendingData" if is_source else "ReceivingAndWritingData"
    disk, network = waits_ms(seeding, share, "source" if is_source else "target")
    return {
        SAMPLED: f"{model.clock(host, t):%Y-%m-%d %H:%M:%S.%f}0",
        "local_physical_seeding_id": upper(local),
        "remote_physical_seeding_id": upper(remote),
        "local_database_id": host.database_id,
        "local_database_name": model.database,
        "remote_machine_name": f"{other.name}.corp.example",
        "role_desc": "Source" if is_source else "Destination",
        "internal_state_desc": "Success" if has_ended else running,
        "transfer_rate_bytes_per_second": round(rate),
        "transferred_size_bytes": blocks(copy.bytes * share, copy.bytes),
        "database_size_bytes": model.bytes,
        "start_time_utc": thirds(model.clock(host, copy.asked)),
        "end_time_utc": thirds(model.clock(host, copy.end)) if has_ended else None,
        "estimate_time_complete_utc": thirds(model.clock(host, min(t, copy.end) + left)),
        "total_disk_io_wait_time_ms": disk,
        "total_network_wait_time_ms": network,
        "failure_code": 0,
        "is_compression_enabled": False,
    }


def upper(value: UUID) -> str:
    return str(value).upper()


def thirds(time: datetime) -> datetime:
    """Return a time as a datetime keeps it: in 300ths of a second, shown as milliseconds."""
    ticks = min(round(time.microsecond * 300 / 1_000_000), 299)
    return time.replace(microsecond=round(ticks * 10 / 3) * 1000)
