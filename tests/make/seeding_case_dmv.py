"""Exports of the two views of seeding, as Management Studio saves a result as CSV with headers."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from tests.make.host_facts import text_of
from tests.make.seeding_case_model import Host, Model, Seeding
from tests.make.seeding_case_xel import blocks, states, waits_ms

POLL_S = 10
NULL = "NULL"
AUTOMATIC = (
    "start_time,completion_time,ag_id,ag_db_id,ag_remote_replica_id,operation_id,is_source,"
    "current_state,performed_seeding,failure_state,failure_state_desc,error_code,number_of_attempts"
)
PHYSICAL = (
    "sampled_utc,local_physical_seeding_id,remote_physical_seeding_id,local_database_id,"
    "local_database_name,remote_machine_name,role_desc,internal_state_desc,"
    "transfer_rate_bytes_per_second,transferred_size_bytes,database_size_bytes,start_time_utc,"
    "end_time_utc,estimate_time_complete_utc,total_disk_io_wait_time_ms,"
    "total_network_wait_time_ms,failure_code,failure_message,failure_time_utc,"
    "is_compression_enabled"
)


def automatic(model: Model, host: Host, *, names: bool) -> bytes:
    """Give sys.dm_hadr_automatic_seeding at the case's end, newest first.

    Parameters
    ----------
    names
        Whether the query joined the names of the group, the database and the other replica.
    """
    is_source = host is model.source
    other = model.target if is_source else model.source
    rows = [("ag_name,database_name,replica_server_name," if names else "") + AUTOMATIC]
    for seeding in reversed(model.seedings):
        steps = states(seeding, is_source=is_source)
        cells = [
            *([model.ag, model.database, other.name] if names else []),
            datetime_text(model.clock(host, steps[0][0])),
            datetime_text(model.clock(host, steps[-1][0])),
            upper(model.ag_id),
            upper(model.database_guid),
            upper(seeding.replica_ids[1 if is_source else 0]),
            upper(seeding.operation_ids[0 if is_source else 1]),
            "1" if is_source else "0",
            "COMPLETED",
            "1",
            NULL,
            NULL,
            "0",
            "1",
        ]
        rows.append(",".join(cells))
    return text_of(*rows).encode()


def physical(model: Model, host: Host) -> bytes:
    """Give sys.dm_hadr_physical_seeding_stats, asked every 10 seconds while there are rows."""
    rows = [PHYSICAL]
    for seeding in model.seedings:
        copy = seeding.copy
        chance = model.noise(f"{seeding.label} {host.name} polls")
        t = copy.asked + chance.uniform(1.0, 3.0)
        while t < copy.end:
            rows.append(physical_row(model, host, seeding, t))
            t += POLL_S + chance.uniform(0.002, 0.03)
        rows.append(physical_row(model, host, seeding, copy.end + 0.15))
    return text_of(*rows).encode()


def physical_row(model: Model, host: Host, seeding: Seeding, t: float) -> str:
    """Give the row of a copy at a time."""
    is_source = host is model.source
    other = model.target if is_source else model.source
    local, remote = seeding.guids if is_source else reversed(seeding.guids)
    copy = seeding.copy
    share = model.transferred(copy, t)
    rate = copy.bytes * share / (min(t, copy.end) - copy.asked)
    left = copy.bytes * (1 - share) / rate if rate else 0.0
    has_ended = t >= copy.end
    running = "ReadingAndSendingData" if is_source else "ReceivingAndWritingData"
    disk, network = waits_ms(seeding, share, "source" if is_source else "target")
    cells = [
        f"{model.clock(host, t):%Y-%m-%d %H:%M:%S.%f}0",
        upper(local),
        upper(remote),
        str(host.database_id),
        model.database,
        f"{other.name}.corp.example",
        "Source" if is_source else "Destination",
        "Success" if has_ended else running,
        str(round(rate)),
        str(blocks(copy.bytes * share, copy.bytes)),
        str(model.bytes),
        datetime_text(model.clock(host, copy.asked)),
        datetime_text(model.clock(host, copy.end)) if has_ended else NULL,
        datetime_text(model.clock(host, min(t, copy.end) + left)) if rate else NULL,
        str(disk),
        str(network),
        "0",
        NULL,
        NULL,
        "0",
    ]
    return ",".join(cells)


def upper(value: UUID) -> str:
    return str(value).upper()


def datetime_text(time: datetime) -> str:
    """Write a datetime: its milliseconds end in 0, 3 or 7."""
    thirds = round(time.microsecond / 1e6 * 300)
    milliseconds = min(round(thirds * 10 / 3), 997)
    return f"{time:%Y-%m-%d %H:%M:%S}.{milliseconds:03d}"
