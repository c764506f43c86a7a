"""Which columns the two seeding DMVs have, and what the columns of an export are by their names.

Source: Microsoft documentation, "sys.dm_hadr_automatic_seeding" and
"sys.dm_hadr_physical_seeding_stats"; the documentation once spelled ``transfered_size_bytes``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from agtrace.tables.column_names import MAX_COLUMNS, plain

AUTOMATIC = "dm_hadr_automatic_seeding"
PHYSICAL = "dm_hadr_physical_seeding_stats"


class ColumnKind(Enum):
    """Type of the values of a column."""

    TIME = auto()
    UTC = auto()
    GUID = auto()
    INTEGER = auto()
    BIT = auto()
    TEXT = auto()


COLUMNS: dict[str, dict[str, ColumnKind]] = {
    AUTOMATIC: {
        "start_time": ColumnKind.TIME, "completion_time": ColumnKind.TIME, "ag_id": ColumnKind.GUID,
        "ag_db_id": ColumnKind.GUID, "ag_remote_replica_id": ColumnKind.GUID, "operation_id": ColumnKind.GUID,
        "is_source": ColumnKind.BIT, "current_state": ColumnKind.TEXT, "performed_seeding": ColumnKind.BIT,
        "failure_state": ColumnKind.INTEGER, "failure_state_desc": ColumnKind.TEXT,
        "error_code": ColumnKind.INTEGER, "number_of_attempts": ColumnKind.INTEGER,
    },
    PHYSICAL: {
        "local_physical_seeding_id": ColumnKind.GUID, "remote_physical_seeding_id": ColumnKind.GUID,
        "local_database_id": ColumnKind.INTEGER, "local_database_name": ColumnKind.TEXT,
        "remote_machine_name": ColumnKind.TEXT, "role_desc": ColumnKind.TEXT,
        "internal_state_desc": ColumnKind.TEXT, "transfer_rate_bytes_per_second": ColumnKind.INTEGER,
        "transferred_size_bytes": ColumnKind.INTEGER, "database_size_bytes": ColumnKind.INTEGER,
        "start_time_utc": ColumnKind.UTC, "end_time_utc": ColumnKind.UTC,
        "estimate_time_complete_utc": ColumnKind.UTC, "total_disk_io_wait_time_ms": ColumnKind.INTEGER,
        "total_network_wait_time_ms": ColumnKind.INTEGER, "failure_code": ColumnKind.INTEGER,
        "failure_message": ColumnKind.TEXT, "failure_time_utc": ColumnKind.UTC,
        "is_compression_enabled": ColumnKind.BIT,
    },
}  # fmt: skip
"""Columns of each DMV in their order; current_state is text, whatever the documentation says."""

KINDS = COLUMNS[AUTOMATIC] | COLUMNS[PHYSICAL]

_RARE = {
    AUTOMATIC: {"ag_db_id", "ag_remote_replica_id", "performed_seeding"},
    PHYSICAL: {
        "local_physical_seeding_id",
        "remote_physical_seeding_id",
        "internal_state_desc",
        "transfer_rate_bytes_per_second",
        "total_disk_io_wait_time_ms",
        "total_network_wait_time_ms",
    },
}
_FAILURE = {"failure_state", "failure_state_desc"}
_GROUP = {"ag_id", "ag_name", "aag_name", "replica_server_name", "availability_group_name"}
_NOT_IN_EVENTS = {
    AUTOMATIC: {"start_time", "completion_time", "performed_seeding", "number_of_attempts"},
    PHYSICAL: {
        "local_physical_seeding_id",
        "remote_physical_seeding_id",
        "local_database_id",
        "local_database_name",
        "start_time_utc",
        "end_time_utc",
        "estimate_time_complete_utc",
    },
}
"""Columns of the DMVs alone; the seeding Extended Events share the others, but their exports do not count."""
LEAST = 3
"""Columns of a DMV that an export must have to be one of it."""

_ALIASES = {
    "transfered_size_bytes": "transferred_size_bytes",
    "estimated_time_complete_utc": "estimate_time_complete_utc",
    "role": "role_desc",
    **dict.fromkeys(
        ("servername", "@@servername", "server", "machine_name", "machinename", "local_machine_name",
         "host_name", "hostname", "computer_name", "computername"),
        "server_name",
    ),
    **dict.fromkeys(
        ("sample_time_utc", "collection_time_utc", "collected_utc", "capture_time_utc",
         "captured_utc", "snapshot_time_utc", "sampled_at_utc", "poll_time_utc", "now_utc",
         "utc_now", "utcnow", "utc_time", "getutcdate", "sysutcdatetime", "timestamp_utc",
         "timestamp_(utc)"),
        "sampled_utc",
    ),
    **dict.fromkeys(
        ("sample_time", "sampled_at", "collection_time", "collected", "collected_at",
         "capture_time", "captured", "captured_at", "snapshot_time", "poll_time", "polled", "now",
         "current_time", "query_time", "run_time", "log_time", "logged", "timestamp",
         "current_timestamp", "getdate", "sysdatetime", "sampled_local"),
        "sampled",
    ),
}  # fmt: skip
_LOCAL = frozenset({"current_timestamp", "getdate", "sysdatetime", "sampled_local"})
"""Names of a sampling column that say that it is local time."""

_SCALED = {
    f"{name}_{unit}": (f"{column}_size_bytes", factor)
    for column, names in (
        ("transferred", ("transferred_size", "transferred")),
        ("database", ("database_size",)),
    )
    for name in names
    for unit, factor in (("kb", 1024), ("mb", 1024 * 1024))
}
_UNITS = (("_bytes_per_second", "B/s"), ("_bytes", "B"), ("_ms", "ms"), ("_kb", "KB"), ("_mb", "MB"))

SIGNS = tuple(
    sign
    for name in sorted(_RARE[AUTOMATIC] | _RARE[PHYSICAL] | {"failure_state"})
    for sign in (name, name.replace("_", " "))
)


class Column(NamedTuple):
    """One column of an export, as facts name it.

    Parameters
    ----------
    place
        Position in the export, from 0.
    key
        The DMV's name where it is one of its columns, else the export's own, in lower case.
    kind
        What its values are.
    strict
        Whether other values are faults: they are in the DMV's own columns.
    topics
        DMVs whose rows it belongs to.
    factor
        Multiplies numbers of a unit that is not the DMV's.
    is_local
        A sampling time that says that it is local.
    """

    place: int
    key: str
    kind: ColumnKind
    strict: bool
    topics: tuple[str, ...]
    factor: int = 1
    is_local: bool = False

    @property
    def unit(self) -> str | None:
        """Unit of the values, derived from the name."""
        return unit_of(self.key)


def unit_of(key: str) -> str | None:
    """Return the unit of a column's values, from the end of its name."""
    return next((unit for end, unit in _UNITS if key.endswith(end)), None)


