"""Two hosts are judged together where they were captured together, by clocks that agree."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agtrace.diagnostics.transport import Transport
from tests.diagnostics.tiny import START, Case, case
from tests.diagnostics.transport.cases import SLOW, one, perfmon, verdicts

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
    return case(perfmon(SLOW, flushed=SWING, queue=text, **more))


@pytest.mark.parametrize("host", ["P", "S"])
@pytest.mark.parametrize("by", [HOUR, -9 * HOUR, DAY, -44 * 365 * DAY])
def test_without_overlap_only_the_replica_speaks(host, by):
    made = shifted(case(perfmon(SLOW)), host, by)
    assert verdicts(made)[0] == "network_limited critical 0.5 S"
    assert told(made) == [("quality.not_captured", "P and S were not captured at the same time")]
    assert "on P" not in sources(made)
    assert "P was not captured in this window" in one(made, "network_limited").narrative


@pytest.mark.parametrize(("by", "title"), [
    (HOUR, "The perfmon of P is 1 h ahead of that of S"),
    (-HOUR, "The perfmon of S is 1 h ahead of that of P"),
    (-9 * HOUR, "The perfmon of S is 9 h ahead of that of P"),
    (-44 * 365 * DAY, "The perfmon of S is 16,060 d ahead of that of P"),
    (200.0, "The perfmon of P is 3 min 20 s ahead of that of S"),
])  # fmt: skip
def test_counters_that_fit_after_a_shift_tell_the_skew(by, title):
    made = shifted(structured(), "P", by)
    assert told(made) == [("quality.clock_skew", title)]
    assert "on P" not in sources(made)


def test_whole_hours_point_to_the_offset_from_utc():
    for by, hint in ((9 * HOUR, True), (9 * HOUR + 400, False)):
        (found,) = [
            f
            for f in Transport(shifted(structured(), "P", by)).findings()
            if f.id == "quality.clock_skew"
        ]
        assert ("offset from UTC that is wrong" in found.narrative) == hint


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
