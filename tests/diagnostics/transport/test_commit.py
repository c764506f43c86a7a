"""What a commit waited for: the delay of its transactions, and what is known of each replica."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport.commit import CommitDelay, commit_delay
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.meeting import Apart
from tests.diagnostics.transport.made import known, link, ping, primary, secondary

WRITES = {"flush_ms": 30, "flushes": 10}


def waited(of: Link, beside: StreamFacts | None = None, rows: slice = slice(0, 60)) -> CommitDelay | None:
    assert of.primary is not None
    return commit_delay(of.primary, rows, [of], beside or known())


def both(there: dict[str, Any] | None = None, **here: Any) -> Link:
    return link(primary(**{"delay": 100, "mirrored": 10} | here), secondary(**there or {}))


def test_samples_of_which_one_counter_is_blank_count_for_nothing():
    blank = [np.nan] * 20
    found = waited(both(delay=[100.0] * 40 + blank, mirrored=blank + [10.0] * 40))
    assert found is not None
    assert (found.mean, found.each.n, found.transactions_per_s) == (10, 20, 10 / 3)


def test_a_database_with_a_transaction_now_and_then_has_a_mean_of_its_own():
    few = [0.5] + [0.0] * 59
    found = waited(
        link(primary(delay={"Sales": 100, "Few": few}, mirrored={"Sales": 10, "Few": few}), secondary(),
             ("Sales", "Few", "Uncounted"))
    )  # fmt: skip
    assert found is not None
    assert found.per_database == {"Few": 1, "Sales": 10}


def hop(of: Link, beside: StreamFacts | None = None) -> tuple[float | None, float | None]:
    found = waited(of, beside)
    assert found is not None
    ((_, round_trip, write),) = [(each.replica, each.round_trip, each.write) for each in found.hops]
    return round_trip, write and write.ms


def test_a_replica_that_was_captured_at_another_time_adds_no_log_writes():
    of = both(WRITES)
    assert of.primary is not None
    of.apart = Apart(of.primary, slice(0, 60), 5, None)
    assert hop(of, known(ping(12))) == (0.012, None)


@pytest.mark.parametrize(("busy", "is_told"), [(19, False), (20, True)])
def test_twenty_samples_with_transactions_carry_a_wait(busy, is_told):
    found = waited(both(mirrored=[0.5] * busy + [0.0] * (60 - busy)))
    assert (found is not None) == is_told
