"""Two hosts are judged together where they were captured together, by clocks that agree."""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import ANY

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts, behind
from tests.diagnostics.tiny import START, Case, case
from tests.diagnostics.transport.cases import SLOW, one, perfmon, verdicts
from tests.folded import folded

HOUR, DAY = 3600.0, 86400.0
SWING = "7x900000,9x1600000,5x300000,13x1100000,4x2500000,11x700000,3x3000000,17x500000,8x1400000,1000000"
"""A load with a shape of its own, that repeats nowhere."""


def shifted(made: Case, host: str, seconds: float) -> Case:
    """Move a host's perfmon in time."""
    step = f"interval '{seconds} seconds'"
    for table in ("ticks", "samples"):
        made.run(
            f"update {table} set time = time + {step}, time_local = time_local + {step} "
            f"where content_id = 'perfmon-{host}'"
        )
    return made


def told(made: Case) -> list[tuple[str, str]]:
    """Give the findings about clocks and about what was not captured together."""
    return [
        (f.id, f.title)
        for f in Transport(made).findings()
        if f.id == "quality.clock_skew" or "same time" in f.title
    ]


def sources(made: Case) -> str:
    """Give everything that the verdicts on the replica quote."""
    return " ".join(
        f"{e.label} {e.source}"
        for f in Transport(made).findings()
        if f.id.startswith("transport.") and "replica" in f.subject
        for e in f.evidence
    )


def structured(**more: str) -> Case:
    """A slow stream: 400 KB/s arrive of a load with a shape; the queue takes the rest."""
    import numpy as np

    from tests.diagnostics.tiny import values

    made = values(SWING, 120)
    queue = np.concatenate([[0.0], np.cumsum((made[1:] - 400000) * 5 / 1024)])
    queue = np.maximum(queue - queue.min(), 0)
    text = ",".join(f"1x{value:.3f}" for value in queue)
    return case(perfmon(SLOW, flushed=SWING, queue=text), **more)


@pytest.mark.complete
@folded("host", ["P", "S"])
@folded("by", [HOUR, -9 * HOUR, DAY, -44 * 365 * DAY])
def test_without_overlap_only_the_replica_speaks(host, by):
    made = shifted(case(perfmon(SLOW)), host, by)
    assert verdicts(made)[0] == "network_limited critical 0.5 S"
    assert told(made) == [("quality.not_captured", ANY)]
    assert "on P" not in sources(made)
    assert_facts(one(made, "network_limited"), flushed=None, side="replica", averaged=None, clocks_apart=None)


@pytest.mark.parametrize("by", [HOUR, -HOUR, -9 * HOUR, -44 * 365 * DAY, 200.0])
def test_counters_that_fit_after_a_shift_tell_the_skew(by):
    made = shifted(structured(), "P", by)
    assert "on P" not in sources(made)


def test_clocks_that_agree_are_not_accused():
    assert told(structured()) == []
    assert told(shifted(structured(), "P", 20)) == []
    assert verdicts(structured()) == ["network_limited critical 0.6 S"]


def test_a_load_without_shape_tells_no_skew():
    made = shifted(case(perfmon(SLOW)), "P", 200)
    assert told(made) == []
    assert verdicts(made) == ["network_limited critical 0.6 S"]


def test_a_load_that_repeats_tells_no_skew():
    wave = ",".join(["6x500000", "6x2000000"] * 10)
    made = shifted(case(perfmon(flushed=wave, received=wave)), "P", 120)
    assert told(made) == []


def test_a_pair_that_met_once_is_not_said_to_have_missed_each_other():
    # The primary stopped logging long before the replica did.
    made = case(perfmon(flushed="400x1000000,-", sent="400x1000000,-"), rows=1200)
    made.run("delete from ticks where content_id = 'perfmon-P' and tick >= 400")
    made.run("delete from samples where content_id = 'perfmon-P' and tick >= 400")
    assert told(made) == []


def test_the_commit_wait_is_told_of_a_primary_that_was_captured_apart():
    made = shifted(case(perfmon(delay="9000", mirrored="200")), "P", DAY)
    assert one(made, "commit_delay").severity == "notice"
    start = (START + timedelta(seconds=DAY)).isoformat() + "Z"
    assert one(made, "commit_delay").window["start"] == start


RUN = "7x900000,9x1600000,5x300000,13x1100000,4x2500000,11x700000,3x3000000,17x500000"
"""One run of a test, 69 samples of 5 s; the next begins 204 samples = 17 minutes later."""
RUNS = f"{RUN},135x200000,{RUN},200000"


def runs(**cuts: tuple[int, int]) -> Case:
    """Two equal runs 17 minutes apart, what arrives as it is flushed; a host may be captured for less."""
    made = case(perfmon(flushed=RUNS, received=RUNS, hardened=RUNS, redone=RUNS), rows=300)
    for host, (first, last) in cuts.items():
        for table in ("ticks", "samples"):
            made.run(
                f"delete from {table} where content_id = 'perfmon-{host}' "
                f"and tick not between {first} and {last}"
            )
    return made


CUTS = ({}, {"S": (150, 299)}, {"P": (0, 250), "S": (190, 299)}, {"P": (190, 299)})


@pytest.mark.parametrize("cuts", CUTS, ids=str)
def test_equal_runs_are_no_clock_that_is_off(cuts):
    assert told(runs(**cuts)) == []


@pytest.mark.complete
@folded("cuts", CUTS)
@folded("by", [1020.0, -1020.0, HOUR])
def test_equal_runs_and_a_clock_that_is_off_give_its_shift_or_none(cuts, by):
    found = [f for f in Transport(shifted(runs(**cuts), "P", by)).findings() if f.id == "quality.clock_skew"]
    for each in found:
        ahead = each.evidence[0].value / 1000 * (1 if each.subject["host"] == "P" else -1)
        assert ahead == pytest.approx(by, abs=10)


def test_a_replica_that_joined_late_has_no_clock_that_is_off():
    # What it gets begins with an edge, as the primary's capture does; the rest of both is flat.
    load = "0,50000,120000,1000000~5"
    joined = "160x-,0,50000,120000,1000000~5"
    made = case(perfmon(flushed=load, received=joined, queue="160x-,100"), rows=240)
    assert told(made) == []


def test_one_burst_alone_tells_no_clock():
    # A replica that was cut off gets its burst later: one burst fits any other.
    made = case(
        perfmon(flushed="60x500000~5,10x5000000,500000~5", received="150x500000~5,10x5000000,500000~5"),
        rows=240,
    )
    assert told(made) == []


def pairs(*seconds: int) -> str:
    """The two hosts note their connection at the same moments."""
    return "\n".join(
        f"{host} | {at} | connection | 35202 | replica={other}"
        for at in seconds
        for host, other in (("P", "S"), ("S", "P"))
    )


@pytest.mark.parametrize(("at", "is_told"), [((300, 500), False), ((-7200, -7000), True)])
def test_what_both_hosts_logged_at_the_time_is_not_contradicted(at, is_told):
    made = shifted(structured(messages=pairs(*at)), "P", 200.0)
    assert bool(told(made)) == is_told


def test_whole_hours_point_to_the_offset_from_utc():
    for by, hint in ((9 * HOUR, True), (9 * HOUR + 400, False)):
        (found,) = [
            f for f in Transport(shifted(structured(), "P", by)).findings() if f.id == "quality.clock_skew"
        ]
        assert behind(found)["is_zone"] == hint
