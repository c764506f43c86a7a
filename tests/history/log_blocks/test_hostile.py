"""Events with numbers that no server writes: nothing raises, and the other blocks are joined."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from simulation.commits.events import told
from simulation.commits.model import Setting, way
from tests.diagnostics.drawn_blocks import case_of

HUGE = 2**63 - 1
FIELDS = (
    "start_timestamp", "processing_time", "total_processing_time", "time_to_commit", "log_block_size",
    "log_block_id",
    "write_size", "database_id", "mode",
)  # fmt: skip


@pytest.mark.complete
@pytest.mark.parametrize(("value", "step_us"), [(HUGE, 1), (-1, 1), (0, 10_000), (10**14, 10_000)])
def test_a_field_that_is_beyond_all_measure_harms_no_other(value, step_us):
    rng = np.random.default_rng(3)
    setting = Setting(blocks=60)
    events = told(setting, [way(setting, "Sales", rng)], rng)
    for place, name in enumerate(FIELDS * 3):
        having = [n for n, event in enumerate(events) if name in event.fields]
        at = having[37 * place % len(having)]
        events[at] = replace(events[at], fields=events[at].fields | {name: value})
    # Exports keep times coarsely; the counter is the clock then.
    events = [replace(event, at_us=event.at_us // step_us * step_us) for event in events]
    (row,) = case_of(events).rows(
        "select count(*) filter (joined) as n, median(commit_ms) as ms from log_blocks"
    )
    assert row["n"] > 40
    assert 2.5 < row["ms"] < 4
