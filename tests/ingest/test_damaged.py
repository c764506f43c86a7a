"""A few hundred damaged captures in one folder; `bench/damage.py` does the same with 50,000."""

from __future__ import annotations

import pytest

from tests.ingest.damaged import run

pytestmark = pytest.mark.complete


def test_a_folder_of_damaged_captures_is_read_and_judged():
    (tally,) = run(300, seed=20261122)
    assert tally.failures == []
    assert tally.inputs == 300
    assert tally.statuses["ingested"] > 100