def topics_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the DMVs that an export shows, by its column names; none for unknown names."""
    if not LEAST <= len(names) <= MAX_COLUMNS:
        return ()
    known = {_ALIASES.get(name, name) for name in map(plain, names)}
    rare = _RARE[AUTOMATIC] | (_FAILURE if known & _GROUP else set())
    return tuple(
        topic
        for topic, distinctive in ((AUTOMATIC, rare), (PHYSICAL, _RARE[PHYSICAL]))
        if known & distinctive
        and known & _NOT_IN_EVENTS[topic]
        and len(known & COLUMNS[topic].keys()) >= LEAST
    )


def columns_of(names: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of an export; empty if it shows no DMV.

    Own names go before other names for the same; what is left over keeps the export's own name.
    """
    topics = topics_of(names)
    if not topics:
        return ()
    written = [plain(name) for name in names]
    taken = {name for name in written if name in KINDS or name in ("sampled", "sampled_utc")}
    seen: set[str] = set()
    columns = []
    for place, name in enumerate(written):
        key = name
        alias = _ALIASES.get(name)
        if alias and alias not in taken and alias not in seen:
            key = alias
        if not name or name.startswith("(no_column_name"):
            key = f"column_{place + 1}"
        key = _free(key, seen)
        columns.append(_column(place, key, topics, is_local=name in _LOCAL))
        scaled, factor = _SCALED.get(name, ("", 1))
        if scaled and scaled not in taken and scaled not in seen:
            seen.add(scaled)
            columns.append(_column(place, scaled, topics)._replace(factor=factor))
    return tuple(columns)


def _free(key: str, seen: set[str]) -> str:
    number, free = 2, key
    while free in seen:
        free, number = f"{key}_{number}", number + 1
    seen.add(free)
    return free


def _column(place: int, key: str, topics: tuple[str, ...], *, is_local: bool = False) -> Column:
    owners = tuple(topic for topic in topics if key in COLUMNS[topic])
    if key in KINDS:
        return Column(place, key, KINDS[key], strict=True, topics=owners or topics)
    if key.endswith("_utc"):
        kind = ColumnKind.UTC
    elif key == "sampled" or key.endswith(("_time", "_date", "_at")):
        kind = ColumnKind.TIME
    elif key.startswith("is_"):
        kind = ColumnKind.BIT
    elif re.search(r"(?:^|_)(?:id|guid)$", key):
        kind = ColumnKind.GUID
    else:
        kind = ColumnKind.TEXT
    strict = key in ("sampled", "sampled_utc")
    return Column(place, key, kind, strict, topics, is_local=is_local and key == "sampled")
