"""health.workers: the worker threads that groups need against those that there may be."""

from __future__ import annotations

from datetime import UTC

import pytest

from agtrace.diagnostics.health import Health
from agtrace.diagnostics.health.workers import default
from tests.behind import assert_facts
from tests.diagnostics.health.test_readiness import database, primary, secondary
from tests.diagnostics.tiny import START, case
from tests.folded import folded

X64 = {"edition": "Enterprise Edition (64-bit)", "product_version": "15.0.4261.1", "memory_mb": "65536"}


@folded(
    ("processors", "more", "expected"),
    [
        (1, {}, 512), (4, {}, 512), (5, {}, 528), (8, {}, 576), (16, {}, 704), (32, {}, 960), (64, {}, 1472),
        (128, {}, 4480), (256, {}, 8576),
        (128, {"product_version": "13.0.4001.0"}, 2496), (128, {"product_version": "13.0.5026.0"}, 4480),
        (4, {"memory_mb": "2047"}, 256), (4, {"memory_mb": "2048"}, 512),
        (4, {"memory_mb": "2047", "product_version": "13.0.5026.0"}, 512),
        (8, {"edition": "Enterprise Edition", "product_version": "11.0.2100.60"}, None),
        (8, {"product_version": ""}, None),
        (0, {}, None),
    ],
)  # fmt: skip
def test_what_sql_server_computes_is_the_documented_table(processors, more, expected):
    assert default(processors, X64 | more) == expected


def look(databases, *names):
    """Give a primary with databases, and replicas beside it."""
    rows = [primary(), *(secondary(name) for name in names)]
    return rows + [database("A", name=f"D{n}") for n in range(databases)]


STATE = "A | 500 | component_health | component=query_processing; max_workers={}; workers_created=90"


def judged(*rows, **more):
    found = Health(case(relations="\n".join(rows), **more)).findings()
    return [f for f in found if f.id == "health.workers"]


@pytest.mark.parametrize(
    ("most", "severity"), [(640, "notice"), (641, None), (340, "notice"), (339, "warning")]
)
def test_primary_databases_take_a_thread_each_and_one_for_each_secondary(most, severity):
    """100 databases with two secondaries: 300 threads of those that there may be, less 40."""
    found = judged(*look(100, "B", "C"), STATE.format(most))
    assert [f.severity for f in found] == ([severity] if severity else [])
    for one in found:
        assert one.subject == {"host": "A", "kind": "too_few"}
        assert [(e.label, e.value) for e in one.evidence] == [
            ("worker threads that busy groups need", 300),
            ("worker threads, at most", most),
            ("worker threads at the most seen", 90),
        ]
        assert_facts(one, replica="A", needed=300, how="measured", primary=100, secondary=0)


STARTED = """
A | startup | 0 | logical_processors | 4 | 10
A | startup | 0 | edition | Enterprise Edition (64-bit) | 10
A | startup | 0 | product_version | {} | 10
"""


def test_without_a_measure_it_is_computed_from_the_processors():
    (found,) = judged(*look(160, "B", "C"), facts=STARTED.format("15.0.4261.1"))
    assert_facts(found, most=512, how="computed", needed=480, left=472)


@pytest.mark.complete
def test_what_is_set_counts_before_what_would_be_computed():
    option = "A | - | server_options | option=max worker threads; value=1000"
    assert judged(*look(159, "B", "C"), option, facts=STARTED.format("15.0.4261.1")) == []
    (found,) = judged(*look(160, "B", "C"), option, facts=STARTED.format("15.0.4261.1"))
    assert_facts(found, needed=480, most=1000, how="configured", left=960)


def of_a_secondary(databases):
    """Give a look at a secondary of its own."""
    row = (
        "B | 600 | replicas | ag=AG; replica=B; is_local=true; role=SECONDARY; failover_mode=AUTOMATIC; "
        "availability_mode=SYNCHRONOUS_COMMIT; connected_state=CONNECTED; synchronization_health=HEALTHY"
    )
    state = (
        "B | 600 | database_states | ag=AG; database=D{}; replica=B; is_local=true; synchronization_state={}"
    )
    return [row, *(state.format(n, "SYNCHRONIZED") for n in range(databases))]


@pytest.mark.parametrize(("version", "n"), [("15.0.4261.1", 1), ("16.0.1000.6", 0)])
def test_redo_takes_a_thread_for_each_database_until_it_shares_a_pool(version, n):
    start = STARTED.replace("A |", "B |").format(version)
    assert len(judged(*of_a_secondary(300), facts=start)) == n


def test_without_a_look_or_without_a_maximum_nothing_is_said():
    assert judged(*look(900, "B", "C")) == []
    assert judged(STATE.format(128)) == []


def test_a_host_that_ran_out_of_them_is_told_by_its_message():
    made = case(relations="\n".join([*look(100, "B", "C"), STATE.format(339)]))
    analysis = Health(made)
    entry = {"content_id": "log", "line": 3, "host_id": "A", "error": 35217, "message": "The thread pool"}
    made.insert("errorlog", [entry | {"time_local": START, "time": START.replace(tzinfo=UTC)}])
    kinds = [f.subject["kind"] for f in analysis.findings() if f.id == "health.workers"]
    assert kinds == ["not_started"]
