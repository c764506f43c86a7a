"""How long a database of another size takes, by copies made by hand: 10 GB at 100 MB/s."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.seeding import estimate
from agtrace.diagnostics.seeding.estimate import Estimate, estimates, measured_of, page
from agtrace.diagnostics.seeding.limits import NETWORK, Limiter, Rates
from agtrace.diagnostics.seeding.study import Seeded
from agtrace.history.seedings import Reason
from tests.diagnostics.seeding.cases import at
from tests.diagnostics.seeding.made import compressed, operation, seeded, study, usage

BY_NETWORK = Limiter((NETWORK, ""), 0.8, Reason("waits_alone"))
RANGED = Rates(1e8, 5e7, 1e8, 2e8, 20)


def one(of: Seeded, link: float | None = None) -> Estimate:
    """Estimate 100 GB."""
    (made,) = estimates(study(of), 100.0, link)
    return made


def assumed(of: Seeded, link: float | None = None) -> list[str]:
    return [name for name, _ in one(of, link).assumed]


def test_without_a_copy_the_link_alone_is_left():
    usual = estimates(study(), None, 8.0)
    assert [(each.database_gb, each.seconds, each.bytes_per_s) for each in usual] == [
        (100.0, 100.0, 1e9), (1000.0, 1000.0, 1e9), (5000.0, 5000.0, 1e9)
    ]  # fmt: skip
    (asked,) = estimates(study(), 50.0, 8.0)
    assert (asked.seconds, asked.fastest, asked.slowest, asked.basis) == (50.0, None, None, None)
    assert (asked.link_gbit_per_s, asked.bytes) == (8.0, 50e9)
    assert asked.assumed == (("link_is_full", {}), ("not_compressed", {}), ("all_keep_up", {}))
    assert estimates(study(), 50.0, None) == []


@pytest.mark.parametrize(
    ("rates", "fastest", "slowest", "is_ranged"),
    [
        (Rates(1e8), None, None, False),
        (Rates(1e8, 1e8, 1e8, 1e8), 1000.0, 1000.0, False),
        (Rates(1e8, None, 1e8, 2e8), 500.0, None, False),
        (Rates(1e8, 5e7, 1e8, None), None, 2000.0, False),
        (Rates(1e8, 0.0, 1e8, 2e8), 500.0, None, False),
    ],
)
def test_bounds_come_from_the_percentiles_of_the_rate(rates, fastest, slowest, is_ranged):
    made = one(seeded(rates=rates))
    assert (made.fastest, made.slowest, made.is_ranged) == (fastest, slowest, is_ranged)


@pytest.mark.parametrize(
    ("of", "mean", "is_measured"),
    [
        (operation(), 1e8, True),
        (operation(), None, False),
        (operation(), 0.0, False),
        (operation(outcome="failed"), 1e8, False),
        (operation(copy_end=at(1)), 1e8, True),
        (operation(copy_end=at(0.99)), 1e8, False),
        (operation(copy_end=None), 1e8, False),
    ],
)
def test_which_copies_tell_of_a_rate(of, mean, is_measured):
    found = seeded(of=of, mean=mean)
    assert measured_of(study(found)) == ([found] if is_measured else [])


def test_a_link_that_is_slower_than_the_copy_takes_longer():
    made = one(seeded(rates=RANGED, stream=compressed(False, 1.0)), 0.4)
    assert (made.seconds, made.bytes_per_s) == (2000.0, 5e7)
    assert (made.fastest, made.slowest) == (2000.0, 2000.0)
    names = [name for name, _ in made.assumed]
    assert names == ["same_pages", "wire_measured", "slower_link", "no_wait"]
    assert dict(made.assumed)["wire_measured"] == {"ratio": 1.0}


def test_a_link_that_is_just_as_fast_is_no_slower_one():
    assert "no_gain" in assumed(seeded(stream=compressed(False, 1.0)), 0.8)


@pytest.mark.parametrize(
    ("stream", "seconds", "says"),
    [
        (compressed(True, 0.5), 1000.0, "wire_measured"),
        (compressed(False, 1.25), 2500.0, "wire_measured"),
        (compressed(None, 0.9), 2000.0, "wire_not_decided"),
        (compressed(None, None), 2000.0, "wire_not_captured"),
        (compressed(True, None), 2000.0, "wire_not_captured"),
    ],
)
def test_what_goes_over_the_link_for_each_byte_of_the_database(stream, seconds, says):
    of = seeded(stream=stream)
    assert one(of, 0.4).seconds == seconds
    assert says in assumed(of, 0.4)


def test_where_the_network_held_the_copy_back_the_link_is_the_rate():
    of = seeded(usage("A", "disk_read", 1e8, highest=3e8), limiter=BY_NETWORK, rates=RANGED)
    made = one(of, 8)
    assert (made.seconds, made.bytes_per_s) == (100.0, 1e9)
    # At 10 times the rate: 0.5 GB/s at the least, no more than the link at the most.
    assert (made.fastest, made.slowest) == (100.0, 200.0)
    assert dict(made.assumed)["network_best"] == {"end": "A", "most": 3e8}
    assert dict(one(of, 2.4).assumed)["network_best"] == {"end": "A", "most": None}
    assert dict(one(replace(of, usages=()), 8).assumed)["network_best"] == {"end": "A", "most": None}
    assert assumed(of) == ["same_pages", "network_same", "no_wait"]


def test_every_size_of_every_copy_is_estimated_and_one_is_told():
    found = study(seeded(), seeded(of=operation(2)))
    made = estimates(found, None, None)
    assert [(each.basis and each.basis.operation.number, each.database_gb) for each in made] == [
        (number, size) for number in (1, 2) for size in estimate.SIZES_GB
    ]
    told: dict[str, Any] = page(made, None)
    assert [each.database_gb for each in told["estimates"]] == [estimate.TOLD_GB] * 2
    assert (told["is_hinted"], told["most"]) == (True, 30)
    asked = page(estimates(found, 7.0, None), 7.0)
    assert ([each.database_gb for each in asked["estimates"]], asked["is_hinted"]) == ([7.0, 7.0], False)
