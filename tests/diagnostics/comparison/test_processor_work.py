"""Processor work of runs side by side: core-seconds per GB, where the cores of the hosts are known."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.comparison import judge, tables
from tests.behind import assert_facts
from tests.diagnostics.comparison.test_comparison import three

CORES = """
A | startup | 0 | logical_processors | 4 | -100
B | startup | 0 | logical_processors | 2 | -100
"""


def test_processor_work_is_told_per_gb_where_the_cores_are_known():
    # The article's "at 2.0 times the CPU" is utilisation: seeding takes about half the work, for it is over
    # sooner.
    study = three(facts=CORES)
    first, _second, third = judge.findings(study)
    assert_facts(first, steps=2, works=2)
    evidence = {e.label: e for e in first.evidence}
    work = evidence["run 2: processor work of A per GB of the database"]
    assert (work.value, work.unit) == (pytest.approx(10.92, abs=0.01), "core-s/GB")
    assert (first.severity, third.severity) == ("notice", "notice")
    per_byte = tables.per_byte(study).set_index(["host", "resource", "unit"])
    own = per_byte.loc[("A", "CPU", "core-seconds per GB")]
    assert (own["run 1"], own["run 2"]) == pytest.approx((20.23, 10.92), abs=0.01)
