"""What was tested on: a server counts as it was during the tests, whatever it became later."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.workload import Workload
from agtrace.diagnostics.workload.setup import Memory, told_memory
from agtrace.history.trials.trial import read
from agtrace.measure import processors
from tests.diagnostics.workload.cases import case, trial

CHANGED = """
P | startup | 0 | edition            | Standard Edition (64-bit)   | -100
P | startup | 0 | logical_processors | 4                           | -100
P | startup | 0 | memory_mb          | 8192                        | -100
P@later | startup | 0 | edition            | Enterprise Edition (64-bit) | 3000
P@later | startup | 0 | logical_processors | 8                           | 3000
P@later | startup | 0 | memory_mb          | 16384                       | 3000
"""


def test_what_was_tested_on_is_what_the_server_was_during_the_tests():
    made = case(facts=CHANGED)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    setup = Workload(made).tbl_setup()
    assert dict(zip(setup["setting"], setup["value"], strict=True)) == {
        "edition": "Standard Edition (64-bit)",
        "logical processors": "4",
        "RAM (MB)": "8192",
    }


def test_a_server_that_was_changed_between_the_tests_has_a_row_for_each():
    made = case(facts=CHANGED)
    trial(made, "plain", 8, run_s=55, at=0, tool="SQLQueryStress", work=1)
    trial(made, "other", 8, run_s=55, at=4000, tool="SQLQueryStress", work=1)
    setup = Workload(made).tbl_setup()
    told = [v for name, v in zip(setup["setting"], setup["value"], strict=True) if name[:3] == "RAM"]
    assert told == ["8192", "16384"]


@pytest.mark.parametrize(("at", "ram"), [((0,), [8192]), ((4000,), [16384]), ((0, 4000), [8192, 16384])])
def test_the_memory_beside_a_limit_is_that_of_the_tests(at, ram):
    made = case(facts=CHANGED)
    for began in at:
        trial(made, "plain", 8, run_s=55, at=began, tool="SQLQueryStress", work=1)
    limit = {"host": "P", "mb": 4096, "start": None, "end": None, "source": "ERRORLOG"}
    limited = Memory([limit], processors.starts(made))
    assert told_memory(limited, read(made)) == {
        "hosts": [{"host": "P", "limits": ["4,096 MB"], "installed": ram}],
        "changed": False,
    }
