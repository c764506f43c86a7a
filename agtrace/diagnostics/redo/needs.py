"""Captures needed for the analysis of redo."""

from __future__ import annotations

from agtrace.diagnostics.need import Need

PERFSTATS = "PerfStats of LogScout or PSSDIAG, on the secondary (docs/capture.md, section 9)"

NEEDS = (
    Need(
        "relation", ("waits",), "**what redo waits for**, by wait statistics", PERFSTATS, "secondary",
        lacking="Nothing that tells what redo waits for was captured:",
    ),
    Need(
        "relation", ("blocked_redo",),
        "**who holds the lock that redo waits for**: session, client, program, statement, since when",
        PERFSTATS, "secondary",
    ),
    Need(
        "relation", ("hadr_requests",), "what its tasks wait for at a snapshot, if waits were not captured",
        "sys.dm_exec_requests or sys.dm_os_waiting_tasks, on the secondary", "secondary",
    ),
    Need(
        "relation", ("roles",), "whether a server had secondaries",
        "ERRORLOG, the AlwaysOn_health session", "secondary",
    ),
    Need(
        "relation", ("streams",), "whether redo was behind: its recovery queue",
        "perfmon every 5 or 15 seconds (docs/capture.md, section 1)", "primary and secondary",
    ),
    Need(
        "relation", ("trace_flags",), "whether trace flag 3459 makes redo serial",
        "ERRORLOG, AlwaysOnDiagScript of LogScout", "secondary",
    ),
    Need(
        "topic", ("parallel_redo", "startup", "reinitialized"),
        "threads of parallel redo per database, and databases without any",
        "ERRORLOG from the last start of the server on", "secondary",
    ),
    Need(
        "event", ("lock_redo_blocked",), "which lock redo waited for, how long, on which object",
        "an Extended Events session with lock_redo_blocked (docs/capture.md, section 8)", "secondary",
    ),
)  # fmt: skip
