"""Where the costs of a transport change: the log at risk, and the wait of commits."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import costs
from agtrace.diagnostics.transport.commit import commit_delay
from agtrace.history.streams.commit_modes import Mode
from agtrace.history.streams.loss import Loss
from agtrace.measure import transport_counters as c
from tests.diagnostics.transport.made import LIMITS
from tests.diagnostics.transport.made_signs import LINK, rate


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, (0, "")), (4.9, (5, "less than")), (5, (5, "")), (9, (9, ""))]
)
def test_a_loss_below_the_sampling_interval_is_less_than_that_and_zero_is_zero(seconds, told):
    found = costs.bounded(seconds, 5)
    assert (found.seconds, found.bound) == told


def lost_log(end: float, growth: float = 0.0, **more: Any) -> Loss:
    """Return the loss of a database that grew by so many seconds in each second."""
    times = np.arange(60.0)
    known: dict[str, Any] = {"spread": rate(n=60), "method": "integral", "bounds": 0, "resolution": 5}
    return Loss("Sales", times, end + growth * (times - 59), end=end, **known | more)


def of_loss(*losses: Loss, left: float = 0.0) -> Any:
    link = Facts(**vars(LINK), is_local=False, left=left)
    return costs.of_loss(link, list(losses), LIMITS)


@pytest.mark.parametrize(
    ("loss", "severity", "confidence"),
    [
        (lost_log(60, 0.5), "info", 0.8), (lost_log(60.1, 0.5), "warning", 0.8),
        (lost_log(60.1, -0.5), "notice", 0.8), (lost_log(60.1, 0.5, at_least=True), "notice", 0.6),
        (lost_log(60.1, 0.5, at_least=True, growing=True), "warning", 0.6),
        (lost_log(60.1, -0.5, method="estimate"), "notice", 0.5),
    ],
)  # fmt: skip
def test_a_loss_is_worth_a_word_from_a_minute_on_and_a_warning_where_it_grows(loss, severity, confidence):
    found = of_loss(loss)
    assert (found.severity, found.confidence) == (severity, confidence)
    assert found.facts["is_beyond"] == (severity != "info")


@pytest.mark.parametrize(("left", "told"), [(0.0, None), (0.9995, None), (1, 1), (-2, 2)])
def test_clocks_of_which_a_second_is_left_apart_shift_a_loss(left, told):
    assert of_loss(lost_log(9), left=left).facts["clocks_apart"] == told


MODE = {"sync": Mode("synchronous", "x"), "async": Mode("asynchronous", "x"), None: None}


def commit(
    databases: dict[str, tuple[Any, Any]], modes: tuple[str | None, ...] = ("sync",), peers: int = 1
) -> Any:
    """Measure the commit wait of 20 samples: of each database delay (ms) and transactions in each second."""
    counters = {c.TRANSACTION_DELAY: 0, c.MIRRORED_WRITES: 1}

    def get(counter: Any, key: str) -> Any:
        place = counters.get(counter)
        value = None if place is None else databases[key][place]
        return None if value is None else np.broadcast_to(np.array(value, float), 20)

    primary = Facts(times=np.arange(20.0), get=get, host_id="HP", name="P")
    group = Facts(
        is_distributed=False,
        databases={key: key.title() for key in databases},
        peers=lambda _node: [None] * peers,
    )
    links = [
        Facts(group=group, replica=f"S{n}", secondary=None, secondary_rows=slice(None), apart=None)
        for n in range(len(modes))
    ]
    known = Facts(
        limits=LIMITS,
        machines=Facts(of=lambda *_at: Facts(disk=None)),
        modes=Facts(of=lambda link, _limits: MODE[modes[int(link.replica[1:])]]),
        facts=Facts(round_trip=lambda *_of: 0.01, names=Facts(host_id=lambda name: name)),
    )
    return commit_delay(primary, slice(None), links, known)


def test_the_commit_wait_is_all_delay_over_all_transactions():
    found = commit({"sales": (100, 10), "stock": (100, 30), "idle": (0, 0), "half": (50, None)})
    assert (found.mean, found.transactions_per_s, found.each.n) == (5, 40, 20)
    assert found.per_database == {"Sales": 10, "Stock": pytest.approx(100 / 30)}
    assert [(hop.replica, hop.round_trip) for hop in found.hops] == [("S0", 0.01)]


@pytest.mark.parametrize(
    ("modes", "peers", "is_told"),
    [
        (("async",), 1, False), (("async", "sync"), 2, True), (("async", None), 2, True),
        (("async", "async"), 2, False), (("async",), 2, True), ((None,), 1, True),
    ],
)  # fmt: skip
def test_nobody_waits_where_all_replicas_commit_asynchronously(modes, peers, is_told):
    assert (commit({"sales": (10, 1)}, modes, peers) is not None) == is_told


@pytest.mark.parametrize("unknown", [(None, 1), (1, None)])
def test_a_commit_wait_takes_both_counters(unknown):
    assert commit({"sales": unknown}) is None
