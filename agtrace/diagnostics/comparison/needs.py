"""Captures needed to compare runs, besides those of the analyses of backups and seedings."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

RUNS = Need(
    "relation",
    ("backups", "seedings"),
    "the runs that compare, each with its steps",
    "A run is a backup, its restore on another host and the join there (ERRORLOG of both hosts), or "
    "an automatic seeding (Extended Events, the DMVs' exports, or ERRORLOG); any other window is labelled in "
    "runs.csv.",
    "both ends",
    lacking="No run to compare was captured.",
)

NEEDS = (
    RUNS,
    Need(
        "relation", ("seeding_states",), "the steps of an automatic seeding",
        "Extended Events, or the DMVs' exports, of both ends", "both ends",
    ),
    Need(
        "relation", ("trials",), "labelled windows that are load tests",
        "the results of the load generator", "its host",
    ),
    Need(
        "topic", ("startup",), "the number of cores of each host, to convert utilisation to processor work",
        "ERRORLOG from the start of SQL Server on", "both hosts",
    ),
    Need(
        "topic", ("database_connection", "role_change"), "when the database joined", "ERRORLOG of the target",
    ),
    Need(
        "relation", ("coverage",), "whether a missing join did not happen or was not captured",
        "ERRORLOG of the target for the time after the restore",
    ),
    Need("event", ("alwayson_ddl_executed",), "the statement that joined it", "the AlwaysOn_health session"),
)  # fmt: skip
