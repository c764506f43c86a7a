"""Topics of the facts of SQLQueryStress."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "sqlquerystress",
        "test",
        Value("test_id", "id of the test"),
        Value("started", "start as written"),
        Value("started_utc", "start in UTC, if the file has an offset"),
        Value("threads", "threads", "n"),
        Value("iterations", "iterations of each thread", "n"),
        Value("iterations_completed", "iterations that ended", "n"),
        Value("delay_ms", "pause between iterations", "ms"),
        Value("elapsed_seconds", "run time", "s"),
        Value("cpu_seconds_avg", "processor time of an iteration, mean", "s"),
        Value("actual_seconds_avg", "time of an iteration at the server, mean", "s"),
        Value("client_seconds_avg", "time of an iteration at the client, mean", "s"),
        Value("logical_reads_avg", "logical reads of an iteration, mean", "pages"),
        Value("exceptions", "exceptions", "n"),
    ),
)
