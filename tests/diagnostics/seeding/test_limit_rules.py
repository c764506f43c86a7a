"""What held a copy back, at the bounds of each rule."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.seeding.limits import DISK, MIXED, NETWORK, SMALL, Waits, judge, waits_of
from agtrace.history.seedings import SOURCE, TARGET
from tests.diagnostics.seeding.cases import at
from tests.diagnostics.seeding.made import LIMITS, operation, side, usage
from tests.folded import folded


def waited(disk: int | None, network: int | None, **more: Any) -> Any:
    return side(SOURCE, "A", disk_wait_ms=disk, network_wait_ms=network, **more)


@folded(
    ("disk", "network", "told"),
    [
        (None, 50_000, None),
        (50_000, None, None),
        (0, 0, (0.0, 0.0, SMALL)),
        (0, 19_999, (0.0, 0.19999, SMALL)),
        (0, 20_000, (0.0, 0.2, NETWORK)),
        (60_000, 40_000, (0.6, 1.0, DISK)),
        (59_000, 41_000, (0.59, 1.0, MIXED)),
        (41_000, 59_000, (0.41, 1.0, MIXED)),
        (20_000, 60_000, (0.25, 0.8, NETWORK)),
    ],
)
def test_the_waits_of_an_end(disk, network, told):
    found = waits_of(waited(disk, network), None, LIMITS)
    assert (found and (found.share, found.of_copy, found.dominant)) == told


def test_waits_are_told_with_their_end():
    found = waits_of(waited(20_000, 60_000), None, LIMITS)
    assert found == Waits(SOURCE, "A", 20_000, 60_000, 0.25, 0.8, NETWORK)
    assert found
    assert found.network_share == 0.75


@pytest.mark.parametrize(
    ("own", "seconds", "of_copy"),
    [
        ({}, 50.0, 0.5),  # its own time comes first
        ({"copy_end": None}, 50.0, 1.0),
        ({"copy_start": None}, 50.0, 1.0),
        ({"copy_end": at(0)}, 50.0, 1.0),
        ({"copy_end": None}, None, None),
        ({"copy_end": at(0)}, None, None),
        ({"copy_end": None}, 0.0, None),
    ],
)
def test_waits_are_compared_with_the_time_of_the_end_itself(own, seconds, of_copy):
    found = waits_of(waited(0, 50_000, **own), seconds, LIMITS)
    assert (found and found.of_copy) == of_copy


@pytest.mark.parametrize(
    ("of", "seconds", "name"),
    [
        (operation(copy_end=at(0.99)), None, "fixed_costs"),
        (operation(copy_end=at(1)), None, "none_full"),
        (operation(copy_end=None), 0.5, "fixed_costs"),
        (operation(copy_end=None), 5.0, "none_full"),
        (operation(copy_end=None), None, "none_full"),
        (operation(), 0.5, "none_full"),
    ],
)
def test_a_copy_of_less_than_a_second_tells_of_no_limit(of, seconds, name):
    found = judge(of, [], LIMITS, seconds)
    assert (found.limit, found.confidence, found.reason.name) == (None, 0.0, name)


def both(source: tuple[int, int], target: tuple[int, int]) -> Any:
    ends = ((SOURCE, "A", source), (TARGET, "B", target))
    source_side, target_side = (
        side(role, host, disk_wait_ms=disk, network_wait_ms=net) for role, host, (disk, net) in ends
    )
    return operation(source=source_side, target=target_side)


IDLE, BY_NETWORK, BY_DISK = (0, 0), (0, 80_000), (80_000, 0)


@pytest.mark.parametrize(
    ("of", "host", "is_starved"),
    [
        (both(IDLE, BY_NETWORK), "A", True),
        (both(IDLE, BY_NETWORK), "B", False),
        (both(IDLE, IDLE), "A", False),
        (both(BY_NETWORK, BY_NETWORK), "A", False),
    ],
)
def test_processors_of_the_source_starve_a_target_that_waits(of, host, is_starved):
    found = judge(of, [usage(host, "cpu", 99)], LIMITS)
    assert found.reason.figures["is_starved"] is is_starved


def test_a_full_card_that_holds_the_copy_back_leaves_no_room_for_starving_processors():
    rows = [usage("A", "cpu", 99), usage("A", "card_sent_busy", 95)]
    found = judge(both(IDLE, BY_NETWORK), rows, LIMITS)
    assert (found.limit, found.reason.figures["is_starved"]) == ((NETWORK, ""), False)


NET, SRC, TGT = (NETWORK, ""), (DISK, SOURCE), (DISK, TARGET)


@folded(
    ("source", "target", "full", "told"),
    [
        (BY_NETWORK, BY_NETWORK, None, (NET, 0.8, "waits_alone", NET)),
        (BY_NETWORK, BY_DISK, "B disk_busy", (TGT, 0.95, "waits_and_full", TGT)),
        (BY_DISK, BY_NETWORK, "A card_sent_busy", (None, 0.0, "against_full", SRC)),
        (IDLE, BY_NETWORK, "A card_sent_busy", (NET, 0.6, "despite_waits", None)),
        (IDLE, IDLE, None, (None, 0.0, "none_full", None)),
        (BY_DISK, IDLE, None, (None, 0.0, "none_full", None)),
        (BY_DISK, IDLE, "A disk_busy", (None, 0.0, "unfit", None)),
        (IDLE, BY_DISK, "A card_sent_busy", (None, 0.0, "unfit", None)),
    ],
)
def test_waits_of_both_ends_and_one_full_resource(source, target, full, told):
    rows = [usage(*full.split(), 95)] if full else []
    found = judge(both(source, target), rows, LIMITS)
    assert (found.limit, found.confidence, found.reason.name, found.reason.figures["points_to"]) == told
    assert found.candidates == ()
    assert found.reason.figures["candidates"] == ()
    assert found.reason.figures["full"] == ([limit for limit, _ in found.saturated])


def test_two_full_resources_decide_nothing():
    rows = [usage("A", "card_sent_busy", 95), usage("A", "disk_busy", 95)]
    found = judge(operation(), rows, LIMITS)
    assert (found.limit, found.confidence, found.reason.name) == (None, 0.0, "several_full")
    assert found.reason.figures["full"] == [SRC, NET]
    assert found.reason.figures["waited"] == []


@pytest.mark.parametrize(
    ("waits", "full", "told"),
    [
        (BY_NETWORK, None, (None, 0.0, "one_end", (NET, TGT))),
        (BY_DISK, None, (None, 0.0, "unconfirmed", (SRC,))),
        (BY_NETWORK, "B disk_busy", (TGT, 0.65, "waits_and_full", ())),
        (BY_DISK, "A card_sent_busy", (None, 0.0, "unfit", ())),
        (IDLE, "A card_sent_busy", (NET, 0.6, "full_alone", ())),
        (IDLE, None, (None, 0.0, "none_full", ())),
    ],
)
def test_waits_of_one_end_and_one_full_resource(waits, full, told):
    of = operation(source=side(SOURCE, "A", disk_wait_ms=waits[0], network_wait_ms=waits[1]))
    found = judge(of, [usage(*full.split(), 95)] if full else [], LIMITS)
    assert (found.limit, found.confidence, found.reason.name, found.candidates) == told
