"""What each hop of a copy takes, by seedings made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.seeding import by_hop
from agtrace.diagnostics.seeding.limits import NETWORK, Limiter
from agtrace.diagnostics.seeding.study import Seeded
from agtrace.history.seedings import Reason
from tests.diagnostics.seeding.made import compressed, operation, seeded, usage

BY_WIRE = Limiter((NETWORK, ""), 0.8, Reason("waits_alone"))


def hops(*measured: Seeded, link: float | None = None, packed: bool = False) -> list[tuple[Any, ...]]:
    """Name, seconds, basis and the seeding of each hop of 100 GB."""
    (way,) = [each for each in by_hop.ways(measured, 100.0, link) if each.is_compressed is packed]
    return [(hop.name, round(hop.seconds, 1), hop.basis, hop.of.operation.number) for hop in way.hops]


def test_processors_work_as_long_for_each_gb_as_they_did_in_the_last_copy_of_that_kind():
    """40 % of 4 cores for 100 s are 160 core-s of 10 GB: 16 core-s/GB, 4 s/GB of all four."""
    known = seeded(usage("A", "cpu", 40, cores=4), stream=compressed(False))
    without = seeded(usage("A", "cpu", 50, window=2), of=operation(2), stream=compressed(False))
    packed = seeded(usage("A", "cpu", 80, cores=4, window=3), of=operation(3), stream=compressed(True))
    assert hops(known, without, packed) == [(by_hop.PACKED, 400.0, by_hop.AT_LEAST, 1)]
    assert hops(known, without, packed, packed=True) == [(by_hop.PACKED, 800.0, by_hop.AT_LEAST, 3)]
    unsized = seeded(
        usage("A", "cpu", 40, cores=4), of=operation(copied_bytes=None), stream=compressed(False)
    )
    assert hops(unsized) == []
    received = seeded(usage("B", "cpu", 20, cores=2), stream=compressed(False))
    assert hops(received) == [(by_hop.UNPACKED, 200.0, by_hop.AT_LEAST, 1)]


def test_a_network_that_held_a_copy_back_takes_what_it_took_and_more_for_what_was_not_copied_so():
    """50 MB/s of which half is on the wire are 25 MB/s."""
    own = seeded(limiter=BY_WIRE, stream=compressed(True, 0.5), mean=5e7)
    slower = seeded(of=operation(2), limiter=BY_WIRE, stream=compressed(True, 0.5), mean=4e7)
    assert hops(own, slower, packed=True) == [(by_hop.WIRE, 2000.0, by_hop.IT_TOOK, 1)]
    assert hops(own, slower) == [(by_hop.WIRE, 4000.0, by_hop.AT_LEAST, 1)]


def test_a_card_takes_what_goes_through_it_and_a_link_that_is_asked_about_before_both():
    card = usage("A", "network_sent", 1e8, capacity=1.25e8)
    with_card = seeded(card, limiter=BY_WIRE, stream=compressed(False, 1.2))
    assert hops(with_card) == [(by_hop.WIRE, 1000.0, by_hop.IT_TOOK, 1)]
    assert hops(with_card, link=2.0) == [(by_hop.WIRE, 480.0, by_hop.AT_LEAST, 1)]
    assert hops(seeded(card)) == [(by_hop.WIRE, 800.0, by_hop.AT_LEAST, 1)]
    assert hops(seeded(card), packed=True) == []
    assert hops(seeded(usage("A", "network_sent", 1e8))) == []


def test_the_slowest_hop_is_none_of_which_only_the_most_is_known():
    seen = seeded(
        usage("A", "disk_read", 1e8),
        usage("A", "cpu", 40, cores=4),
        usage("A", "network_sent", 1e8, capacity=1.25e9),
        stream=compressed(False),
    )
    (way,) = [each for each in by_hop.ways([seen], 100.0, None) if not each.is_compressed]
    assert [(hop.name, hop.seconds) for hop in way.hops] == [
        (by_hop.READ, 1000.0), (by_hop.PACKED, 400.0), (by_hop.WIRE, 80.0)
    ]  # fmt: skip
    assert way.at_least == 400.0
    assert way.slowest
    assert way.slowest.name == by_hop.PACKED
    assert way.bytes == 100e9
    assert way.copy is seen


@pytest.mark.parametrize(("asked", "told"), [(None, by_hop.TOLD_GB), (7.0, 7.0)])
def test_the_page_tells_of_the_size_asked_about_else_of_one(asked, told):
    made = by_hop.ways([seeded()], asked, None)
    assert {each.database_gb for each in by_hop.facts_of(made, asked)["ways"]} == {told}
    assert len(made) == 2 * (1 if asked else len(by_hop.SIZES_GB))
