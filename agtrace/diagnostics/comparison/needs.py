"""What the comparison of runs reads, beside what the analyses of backups and seedings do."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

NEEDS = (
    Need("relation", ("backups",), "runs that back up, restore and join by hand", "ERRORLOG of both hosts"),
    Need("topic", ("startup",), "how many cores each host has, so that utilisation becomes processor work", "ERRORLOG from the start of SQL Server on", "both hosts"),
    Need("topic", ("database_connection", "role_change"), "when the database joined", "ERRORLOG of the target"),
    Need("event", ("alwayson_ddl_executed",), "the statement that joined it", "the AlwaysOn_health session"),
)  # fmt: skip
