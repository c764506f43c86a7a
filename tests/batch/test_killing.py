"""Killed at any moment, a batch or a watch leaves what the next run completes."""

from __future__ import annotations

import os

import pytest

from tests.batch.killing import kill

pytestmark = pytest.mark.complete


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_kills_mix_nothing_up():
    result = kill(2)
    assert result.faults == []
    assert (result.rounds, result.asked > 0) == (2, True)
