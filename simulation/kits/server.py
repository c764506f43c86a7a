"""A server that answers the queries of a kit as sqlcmd prints them: the query's columns, rows as told."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlglot import exp

from simulation.formats.rowsets import table
from simulation.kits.tsql import Statement, parse

Row = Mapping[str, str | int | None]
SCREEN = 65535
EVERY_FEW = re.compile(r"@look % (\d+) = 0")


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


VIEWS = {
    "sys.availability_groups": _names("""
        group_id name resource_id resource_group_id failure_condition_level health_check_timeout
        automated_backup_preference automated_backup_preference_desc version basic_features
        dtc_support db_failover is_distributed cluster_type cluster_type_desc
    """),
    "sys.availability_replicas": _names("""
        replica_id group_id replica_metadata_id replica_server_name owner_sid endpoint_url
        availability_mode availability_mode_desc failover_mode failover_mode_desc session_timeout
        primary_role_allow_connections primary_role_allow_connections_desc
        secondary_role_allow_connections secondary_role_allow_connections_desc create_date
        modify_date backup_priority read_only_routing_url seeding_mode seeding_mode_desc
    """),
    "sys.dm_hadr_database_replica_states": _names("""
        database_id group_id replica_id group_database_id is_local is_primary_replica
        synchronization_state synchronization_state_desc is_commit_participant
        synchronization_health synchronization_health_desc database_state database_state_desc
        is_suspended suspend_reason suspend_reason_desc recovery_lsn truncation_lsn last_sent_lsn
        last_sent_time last_received_lsn last_received_time last_hardened_lsn last_hardened_time
        last_redone_lsn last_redone_time log_send_queue_size log_send_rate redo_queue_size redo_rate
        filestream_send_rate end_of_log_lsn last_commit_lsn last_commit_time
        low_water_mark_for_ghosts secondary_lag_seconds
    """),
    "sys.dm_hadr_automatic_seeding": _names("""
        start_time completion_time ag_id ag_db_id ag_remote_replica_id operation_id is_source
        current_state performed_seeding failure_state failure_state_desc error_code
        number_of_attempts
    """),
    "sys.dm_hadr_physical_seeding_stats": _names("""
        local_physical_seeding_id remote_physical_seeding_id local_database_id local_database_name
        remote_machine_name role_desc internal_state_desc transfer_rate_bytes_per_second
        transferred_size_bytes database_size_bytes start_time_utc end_time_utc
        estimate_time_complete_utc total_disk_io_wait_time_ms total_network_wait_time_ms
        failure_code failure_message failure_time_utc is_compression_enabled
    """),
}  # fmt: skip
"""Columns of the views of which a kit takes all, as SQL Server 2017 and Microsoft's reference have them."""


@dataclass
class Server:
    """A server, asked at a moment.

    Parameters
    ----------
    name
        Its name.
    moment
        Local time of the first look.
    rows
        Gives the rows of a rowset by its title and the number of the look; "" is the title of one without.
    """

    name: str
    moment: datetime
    rows: Callable[[str, int], Sequence[Row]]
    offset_hours: str = "-6.00"
    _title: str = field(default="", init=False)
    _look: int = field(default=0, init=False)

    def sqlcmd(self, sql: str, *, looks: int = 1, every: timedelta = timedelta(seconds=15)) -> str:
        """Return what sqlcmd prints for a file.

        Parameters
        ----------
        looks
            How often what is asked again and again is asked.
        """
        self._title, self._look = "", 0
        return "".join(self._run(each, looks, every) for each in parse(sql.replace("$(Minutes)", "30")))

    @property
    def _now(self) -> datetime:
        return self.moment

    def _run(self, statement: Statement, looks: int, every: timedelta) -> str:
        if statement.verb == "PRINT":
            return self._print(statement)
        if statement.verb == "SELECT":
            return self._select(statement)
        if statement.verb == "DBCC":
            columns = (("TraceFlag", -9), ("Status", -6), ("Global", -6), ("Session", -7))
            done = "DBCC execution completed.\r\n"
            return table(columns, [(3226, 1, 1, 0)], SCREEN) + "\r\n" + done
        if statement.verb == "IF":
            return self._all(statement, looks, every) if self._holds(statement.text) else ""
        if statement.verb == "WHILE":
            text = ""
            for self._look in range(looks):
                text += self._all(statement, looks, every)
                self.moment += every
            return text
        return ""

    def _all(self, statement: Statement, looks: int, every: timedelta) -> str:
        return "".join(self._run(each, looks, every) for each in statement.body)

    def _holds(self, condition: str) -> bool:
        if found := EVERY_FEW.fullmatch(condition):
            return self._look % int(found[1]) == 0
        assert condition.startswith("EXISTS (SELECT 1 FROM sys.dm_hadr_physical_seeding_stats)"), condition
        return bool(self.rows("AG_hadr_physical_seeding_stats", self._look))

    def _print(self, statement: Statement) -> str:
        text = statement.text.removeprefix("PRINT").strip()
        said = text.split("'")[1]
        if "GETDATE" in text:
            return f"{said}{self._now:%Y-%m-%dT%H:%M:%S}.220\r\n"
        self._title = said.strip("- ")
        return f"{said}\r\n"

    def _select(self, statement: Statement) -> str:
        names = columns_of(statement.tree)
        rows = self.rows(self._title, self._look)
        if self._title == "Names of databases" and self._look:
            rows = []
        told = []
        for row in rows:
            if unknown := [name for name in row if name not in names]:
                raise KeyError(f"{self._title}: the query has no column {', '.join(unknown)}")
            known = {"runtime": f"{self._now:%Y-%m-%dT%H:%M:%S}.220", "server_name": self.name} | dict(row)
            known.setdefault("sampled_utc", f"{self._now + timedelta(hours=6):%Y-%m-%d %H:%M:%S}.0000000")
            told.append([known.get(name) for name in names])
        widths = [
            max([len(name), *(len(str(row[n] or "")) for row in told)], default=1)
            for n, name in enumerate(names)
        ]
        return table(list(zip(names, widths, strict=True)), told, SCREEN) + "\r\n"


def columns_of(query: exp.Expression | None) -> list[str]:
    """Return the names of a query's columns, each once; all of a view if it asks for them."""
    assert isinstance(query, exp.Select), query
    views = {each.alias: f"{each.db}.{each.name}" for each in query.find_all(exp.Table)}
    names: list[str] = []
    for each in query.selects:
        if isinstance(each, exp.Column) and isinstance(each.this, exp.Star):
            names += VIEWS[views[each.table]]
        else:
            names.append(each.alias_or_name)
    return list(dict.fromkeys(names))
