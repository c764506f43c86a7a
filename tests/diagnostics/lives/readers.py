"""Lives of secondaries: what redo waits for, what readers cost, and how far a distributed group is behind."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.distributed import Distributed
from agtrace.diagnostics.readable import Readable
from agtrace.diagnostics.redo import Redo
from tests.diagnostics.distributed import cases as distributed
from tests.diagnostics.lives.life import Life, Made, asked, nothing, of
from tests.diagnostics.readable import test_version_store, test_versioning
from tests.diagnostics.redo import test_blockers, test_threads, test_waits
from tests.diagnostics.tiny import Case, case

READERS = test_waits.waited("LCK_M_SCH_M", 24_000)


def threads(n: int) -> Made:
    """Ask of a server whose log tells of the threads of so many databases."""

    def made() -> Case:
        one = case(
            messages="\n".join([*test_threads.parallel(n), test_threads.LAST]),
            facts="SQL2 | startup | 0 | product_version | 15.0.4420.2",
            relations="\n".join(test_threads.STREAM.format(name, 0) for name in test_threads.DATABASES),
        )
        log = "errorlog-SQL2"
        one.insert(
            "captures", [{"capture_id": log, "content_id": log, "path": "ERRORLOG", "host_id": "SQL2"}]
        )
        one.run(f"update facts set content_id = '{log}', capture_id = '{log}'")
        return one

    return asked(Redo, made)


def redone(wait: str, *rows: str, ms: int = 24_000) -> Made:
    return of(Redo, test_waits.SECONDARY, test_waits.waited(wait, ms), *rows)


LOOKED = "SQL2 | 60 | hadr_requests | command=PARALLEL REDO TASK; wait_type={}; wait_ms=15"
REDO = (
    Life("redo/waits.readers", "redo.waits", redone("LCK_M_SCH_M"), redone("LCK_M_SCH_M", ms=11_000),
         of(Redo, READERS)),
    Life("redo/waits.blocked", "redo.waits", of(Redo, test_blockers.blocked()),
         of(Redo, test_blockers.blocked(ms=9_999)), nothing(Redo)),
    Life("redo/waits.threads", "redo.waits", threads(6), threads(5), threads(0)),
    Life("redo/waits.page_table", "redo.waits", redone("DPT_ENTRY_LOCK"), redone("DPT_ENTRY_LOCK", ms=11_000),
         nothing(Redo)),
    Life("redo/waits.looked", "redo.waits", of(Redo, LOOKED.format("DIRTY_PAGE_TABLE_LOCK")),
         of(Redo, LOOKED.format("REDO_THREAD_PENDING_WORK")), nothing(Redo)),
    Life("redo/waits.turns", "redo.waits", redone("PARALLEL_REDO_TRAN_TURN"),
         redone("REDO_THREAD_PENDING_WORK", ms=119_000),
         nothing(Redo)),
)  # fmt: skip


def growing(*rows: str, size: str = "100000..2000000", free: str | None = "8000000") -> Made:
    text = test_version_store.perfmon(size, free)
    return of(Readable, *rows, perfmon=text, every=test_version_store.EVERY)


SECONDARY = test_version_store.SECONDARY
VERSIONS = (
    "SQL2 | 600 | waits | wait_type=HADR_DATABASE_WAIT_FOR_TRANSITION_TO_VERSIONING; seconds=120; "
    "waiting_tasks=30; wait_ms={}; line=7"
)
STATISTIC = "SQL2 | 600 | temporary_statistics | database=Sales; schema=dbo; object=Orders; name=a; rows=5"
IN_GROUP = "SQL1 | 1 | database_states | ag=AG; database=Sales; replica=SQL2"


def version_store_full(number: int, *rows: str) -> Made:
    text = "Version store is full. New version(s) could not be added."

    def made() -> Case:
        one = case(relations="\n".join(rows))
        one.run(
            "insert into errorlog (content_id, host_id, line, time_local, time, source, error, message) "
            "values ('errorlog-SQL2', 'SQL2', 9, timestamp '2024-03-05 12:10:00', "
            f"timestamptz '2024-03-05 12:10:00+00', 'spid60', {number}, '{text if number == 3959 else ''}')"
        )
        return one

    return asked(Readable, made)


READABLE = (
    Life("readable/version_store.versioning", "readable.version_store",
         of(Readable, test_versioning.ROW.format(1000)),
         of(Readable, test_versioning.ROW.format(1000).replace("TRANSITION_TO", "X")), nothing(Readable)),
    Life("readable/version_store.growing", "readable.version_store", growing(SECONDARY),
         growing(SECONDARY, free="90000000"), growing()),
    Life("readable/version_store.large", "readable.version_store",
         growing(SECONDARY, size="60x100000..2000000, 100000", free="1000000"),
         growing(SECONDARY, size="60x100000..2000000, 100000", free="8000000"), growing()),
    Life("readable/version_store.unbounded", "readable.version_store", growing(SECONDARY, free=None),
         growing(SECONDARY, size="0..999999", free=None), growing(free=None)),
    Life("readable/version_store.full", "readable.version_store", version_store_full(3959, SECONDARY),
         version_store_full(1105, SECONDARY), version_store_full(3959)),
    Life("readable/version_store.waits", "readable.version_store",
         of(Readable, SECONDARY, VERSIONS.format(12_000)), of(Readable, SECONDARY, VERSIONS.format(1)),
         of(Readable, VERSIONS.format(12_000))),
    Life("readable/statistics", "readable.statistics", of(Readable, SECONDARY, STATISTIC, IN_GROUP),
         of(Readable, SECONDARY, STATISTIC, IN_GROUP.replace("Sales", "Stock")),
         of(Readable, STATISTIC, IN_GROUP)),
)  # fmt: skip


def chain(*hosts: str, **given: Any) -> Made:
    return of(Distributed, perfmon=distributed.perfmon(*hosts, **given))


DISTRIBUTED = (
    Life("distributed/lag.level", "distributed.lag", chain("SRV1", "SRV3", queue="58593"),
         chain("SRV1", "SRV2"), chain("SRV1", "SRV2", "SRV4")),
    Life("distributed/lag.behind", "distributed.lag", chain("SRV1", "SRV3", queue="58594"),
         chain("SRV1", "SRV3", queue="58593"), chain("SRV1", "SRV2", "SRV4")),
    Life("distributed/lag.still", "distributed.lag",
         chain("SRV1", "SRV3", queue="5000", arrives="60x400000, 0"),
         chain("SRV1", "SRV3", queue="5000", arrives="400000"), chain("SRV1", "SRV2", "SRV4")),
)  # fmt: skip
