"""Killed at any moment, agtrace leaves a store that the next run completes, and nothing else."""

from __future__ import annotations

import os

import pytest

from tests.kills import kill

pytestmark = pytest.mark.complete


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_kills_leave_nothing_behind():
    result = kill(3, verbs=("ingest", "ingest", "findings"))
    assert result.faults == []
    assert sum(result.rounds.values()) == 3
