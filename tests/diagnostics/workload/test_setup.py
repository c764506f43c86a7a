"""What was tested on: a server counts as it was during the tests, whatever it became later."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.workload.rows import MaxMemory
from agtrace.diagnostics.workload.setup import Memory, told_memory
from agtrace.history.trials.trial import read_trials
from agtrace.measure import processors
from tests.diagnostics.asking import record
from tests.diagnostics.workload.cases import case, trial

CHANGED = """
P | startup | 0 | edition            | Standard Edition (64-bit)   | -100
P | startup | 0 | logical_processors | 4                           | -100
P | startup | 0 | memory_mb          | 8192                        | -100
P@later | startup | 0 | edition            | Enterprise Edition (64-bit) | 3000
P@later | startup | 0 | logical_processors | 8                           | 3000
P@later | startup | 0 | memory_mb          | 16384                       | 3000
"""


@pytest.mark.parametrize(("at", "ram"), [((0,), [8192]), ((4000,), [16384]), ((0, 4000), [8192, 16384])])
def test_the_memory_beside_a_limit_is_that_of_the_tests(at, ram):
    made = case(facts=CHANGED)
    for began in at:
        trial(made, "plain", 8, run_s=55, at=began, tool="SQLQueryStress", work=1)
    limit = record(MaxMemory, host="P", mb=4096, start=None, end=None, source="ERRORLOG")
    limited = Memory([limit], processors.starts(made))
    assert told_memory(limited, read_trials(made)) == {
        "hosts": [{"host": "P", "limits": ["4,096 MB"], "installed": ram}],
        "changed": False,
    }
