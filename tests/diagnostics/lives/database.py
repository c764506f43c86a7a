"""Lives of full logs, reverts, and databases that did not recover."""

from __future__ import annotations

from agtrace.diagnostics.database import Databases
from tests.diagnostics.database import test_filling, test_log_full, test_reverting
from tests.diagnostics.lives.life import Life, nothing, of

FULL = test_log_full.full(100)
GONE = test_log_full.happened(60, "database_disconnected")


def fault(kind: str) -> str:
    start = "2024-03-05T12:01:40Z"
    return (
        f"SQL1 | 100 | database_faults | database=Sales; kind={kind}; entries=1; start={start}; end={start}; "
        "start_local=2024-03-05T12:01:40; end_local=2024-03-05T12:01:40; line=4"
    )


def full(reason: str) -> str:
    return test_log_full.full(100, reason=reason)


def undo(values: str) -> str:
    return test_reverting.LEFT + values


REASONS = {
    "replication": "REPLICATION", "running_backup": "ACTIVE_BACKUP_OR_RESTORE",
    "mirroring": "DATABASE_MIRRORING", "snapshot_creation": "DATABASE_SNAPSHOT_CREATION", "scan": "LOG_SCAN",
    "checkpoint": "OLDEST_PAGE", "xtp": "XTP_CHECKPOINT", "nothing": "NOTHING", "other": "OTHER_TRANSIENT",
}  # fmt: skip
REVERTING = "SQL2 | 60 | database_states | ag=AG; database=Sales; replica=SQL2; synchronization_state={}"
RECOVERED = "SQL1 | 700 | recovery | 3421 | event=completed; database=Sales; seconds={}"
LOOKED = "SQL1 | 60 | databases | database=Sales; {}"
DATABASE = (
    Life("database/recovery", "database.recovery", of(Databases, messages=RECOVERED.format(600)),
         of(Databases, messages=RECOVERED.format(1)), nothing(Databases)),
    Life("database/log_full.replica", "database.log_full",
         of(Databases, GONE, messages=FULL), of(Databases, GONE, messages=full("CHECKPOINT")),
         of(Databases, GONE)),
    Life("database/log_full.backup", "database.log_full", of(Databases, messages=full("LOG_BACKUP")),
         of(Databases, messages=full("NOTHING")), nothing(Databases)),
    Life("database/log_full.transaction", "database.log_full",
         of(Databases, messages=full("ACTIVE_TRANSACTION")), of(Databases, messages=full("REPLICATION")),
         nothing(Databases)),
    *(
        Life(f"database/log_full.{name}", "database.log_full", of(Databases, messages=full(reason)),
             of(Databases, messages=full("LOG_BACKUP")), nothing(Databases))
        for name, reason in REASONS.items()
    ),
    Life("database/log_full.filling", "database.log_full",
         of(Databases, test_filling.HELD, perfmon=test_filling.perfmon()),
         of(Databases, test_filling.stream("SQL2", 0, 5), perfmon=test_filling.perfmon()),
         of(Databases, test_filling.HELD)),
    Life("database/not_recovered.not_recovered", "database.not_recovered",
         of(Databases, fault("not_recovered")), of(Databases, fault("log_full")), nothing(Databases)),
    Life("database/not_recovered.redo_failed", "database.not_recovered",
         of(Databases, fault("redo_failed")), of(Databases, fault("log_full")), nothing(Databases)),
    Life("database/shown.nearly_full", "database.log_full",
         of(Databases, LOOKED.format("log_used_percent=80")),
         of(Databases, LOOKED.format("log_used_percent=79")), nothing(Databases)),
    Life("database/shown.many_files", "database.recovery", of(Databases, LOOKED.format("vlf_count=10000")),
         of(Databases, LOOKED.format("vlf_count=9999")), nothing(Databases)),
    Life("database/reverting.left", "database.reverting", of(Databases, perfmon=undo("4000..2000")),
         of(Databases, perfmon=undo("4000")), nothing(Databases)),
    Life("database/reverting.still", "database.reverting", of(Databases, perfmon=undo("4000")),
         of(Databases, perfmon=undo("0")), nothing(Databases)),
    Life("database/reverting.over", "database.reverting", of(Databases, perfmon=undo("30x4000..100, 0")),
         of(Databases, perfmon=undo("30x4000..100, 1")), nothing(Databases)),
    Life("database/reverting.looked", "database.reverting", of(Databases, REVERTING.format("REVERTING")),
         of(Databases, REVERTING.format("SYNCHRONIZING")), nothing(Databases)),
    Life("database/reverting.traced_left", "database.reverting",
         of(Databases, events=test_reverting.traced(10, 20, 30)),
         of(Databases, events=test_reverting.traced(10, 20)), nothing(Databases)),
    Life("database/reverting.traced_still", "database.reverting",
         of(Databases, events=test_reverting.traced(10, 20)),
         of(Databases, events=test_reverting.traced(10, text="seeding [Sales]")), nothing(Databases)),
    Life("database/reverting.traced_over", "database.reverting",
         of(Databases, events=test_reverting.traced(50, 100)),
         of(Databases, events=test_reverting.traced(50, 99)), nothing(Databases)),
)  # fmt: skip
