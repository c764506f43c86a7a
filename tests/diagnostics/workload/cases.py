"""Tiny cases of load tests: facts as the readers give them, in the relations of `tiny`."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tests.diagnostics import tiny
from tests.diagnostics.tiny import START, Case

NOTHING_MEASURED: dict[str, Any] = dict.fromkeys(
    ("measured", "value", "value_step", "unit", "is_more_better")
)


def case(perfmon: str = "", **more: Any) -> Case:
    """Build a case."""
    return tiny.case(perfmon, **more)


def window(made: Case, label: str, factors: str, begin_s: float, end_s: float, **measured: Any) -> None:
    """Label a stretch of the case; ``measured`` are the columns of a value that no log holds."""
    known = made.table("select count(*) as n from runs")["n"][0].as_py()
    made.connection.execute(
        "insert into runs by name select $id as run_id, $label as label, $factors as factors, "
        "$begin::timestamptz as start, $end::timestamptz as \"end\", 'runs.csv, line 2' as source, "
        "$measured as measured, $value as value, $value_step as value_step, $unit as unit, "
        "$is_more_better as is_more_better",
        {"id": f"run {known}", "label": label, "factors": factors, "begin": utc(begin_s),
         "end": utc(end_s)} | NOTHING_MEASURED | measured,
    )  # fmt: skip


def utc(seconds: float) -> str:
    return f"{(START + timedelta(seconds=seconds)).isoformat()}+00:00"


def trial(
    made: Case,
    folder: str,
    load: int,
    *,
    tpm: float | None = None,
    run_s: float | None = None,
    at: float | None = None,
    tool: str = "HammerDB",
    driver: str = "test",
    work: int = 50_000,
    failed: int = 0,
    item: int | None = None,
    name: str = "console.txt",
    **facts: Any,
) -> None:
    """Add one test of a load generator; ``at`` is its start in seconds, None where it has no time."""
    known = made.table("select count(*) as n from facts")["n"][0].as_py()
    number = known if item is None else item
    values: dict[str, Any] = {"driver": driver, "virtual_users": load, "transactions_per_user": work}
    topic, failures = "hammerdb_result", "users_failed"
    if tool == "SQLQueryStress":
        values = {"threads": load, "iterations": work, "test_id": f"test {number}"}
        topic, failures = "sqlquerystress", "exceptions"
    values |= {"tpm": tpm, "elapsed_seconds": run_s, failures: failed or None} | facts
    content = f"{folder}/{name}"
    times: dict[str, datetime] = {}
    if at is not None:
        times = {"time": START + timedelta(seconds=at), "time_local": START + timedelta(seconds=at)}
    rows = [
        {"capture_id": content, "content_id": content, "topic": topic, "item": number, "key": key,
         "value": str(value), "line": 1} | times
        for key, value in values.items()
        if value is not None
    ]  # fmt: skip
    if not made.table(f"select 1 from captures where path = '{content}'").num_rows:
        made.insert("captures", [{"capture_id": content, "content_id": content, "path": content}])
    made.insert("facts", rows)


def curves(
    first: dict[int, tuple[float, ...]],
    second: dict[int, tuple[float, ...]],
    *,
    metric: str = "tpm",
    **more: Any,
) -> Case:
    """Build a case of two configurations, ``plain`` and ``routing``, by values per load."""
    made = case()
    for folder, values in (("plain", first), ("routing", second)):
        for load, each in values.items():
            for value in each:
                trial(made, folder, load, **({metric: value} | more))
    return made
