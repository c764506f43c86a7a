"""What clients experienced of a failover: a frozen primary, none in the logs, databases not yet available."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from agtrace.diagnostics.health import outages
from agtrace.diagnostics.health.analysis import SAID
from agtrace.history.reference_clock import ReferenceClock
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, recovery, state, still, told

LIMITS = Thresholds()
LEFT = [
    state(0, "A", "X", "PRIMARY_NORMAL"), state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
    state(108, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
]  # fmt: skip


def database(seconds, name, host="B"):
    return event(
        seconds, host, "database_role", database=name, before="RESOLVING", after="PRIMARY", text=name
    )


def parts(*events, row=None, **more):
    made = replace(told([row or failover(100, 108)], [*LEFT, *events]), **more)
    (found,) = outages.outages(made, [], [], LIMITS)
    (judged,) = found.failovers
    return judged


def test_parts_are_named_and_add_up():
    judged = parts(
        database(109, "Sales"),
        event(95, "A", "long_io", thing="E:\\a.mdf", value=20_000.0),
        recovered=(recovery(108, 120, database="Stock"),),
    )
    assert judged.facts["experience"]._asdict() == {
        "frozen": 25.0, "frozen_by": "files", "is_bound": False, "within": 0.0,
        "role": 8.0,
        "databases": 12.0, "n": 1, "last": "Stock", "by": "recovery",
        "total": 45.0, "held": None,
    }  # fmt: skip
    assert [(each.measure.label, each.value) for each in judged.evidence[:3]] == [
        ("time without a primary", 8.0),
        ("primary frozen before", 25.0),
        ("databases not available after", 12.0),
    ]


def test_databases_are_available_with_their_role_where_no_recovery_was_logged():
    found = parts(database(109, "Sales"), database(110.5, "Stock")).facts["experience"]
    assert (found.databases, found.n, found.last, found.by) == (2.5, 2, "Stock", "role")


def test_a_primary_that_did_not_run_is_frozen_before_and_within_the_outage():
    found = parts(standstills=(still("A", 90, 104),)).facts["experience"]
    assert (found.frozen, found.frozen_by, found.within) == (10.0, "standstill", 4.0)


def test_what_was_not_captured_is_not_counted():
    found = parts(row=failover(100, 108)._replace(seconds_without_primary=None)).facts["experience"]
    assert (found.role, found.databases, found.total) == (None, None, None)


def narrative(judged):
    (found,) = SAID.findings([judged])
    return found.narrative


def test_the_narrative_names_each_part():
    text = narrative(parts(database(109, "Sales"), standstills=(still("A", 90, 104),)))
    assert "Clients experienced: a primary that did not run for 10 s, no primary for 8 s" in text
    assert "the database not available for another 1 s (Sales, role of the primary): 19 s in all." in text
    assert "in all" not in narrative(parts(database(109, "Sales")._replace(time=at(108.02))))


def test_two_primaries_after_a_time_without_one_are_explained():
    late = [LEFT[0], LEFT[2], state(130, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]
    made = told([failover(100, 108)], late)
    made = replace(made, clock=ReferenceClock("A", {"A": timedelta(), "B": timedelta()}))
    (found,) = outages.outages(made, [], [], LIMITS)
    (judged,) = found.failovers
    assert judged.facts["experience"].held == "A"
    assert "For these 8 s the log of A still" in narrative(judged)
