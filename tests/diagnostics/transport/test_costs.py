"""What the transport costs: which database counts, how severe it is, and what bounds each figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import costs
from agtrace.diagnostics.transport.commit import CommitDelay, Hop
from agtrace.diagnostics.transport.costs import Bounded
from agtrace.diagnostics.transport.signs import LogWrite
from agtrace.history.streams.commit_modes import Mode
from agtrace.history.streams.loss import ESTIMATE, INTEGRAL, Loss, RedoTime
from agtrace.say.said import Judged
from tests.diagnostics.transport.made_shown import ALL, LIMITS, N, both, link, primary, secondary, spread
from tests.diagnostics.transport.test_snapshots import look, state

TIMES = secondary().times


def loss(end: float = 30.0, *, database: str = "Sales", grows: float = 0.0, **more: Any) -> Loss:
    """A loss that grows by so much per second, with noise around it."""
    noise = np.tile([0.5, -0.5], N)[:N]
    seconds = end + grows * (TIMES - TIMES[-1]) + noise
    given: dict[str, Any] = {"method": INTEGRAL, "bounds": 2, "resolution": 10.0}
    return Loss(database, TIMES, seconds, spread(20.0), end, **given | more)


def of_loss(*losses: Loss, looks: Any = (), of: Any = None) -> Judged:
    judged = costs.of_loss(of or both(), list(losses), LIMITS, looks)
    assert judged is not None
    return judged


def told(judged: Judged) -> list[tuple[str, Any, str, str]]:
    return [(each.label, each.value, each.unit, each.source) for each in judged.evidence]


QUEUE = r"SQLServer:Database Replica\Log Send Queue on S"
FLUSHED = r"SQLServer:Databases\Log Bytes Flushed/sec on P"
STOCK = {"database": "Stock", "method": ESTIMATE}


def test_the_loss_of_the_worst_database_is_told_with_all_of_them_as_evidence():
    judged = of_loss(loss(12.34567), loss(30.0, **STOCK), looks=[look(state())])
    assert (judged.said, judged.id, judged.severity) == ("rpo.counted", "transport.rpo", "info")
    assert judged.subject == {"replica": "S", "ag": "AG", "host": "S", "primary": "P", "database": "Stock"}
    assert judged.window == {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:05:00Z"}
    assert judged.confidence == 0.5
    assert judged.facts == {
        "replica": "S", "database": "Stock", "method": "estimate", "n": 30, "end": Bounded(30.0),
        "p50": Bounded(20.0), "p95": Bounded(40.0), "most": Bounded(60.0), "growth_per_min": None,
        "is_lower_bound": False, "rough": 2, "is_beyond": False,
        "looks": [{"moment": "2024-03-05 12:00:00 UTC", "synchronized": 1, "n": 1}], "clocks_apart": None,
    }  # fmt: skip
    assert told(judged) == [
        ("Sales: data loss at the end (integral)", 12.35, "s", QUEUE),
        *((f"Sales: data loss, {name}", value, "s", QUEUE)
          for name, value in (("p50", 20.0), ("p95", 40.0), ("max", 60.0))),
        ("Sales: samples", 30, "", QUEUE),
        ("Stock: data loss at the end (estimate)", 30.0, "s", QUEUE),
        *((f"Stock: data loss, {name}", value, "s", QUEUE)
          for name, value in (("p50", 20.0), ("p95", 40.0), ("max", 60.0))),
        ("Stock: samples", 30, "", QUEUE),
        ("databases SYNCHRONIZED at 2024-03-05 12:00:00 UTC", 1, "of 1", "o.txt of P"),
    ]  # fmt: skip


def test_an_integral_rests_on_the_log_of_the_primary_too():
    judged = of_loss(loss())
    assert judged.confidence == 0.8
    assert {each.source for each in judged.evidence} == {f"{QUEUE}, {FLUSHED}"}


def test_of_equal_losses_that_of_the_longer_queue_counts():
    judged = of_loss(loss(queue=1.0), loss(queue=2.0, **STOCK), loss(queue=1.5, database="Test"))
    assert judged.facts["database"] == "Stock"


def test_without_a_loss_nothing_is_judged():
    assert costs.of_loss(both(), [], LIMITS) is None
    assert costs.of_redo_time(both(), [], ["Sales"], LIMITS) is None


@pytest.mark.parametrize(
    ("end", "grows", "severity", "growth"),
    [
        (60.0, 0.5, "info", None),
        (60.1, 0.5, "warning", 30),
        (60.1, 0.0, "notice", None),
        (60.1, -0.5, "notice", None),
        (1000.0, 2.0, "warning", 120),
    ],
)
def test_a_loss_beyond_the_limit_is_a_notice_and_one_that_grows_a_warning(end, grows, severity, growth):
    judged = of_loss(loss(end, grows=grows))
    assert judged.severity == severity
    assert judged.facts["growth_per_min"] == (pytest.approx(growth, rel=0.01) if growth else None)
    assert judged.facts["is_beyond"] == (severity != "info")


def test_a_loss_without_a_trend_does_not_grow():
    few = Loss("Sales", TIMES[:2], np.array([60.0, 70.0]), spread(65.0), 70.0, INTEGRAL, 0, 10.0)
    assert of_loss(few).severity == "notice"


@pytest.mark.parametrize(
    ("growing", "end", "severity"),
    [(True, 61.0, "warning"), (False, 61.0, "notice"), (True, 60.0, "info"), (False, 60.0, "info")],
)
def test_a_lower_bound_grows_as_its_queue_does(growing, end, severity):
    judged = of_loss(loss(end, at_least=True, growing=growing, grows=2.0))
    assert (judged.severity, judged.confidence) == (severity, 0.6)
    assert judged.facts["growth_per_min"] is None
    assert (judged.facts["is_lower_bound"], judged.facts["end"]) == (True, Bounded(end, "at least"))
    assert judged.facts["most"] == Bounded(60.0, "at least")
    assert judged.evidence[0].label == "Sales: data loss at the end (at least, integral)"
    assert judged.evidence[1].label == "Sales: data loss (at least), p50"


def test_a_loss_below_the_sampling_interval_is_known_to_be_no_longer_than_it():
    judged = of_loss(loss(9.9, resolution=10.0))
    assert judged.facts["end"] == Bounded(10.0, "at most")
    exact = of_loss(loss(10.0, resolution=20.0)).facts
    assert (exact["end"], exact["p50"]) == (Bounded(20.0, "at most"), Bounded(20.0))
    lower = of_loss(loss(9.9, resolution=70.0, at_least=True)).facts
    assert (lower["end"], lower["p95"]) == (Bounded(70.0, "at least"), Bounded(70.0, "at most"))


@pytest.mark.parametrize(
    ("skew", "apart"),
    [(1.0, 1.0), (-1.0, 1.0), (0.9999, None), (-0.9999, None), (1.0005, 1.0005), (None, None), (7.0, 7.0)],
)
def test_clocks_that_are_a_second_apart_are_named(skew, apart):
    assert of_loss(loss(), of=both(skew=skew)).facts["clocks_apart"] == apart


def redo(end: float = 30.0, *, database: str = "Sales", at_most: bool = False, **more: Any) -> RedoTime:
    given: dict[str, Any] = {"capacity": 4e5, "n": 25}
    return RedoTime(database, TIMES, more.pop("spread", spread(20.0)), end, at_most=at_most, **given | more)


def of_redo(*times: RedoTime, without: tuple[str, ...] = ()) -> Judged:
    judged = costs.of_redo_time(both(), list(times), list(without), LIMITS)
    assert judged is not None
    return judged


def test_the_redo_time_of_the_worst_database_is_told_with_all_of_them_as_evidence():
    judged = of_redo(redo(database="Stock", n=21), redo(29.0), without=("Test",))
    assert (judged.said, judged.id, judged.severity, judged.confidence) == (
        "rto", "transport.rto", "info", 0.6,
    )  # fmt: skip
    assert judged.subject == {"replica": "S", "ag": "AG", "host": "S", "primary": "P", "database": "Stock"}
    assert judged.window == {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:05:00Z"}
    assert judged.facts == {
        "replica": "S", "database": "Stock", "is_upper_bound": False, "bound": "", "end": Bounded(30.0),
        "p50": Bounded(20.0), "p95": Bounded(40.0), "most": Bounded(60.0), "capacity": 4e5, "n": 21,
        "without": ["Test"],
    }  # fmt: skip
    source = r"SQLServer:Database Replica\Recovery Queue, Redone Bytes/sec on S"
    assert told(judged)[:5] == [
        ("Stock: redo time at the end", 30.0, "s", source),
        ("Stock: redo time, p50", 20.0, "s", source),
        ("Stock: redo time, p95", 40.0, "s", source),
        ("Stock: redo time, max", 60.0, "s", source),
        ("Stock: redo capacity (p75 while redo had work, n = 21)", 4e5, "log B/s", source),
    ]
    assert told(judged)[5][0] == "Sales: redo time at the end"


@pytest.mark.parametrize(("end", "severity"), [(60.0, "info"), (60.1, "notice")])
def test_a_redo_time_beyond_the_limit_is_a_notice(end, severity):
    assert of_redo(redo(end)).severity == severity


@pytest.mark.parametrize(
    ("end", "at_most", "bound", "rough"),
    [
        (1.0, True, "at most", Bounded(1.0)),
        (0.99, True, "", Bounded(1.0, "less than")),
        (1.0, False, "", Bounded(1.0)),
        (0.0, False, "", Bounded(1.0, "less than")),
        (1.9, True, "at most", Bounded(1.9)),
    ],
)
def test_a_redo_time_below_a_second_is_told_as_such_and_an_upper_bound_as_that(end, at_most, bound, rough):
    facts = of_redo(redo(end, at_most=at_most)).facts
    assert (facts["bound"], facts["end"], facts["is_upper_bound"]) == (bound, rough, at_most)


WRITE = LogWrite(5.0, 30, True, "Log Flush Write Time on S")
SLOW = LogWrite(40.0, 30, True, "Log Flush Write Time on T")


def delay(mean: float = 2.0, hops: tuple[Hop, ...] = (), ag: str = "AG", **more: Any) -> CommitDelay:
    here = primary(**more)
    group = link(here, secondary(), ag=ag).group
    return CommitDelay(group, here, ALL, mean, spread(2.0), {"Sales": 1.5}, 12.3456, list(hops), WRITE)


def of_commit(given: CommitDelay, **modes: Mode) -> Judged:
    return costs.of_commit(given, modes, LIMITS)


def test_the_wait_of_a_commit_is_told_with_where_its_time_goes():
    hops = (Hop("S", 0.0015, WRITE), Hop("T", None, SLOW), Hop("U", 0.0, None))
    judged = of_commit(
        delay(2.00049, hops), S=Mode("synchronous", "a look"), T=Mode("asynchronous", "another")
    )
    assert (judged.said, judged.id, judged.severity) == ("commit_delay", "transport.commit_delay", "info")
    assert judged.confidence == 0.9
    assert judged.subject == {"primary": "P", "host": "P", "ag": "AG"}
    assert judged.window == {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:05:00Z"}
    facts = dict(judged.facts)
    assert facts.pop("delay").mean == 2.00049
    assert facts == {
        "is_long": False, "unwritten": ["U"], "unreached": ["T"], "synchronous": ["S"], "slow": ["T"],
        "steps": ["writes", "ping"],
    }  # fmt: skip
    waited = (
        r"SQLServer:Database Replica\Transaction Delay / Mirrored Write Transactions/sec on P"
    )  # fmt: skip
    assert told(judged) == [
        ("commit wait per transaction, mean", 2.0, "ms", waited),
        ("commit wait per transaction, p50 of samples", 2.0, "ms", waited),
        ("commit wait per transaction, p95 of samples", 4.0, "ms", waited),
        ("transactions that waited, mean", 12.35, "1/s", waited),
        ("samples", 30, "", waited),
        ("Sales: commit wait per transaction, mean", 1.5, "ms", waited),
        ("commit mode of S", "synchronous", "", "a look"),
        ("commit mode of T", "asynchronous", "", "another"),
        ("round trip to S", 1.5, "ms", "ping"),
        ("log write, p50", 5.0, "ms", "Log Flush Write Time on S, n = 30"),
        ("log write, p50", 40.0, "ms", "Log Flush Write Time on T, n = 30"),
        ("round trip to U", 0.0, "ms", "ping"),
    ]


def test_what_is_known_of_every_replica_is_no_step_to_measure():
    assert of_commit(delay(hops=(Hop("S", 0.5, WRITE),))).facts["steps"] == []
    assert of_commit(delay(hops=(Hop("S", 0.5, None),))).facts["steps"] == ["writes"]
    round_trip = of_commit(delay(hops=(Hop("S", 0.7, WRITE),))).evidence[-2]
    assert (round_trip.value, round_trip.unit) == (700.0, "ms")


@pytest.mark.parametrize(
    ("mean", "severity"),
    [(LIMITS.commit_delay_ms, "notice"), (LIMITS.commit_delay_ms - 0.01, "info"), (1e3, "notice")],
)
def test_a_wait_from_the_limit_on_is_a_notice(mean, severity):
    judged = of_commit(delay(mean))
    assert (judged.severity, judged.facts["is_long"]) == (severity, severity == "notice")


def test_a_group_without_a_name_and_a_clock_without_zone_are_told_so():
    judged = of_commit(delay(ag="", is_local=True))
    assert judged.subject == {"primary": "P", "host": "P"}
    assert judged.window["local"]
