"""What the transport costs: which database counts, how severe it is, and what bounds each figure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import costs
from agtrace.diagnostics.transport.commit import CommitDelay, Hop
from agtrace.diagnostics.transport.costs import Bounded
from agtrace.diagnostics.transport.rows import Recoveries
from agtrace.diagnostics.transport.signs import LogWrite
from agtrace.history.streams.commit_modes import Mode
from agtrace.history.streams.loss import INTEGRAL, Loss, RedoTime
from agtrace.say.said import Judged
from tests.diagnostics.asking import record
from tests.diagnostics.transport.made_shown import (
    ALL,
    LIMITS,
    STEP,
    N,
    both,
    link,
    primary,
    secondary,
    spread,
)

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


def test_a_loss_without_a_trend_does_not_grow():
    few = Loss("Sales", TIMES[:2], np.array([60.0, 70.0]), spread(65.0), 70.0, INTEGRAL, 0, 10.0)
    assert of_loss(few).severity == "notice"


def redo(end: float = 30.0, *, database: str = "Sales", at_most: bool = False, **more: Any) -> RedoTime:
    given: dict[str, Any] = {"capacity": 4e5, "n": 25}
    return RedoTime(database, TIMES, more.pop("spread", spread(20.0)), end, at_most=at_most, **given | more)


def of_redo(*times: RedoTime, without: tuple[str, ...] = (), recoveries: Any = ()) -> Judged:
    judged = costs.of_redo_time(both(), list(times), list(without), LIMITS, recoveries)
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
        "step": STEP, "without": ["Test"], "measured": None,
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


@pytest.mark.parametrize(
    ("end", "at_most", "bound", "rough"),
    [
        (1.0, True, "at most", Bounded(1.0)),
        (0.99, True, "", Bounded(1.0, "less than")),
        (1.0, False, "", Bounded(1.0)),
        (0.0, False, "", Bounded(0.0)),
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
        "steps": ["writes", "ping"], "queued": [],
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


@pytest.mark.parametrize(("is_failover", "severity"), [(True, "notice"), (False, "info")])
def test_a_recovery_that_was_measured_at_a_failover_counts_beside_the_estimate(is_failover, severity):
    row = record(Recoveries, seconds=2910, is_failover=is_failover, place="ERRORLOG line 4", end=None)
    rows = [row._replace(host_id=host, database="sales") for host in ("S", "P")]
    judged = of_redo(redo(29.0), recoveries=rows)
    assert (judged.severity, judged.facts["measured"]) == (severity, rows[0])
    assert told(judged)[-1] == ("sales: longest measured recovery", 2910, "s", "ERRORLOG line 4")
