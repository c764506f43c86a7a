"""What enters a hop passes it or waits before it, over one time and in one unit, or it is said why not."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import agtrace
from agtrace.diagnostics.transport import figures
from agtrace.diagnostics.transport.balance import Balance, balance
from agtrace.diagnostics.transport.sent_received import SentReceived, sent_received
from agtrace.measure.covered import Covered
from tests.diagnostics.transport.made_shown import STEP, N, both, known, studied

RISING = STEP * np.arange(N)
KIB = 1024
WAITS = "there is no time in which every hop has samples"


def rate(*values: float, start: float = 0.0) -> Covered:
    """A rate of so many seconds each."""
    starts = start + np.arange(len(values))
    return Covered(starts, starts + 1.0, np.array(values))


def queue(*values: float) -> Any:
    return np.arange(len(values)).astype(float), np.array(values)


def of(rates: dict[str, Covered], queues: dict[str, Any], **more: Any) -> Balance:
    given: dict[str, Any] = {"beside": {}, "missing": {}, "step": 0.0, "share": 0.05}
    return balance(rates, queues=queues, **given | more)


def test_what_does_not_pass_waits_in_the_queue():
    found = of({"in": rate(10, 10, 10), "out": rate(4, 4, 4)}, {"out": queue(0, 6, 12, 18)})
    assert found.seconds == 3
    out = found.passed["out"]
    assert (found.passed["in"].total, out.total, out.growth, out.left, out.why_not) == (30, 12, 18, 0, "")


def test_every_hop_counts_the_same_samples():
    rates = {"in": rate(10, 10, 10, 10), "out": rate(4, 4, start=1)}
    found = of(rates, {"out": queue(0, 6, 12, 18, 24)}, beside={"wire": rate(1, 2, 3, 4)})
    assert (found.seconds, found.passed["in"].total, found.passed["out"].growth) == (2, 20, 12)
    assert found.passed["wire"].total == 5
    assert "wire" in found.passed["wire"].why_not


def test_a_queue_grows_in_the_samples_alone_that_are_compared():
    apart = Covered(np.array([0.0, 3.0]), np.array([1.0, 4.0]), np.array([10.0, 10.0]))
    found = of({"in": apart, "out": apart}, {"out": queue(0, 0, 50, 100, 100)})
    assert (found.passed["out"].growth, found.passed["out"].left) == (0, 0)


@pytest.mark.parametrize(
    ("out", "queues", "why"),
    [
        (9.4, {}, "2 B did not pass"), (9.5, {}, ""),
        (10.6, {}, "2 B more passed than entered and left the queue"),
        (4.0, {"out": queue(0, 0, 0, 0)}, "18 B neither passed nor waits"),
        (4.0, {"out": queue(np.nan, np.nan)}, "18 B did not pass"),
    ],
)  # fmt: skip
def test_a_hop_that_does_not_add_up_says_why(out, queues, why):
    assert of({"in": rate(10, 10, 10), "out": rate(out, out, out)}, queues).passed["out"].why_not == why


def test_log_on_its_way_for_one_interval_is_not_missing():
    rates = {"in": rate(10, 10, 10), "out": rate(7, 7, 7)}
    assert of(rates, {}).passed["out"].why_not
    assert not of(rates, {}, step=2.0).passed["out"].why_not


def test_without_a_common_time_nothing_is_compared():
    found = of({"in": rate(1, 1), "out": rate(1, 1, start=7)}, {}, missing={"redone": "no counter"})
    assert (found.seconds, {name: each.why_not for name, each in found.passed.items()}) == (
        0.0, {"redone": "no counter", "in": WAITS, "out": WAITS},
    )  # fmt: skip


# Of streams


def stream(**more: Any) -> SentReceived:
    (found,) = sent_received(known("12.0"), [studied(both(**more))])
    return found


def test_a_stream_that_falls_behind_adds_up():
    queues = {"s_send_queue": 6e5 / KIB * RISING, "s_recovery_queue": 1e5 / KIB * RISING}
    found = stream(**queues, s_flushed=4e5, s_redone=3e5)
    shown = {name: (each.growth, each.why_not) for name, each in found.balance.passed.items()}
    seconds = found.balance.seconds
    assert shown["log received"] == (pytest.approx(6e5 * (seconds - STEP)), "")
    assert shown["log redone"] == (pytest.approx(1e5 * (seconds - STEP)), "")
    assert found.arrived_ratio == pytest.approx(0.4)
    (made,) = figures.strips([found], [studied(found.link)])
    assert [step.note for step in made.steps] == [
        "", "", "send queue +180 MB", "", "recovery queue +30 MB",
    ]  # fmt: skip


def test_without_a_common_clock_a_strip_says_why():
    found = stream(aligned=False)
    (made,) = figures.strips([found], [studied(found.link)])
    why = "the clock of one of the hosts is not known"
    assert [(step.amount, step.note) for step in made.steps[:2]] == [("not compared", why)] * 2


@pytest.mark.complete
@pytest.mark.parametrize(
    "name",
    ["commit_network", "commit_redo", "direct_seeding", "direct_seeding_cores", "log_send_queue",
     "log_send_queue_fixed", "log_send_queue_ping", "read_only_routing", "seeding_compression"],
)  # fmt: skip
def test_the_chain_of_a_sample_adds_up(name, sample_store):
    order = ("log flushed", "log received", "log hardened", "log redone")
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name)) as case:
        for each in case.transport.sent_received():
            assert not [one for one in order if each.balance.passed[one].why_not]
            for before, hop in pairwise(order):
                entered, passed = each.balance.passed[before], each.balance.passed[hop]
                assert entered.total == pytest.approx(passed.total + (passed.growth or 0), rel=0.02, abs=5e6)
            if each.arrived is not None and each.arrived.ratio is not None:
                assert each.arrived_ratio == pytest.approx(each.arrived.ratio, abs=0.0005)
