"""Cases whose cause is simulated: the diagnostic names it, and is never sure of something else.

``python bench/transport_cases.py`` asks about 200; here are a few, drawn anew in every run.
"""

from __future__ import annotations

from random import Random, SystemRandom

import pytest

from simulation.chains.answers import Answer, Score, answers
from simulation.chains.draw import CAUSES, draw
from simulation.chains.model import Setting, simulate
from tests.folded import folded

pytestmark = pytest.mark.complete

COUNT = len(CAUSES)


@pytest.fixture(scope="module")
def score() -> Score:
    seed = SystemRandom().randrange(10**6)
    print(f"seed {seed}: python bench/transport_cases.py --count {COUNT} --seed {seed}")
    return Score(list(answers(COUNT, seed)))


def lines(found: list[Answer]) -> str:
    return "\n".join(answer.line() for answer in found)


def test_no_verdict_is_surely_wrong(score):
    assert not score.surely_wrong, lines(score.surely_wrong)


def test_a_healthy_replica_raises_no_alarm(score):
    assert not score.false_alarms, lines(score.false_alarms)


def test_the_cause_is_named(score):
    missed = [answer for answer in score.carried if not answer.named]
    # 95 % of 200: of thirteen, three would be a chance of one in forty, four of one in three hundred.
    assert len(missed) <= 3, lines(missed)


# The simulator itself


def test_no_byte_is_lost_or_made():
    setting = Setting(5e6, (0.6, 0.4), bandwidth=2e6, compression=0.5, gate=100.0)
    happened = simulate(setting, 900, Random(1))
    for place in (0, 1):
        made = sum(second.generated[place] for second in happened)
        sent = sum(second.sent[place] for second in happened)
        received = sum(second.received[place] for second in happened)
        hardened = sum(second.hardened[place] for second in happened)
        redone = sum(second.redone[place] for second in happened)
        assert made >= sent >= received >= hardened >= redone > 0
        assert happened[-1].send_queue[place] == pytest.approx(made - sent, rel=0.02)
    assert sum(second.wire for second in happened) / 900 == pytest.approx(2e6, rel=0.1)


def test_a_window_carries_one_window_per_round_trip():
    setting = Setting(5e6, round_trip=0.1, window=65_535)
    happened = simulate(setting, 600, Random(2))
    assert sum(second.wire for second in happened) / 600 == pytest.approx(656_000, rel=0.01)
    assert happened[-1].gate_ms > 0


def test_a_lossy_path_carries_about_what_the_formula_says():
    setting = Setting(20e6, round_trip=0.05, loss=1e-3)
    happened = simulate(setting, 1200, Random(3))
    carried = sum(second.wire for second in happened) / 1200
    assert carried == pytest.approx(1460 / 0.05 * 1.22 / 1e-3**0.5, rel=0.3)
    lost = sum(second.retransmitted for second in happened)
    assert lost / sum(second.segments for second in happened) == pytest.approx(1e-3, rel=0.4)


@folded("cause", [name for name in CAUSES if name not in ("redo", "blocked redo")])
def test_the_drawn_cause_is_what_happens(cause):
    number = list(CAUSES).index(cause)
    for seed in range(3):
        drawn = draw(number, Random(seed))
        happened = simulate(drawn.setting, 1200, Random(seed))
        queue = sum(happened[-1].send_queue)
        assert (queue > 10 * drawn.setting.generated) == drawn.is_slow
