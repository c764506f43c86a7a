"""What the analysis of health asks of a case, and what of its findings it takes into account."""

from __future__ import annotations

from agtrace.diagnostics.health import Health
from agtrace.thresholds import Thresholds
from tests.diagnostics.tiny import case

LIMITS = Thresholds()


WAIT = "A | {} | wait_info | wait_type=LCK_M_X; duration={}"


def test_waits_of_half_a_minute_are_asked_for():
    made = case(events="\n".join(WAIT.format(310 + n, ms) for n, ms in enumerate((29_999, 30_000, 30_100))))
    (found,) = Health(made)._waits(LIMITS)
    assert (found.n, found.longest_ms) == (2, 30_100)
    made = case(events="A | 310 | wait_info | wait_type=LCK_M_X")
    assert Health(made)._waits(LIMITS) == []
    assert Health(case())._waits(LIMITS) == []
