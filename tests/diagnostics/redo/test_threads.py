"""redo.waits: databases that are redone by one thread since the server has no others left."""

from __future__ import annotations

from agtrace.diagnostics.redo import Redo
from tests.diagnostics.tiny import case

STREAM = (
    "SQL2 | - | streams | stream_id=1; replica_host_id=SQL2; replica=SQL2; database={}; "
    "recovery_queue_growth_bytes_per_s={}; start=2024-03-05T12:05:00Z; end=2024-03-05T12:10:00Z"
)
LAST = "SQL2 | 500 | connection | 35201 | replica=SQL1"


def parallel(n, threads=16, event="started"):
    return [
        f"SQL2 | {10 + at} | parallel_redo | 49930 | event={event}; database=Db{at}; pool_size={threads}"
        for at in range(n)
    ]


def findings(messages, databases, growth=0, version="15.0.4420.2", issue=""):
    made = case(
        messages="\n".join(messages),
        facts=f"SQL2 | startup | 0 | product_version | {version}",
        relations="\n".join(STREAM.format(name, growth) for name in databases),
    )
    # The version stands in the log that tells of the threads.
    log = {
        "capture_id": "errorlog-SQL2", "content_id": "errorlog-SQL2", "path": "ERRORLOG", "host_id": "SQL2",
    }  # fmt: skip
    made.insert("captures", [log])
    if issue:
        made.insert("issues", [{"content_id": "errorlog-SQL2", "severity": "warning", "kind": issue,
                                "message": "", "count": 1}])  # fmt: skip
    made.run("update facts set content_id = 'errorlog-SQL2', capture_id = 'errorlog-SQL2'")
    return Redo(made).findings()


DATABASES = [f"Db{at}" for at in range(8)]


def test_threads_of_databases_that_were_shut_down_are_free():
    ended = [line.replace("started", "shutdown").replace("| 1", "| 2", 1) for line in parallel(6)]
    assert findings([*parallel(6), *ended, LAST], DATABASES) == []
