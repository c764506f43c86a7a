"""The metrics that the timeline draws above the hosts."""

from __future__ import annotations

from datetime import UTC, timedelta

from agtrace.diagnostics import Evidence, Finding
from agtrace.report.metrics import drawn_metrics
from tests.diagnostics.tiny import START, case

AT = START.replace(tzinfo=UTC)
MINUTE = AT, AT + timedelta(minutes=1)
QUEUES = r"""
A | \SQLServer:Database Replica(x:B)\Log Send Queue | 1, 3
A | \SQLServer:Database Replica(y:B)\Log Send Queue | 2, 4
A | \SQLServer:Database Replica(_Total)\Log Send Queue | 99
B | \SQLServer:Database Replica(x:B)\Log Send Queue | 10
"""
BUSY = (
    r"A | \Processor(_Total)\% Processor Time | 50, 97" + "\n" + r"A | \Processor(0)\% Processor Time | 100"
)


def drawn(perfmon, id="transport.network_limited", subject=(), shown=MINUTE, whole=MINUTE, rows=2):
    first = Finding(id, "warning", "T", "n", dict(subject), {}, (Evidence("n", 1, "s", "l"),))
    return drawn_metrics(case(perfmon, rows=rows), first, ["A", "B"], whole, shown)


def told(metrics):
    return [(each["name"], each["unit"], [part["v"] for part in each["parts"]]) for each in metrics]


def test_queues_of_all_databases_are_added_in_bytes():
    assert told(drawn(QUEUES, subject={"replica": "A"})) == [
        ("log send queue of A", "B", [[3 * 1024, 7 * 1024]])
    ]


def test_the_replica_of_the_headline_comes_before_the_one_with_the_most():
    assert told(drawn(QUEUES, subject={"replica": "B"}))[0][0] == "log send queue of B"


def test_without_such_a_replica_the_host_with_the_most_is_drawn():
    assert told(drawn(QUEUES))[0][0] == "log send queue of B"


def test_a_headline_of_health_shows_the_processors_in_all():
    assert told(drawn(BUSY, "health.failover", {"from": "A"})) == [("processors of A", "%", [[50, 97]])]


def test_of_two_counters_that_mean_the_same_the_first_is_drawn():
    both = BUSY + "\n" + r"A | \Processor Information(_Total)\% Processor Time | 60"
    assert told(drawn(both, "health.failover"))[0][2] == [[60, 60]]


def test_each_step_of_the_time_has_its_greatest_value():
    hours = AT, AT + timedelta(hours=1)
    perfmon = r"A | \SQLServer:Database Replica(x:B)\Log Send Queue | 0..719"
    ((part,),) = (each["parts"] for each in drawn(perfmon, whole=hours, shown=hours, rows=720))
    assert len(part["v"]) <= 501
    assert part["v"][-1] == float(f"{719 * 1024:.4g}")


def test_the_surroundings_of_the_incident_are_drawn_in_finer_steps():
    hours = AT, AT + timedelta(hours=1)
    perfmon = r"A | \SQLServer:Database Replica(x:B)\Log Send Queue | 0..719"
    ((whole, near),) = (each["parts"] for each in drawn(perfmon, whole=hours, shown=MINUTE, rows=720))
    assert (near["to"] - near["from"], near["gap"] <= whole["gap"]) == (5 * 60_000, True)


def test_a_metric_without_samples_in_the_part_that_is_shown_is_left_out():
    later = AT + timedelta(minutes=30), AT + timedelta(minutes=31)
    assert drawn(QUEUES, shown=later, whole=(AT, later[1])) == []
