"""Topics of the facts of HammerDB."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

_OPENED = Value("opened", "when the log was opened, as logged")
_OFFSET = Value("utc_offset_minutes", "local time minus UTC, if the log has its time zone", "min")

TOPICS = (
    facts(
        "hammerdb_result",
        "run",
        Value("driver", "timed, test, or build: the schema was built"),
        Value("virtual_users", "virtual users that ran transactions, or loaded warehouses", "n"),
        Value("warehouses", "warehouses of the schema", "n"),
        Value("nopm", "new orders", "1/min"),
        Value("tpm", "transactions", "1/min"),
        Value("database", "kind of database as HammerDB names it"),
        Value("transactions_per_user", "transactions that each user was given", "n"),
        Value("rampup_minutes", "ramp-up of the timed driver", "min"),
        Value("duration_minutes", "time that it measured", "min"),
        Value("elapsed_seconds", "run time", "s"),
        Value("elapsed_resolution_s", "how exact the run time is", "s"),
        Value("started", "start"),
        Value("ended", "end"),
        _OFFSET,
        Value("users_finished", "virtual users that finished", "n"),
        Value("users_failed", "virtual users that failed", "n"),
        Value("errors", "lines with an error", "n"),
        Value("job", "id of the job"),
        Value("version", "version of HammerDB"),
    ),
    facts(
        "hammerdb_user",
        "run: how each virtual user ended",
        Value("user *", "how the user of that number ended"),
    ),
    facts(
        "hammerdb_count",
        "session of the transaction counter",
        _OPENED,
        _OFFSET,
        Value("tpm", "a reading; many of one item", "1/min"),
    ),
    facts(
        "hammerdb_response",
        "virtual user, or all of them: response times",
        Value("user", "number of the user"),
        Value("virtual_users", "how many users the times are of", "n"),
        Value("elapsed_ms", "time measured", "ms"),
        Value("*_calls", "calls of a transaction (neword, payment, delivery, slev, ostat)", "n"),
        Value("*_min_ms", "shortest of its response times", "ms"),
        Value("*_avg_ms", "mean of its response times", "ms"),
        Value("*_max_ms", "longest of its response times", "ms"),
        Value("*_total_ms", "sum of its response times", "ms"),
        Value("*_p*_ms", "percentile of its response times: p50, p95, p99", "ms"),
    ),
    facts("hammerdb_log", "header of a log", _OPENED),
)
