"""Two sides that were captured and not judged together: which pairs are named, and how sure it is."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.transport.apart import of_apart
from agtrace.history.streams.links import Link
from agtrace.history.streams.meeting import LEAST_CELLS, Apart, Shift
from agtrace.measure.grid import Node
from agtrace.say.said import Judged
from tests.diagnostics.transport.made_shown import ALL, LIMITS, both, link, primary, secondary
from tests.folded import folded


def shifted(seconds: float = 7200.0, fit: float = 0.98765, n: int = 99, resolution: float = 5.0) -> Shift:
    return Shift(seconds, fit, n, resolution)


def apart(shift: Shift | None = None, overlap: int = 0, one: Node | None = None, **more: Any) -> Link:
    """The link to S, which P was captured apart from."""
    met = Apart(one or primary(), ALL, overlap, shift)
    return link(more.pop("one", None), secondary(), **{"apart": met} | more)


def judged(*links: Link) -> list[Judged]:
    return of_apart(list(links), LIMITS)


def of(shift: Shift, overlap: int = LEAST_CELLS, **more: Any) -> Judged:
    (found,) = judged(apart(shift, overlap, **more))
    return found


def test_a_clock_that_is_ahead_is_told_with_what_shows_it():
    found = of(shifted(7200.0004, resolution=20.4004))
    assert (found.said, found.id, found.severity) == ("clock_skew", "quality.clock_skew", "warning")
    assert found.subject == {"host": "P", "other_host": "S", "replica": "S", "ag": "AG"}
    assert found.window == {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:05:00Z"}
    told = [(each.label, each.value, each.unit, each.source) for each in found.evidence]
    assert told == [
        ("clock skew (by counters)", 7_200_000, "ms", "perfmon of P and S"),
        ("resolution", 20_400, "ms", "perfmon of P and S"),
        ("correlation after the shift", 0.99, "", "perfmon of P and S, n = 99"),
        ("samples at the same time, as written", LEAST_CELLS, "", "perfmon of P and S"),
    ]
    assert found.facts == {
        "ahead": "P", "behind": "S", "by": 7200.0004, "primary": "P", "n": 99, "replica": "S",
        "fit": 0.99, "is_zone": True, "is_apart": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("seconds", "ahead", "behind"), [(7200.0, "P", "S"), (-7200.0, "S", "P"), (-0.5, "S", "P")]
)
def test_the_host_whose_clock_is_ahead_comes_first(seconds, ahead, behind):
    found = of(shifted(seconds))
    assert (found.subject["host"], found.subject["other_host"]) == (ahead, behind)
    assert (found.facts["ahead"], found.facts["behind"], found.facts["by"]) == (ahead, behind, abs(seconds))


def test_two_clocks_that_do_not_differ_have_no_order_of_their_own():
    assert of(shifted(0.0)).subject["host"] == "P"


def test_a_group_without_a_name_is_not_named():
    assert of(shifted(), ag="").subject == {"host": "P", "other_host": "S", "replica": "S"}


@pytest.mark.parametrize(
    ("fit", "overlap", "confidence"),
    [
        (LIMITS.skew_sure_fit, LEAST_CELLS, 0.85),
        (LIMITS.skew_sure_fit - 0.001, LEAST_CELLS, 0.7),
        (1.0, LEAST_CELLS - 1, 0.7),
        (0.0, 0, 0.7),
    ],
)
def test_a_close_fit_of_captures_of_one_time_is_surer(fit, overlap, confidence):
    found = of(shifted(fit=fit), overlap)
    assert found.confidence == confidence
    assert found.facts["is_apart"] == (overlap < LEAST_CELLS)


@folded(
    ("seconds", "resolution", "is_zone"),
    [
        (3600.0, 1.0, True),
        (-3600.0, 1.0, True),
        (3620.0, 1.0, True),
        (3580.0, 1.0, True),
        (3620.5, 1.0, False),
        (3579.5, 1.0, False),
        (3620.5, 10.25, True),
        (3621.0, 10.25, False),
        (3630.0, 15.0, True),
        (900.0, 1.0, True),
        (0.0, 1.0, False),
        (450.0, 225.0, False),
        (451.0, 225.0, True),
        (14 * 3600.0, 1.0, True),
        (14 * 3600.0 + 1, 1.0, False),
        (-14.25 * 3600, 1.0, False),
        (13.75 * 3600, 1.0, True),
    ],
)
def test_a_shift_of_whole_quarter_hours_that_zones_reach_is_one_of_a_zone(seconds, resolution, is_zone):
    assert of(shifted(seconds, resolution=resolution)).facts["is_zone"] == is_zone


def test_captures_that_do_not_meet_are_told_with_both_of_their_times():
    (found,) = judged(apart(overlap=3))
    assert (found.said, found.id, found.severity) == (
        "not_captured.apart", "quality.not_captured", "notice",
    )  # fmt: skip
    assert found.subject == {"host": "P", "other_host": "S", "replica": "S", "ag": "AG"}
    window = {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:05:00Z"}
    assert found.window == window
    told = [(each.label, each.value, each.source) for each in found.evidence]
    assert told == [
        ("samples at the same time", 3, "perfmon of P and S"),
        ("captured from", "2024-03-05T12:00:00Z", "perfmon of P"),
        ("captured to", "2024-03-05T12:05:00Z", "perfmon of P"),
    ]
    assert found.facts == {"primary": "P", "replica": "S", "overlap": 3, "here": window, "there": window}


def test_another_replica_of_one_primary_is_another_pair():
    there = primary_of("T")
    (found,) = judged(both(), link(None, there, replica="T", apart=Apart(primary(), ALL, 0, None)))
    assert found.subject["other_host"] == "T"


def primary_of(host: str) -> Node:
    made = primary()
    return Node(host, times=made.times, series=made.series, written=made.written)


def test_pairs_of_other_hosts_are_each_told():
    found = judged(apart(), apart(one=primary_of("Q")), apart(one=primary_of("R")))
    assert [each.subject["host"] for each in found] == ["P", "Q", "R"]
