"""Processor work of runs side by side: core-seconds per GB, where the cores of the hosts are known."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.comparison import judge, tables
from tests.diagnostics.comparison.cases import examined, table, told
from tests.diagnostics.comparison.test_comparison import three

CORES = """
A | startup | 0 | logical_processors | 4 | -100
B | startup | 0 | logical_processors | 2 | -100
"""


def test_processor_work_is_told_per_gb_where_the_cores_are_known():
    # The article's "at 2.0 times the CPU" is utilisation: seeding takes about half the work, for it is over
    # sooner.
    study = three(facts=CORES)
    assert told(study) == table("""
    difference | 2:1 | Automatic seeding of db is 3.0 times faster than backup, restore and join, at 54 % of the processor work of A per GB (20.2 to 10.9 core-seconds; utilisation 35 to 70 % of 4 cores)
    difference | 3:1 | Automatic seeding of db with trace flag 9567 is 3.0 times faster than backup, restore and join, at 84 % of the processor work of A per GB (20.2 to 17.1 core-seconds; utilisation 35 to 98 % of 4 cores)
    no_difference | 3:2 | Automatic seeding of db with trace flag 9567 is not faster than without it (8 min both): the wire carries 2.2 times less, at 1.6 times the processor work of A per GB (10.9 to 17.1 core-seconds; utilisation 70 to 98 % of 4 cores)
    """)  # noqa: E501
    first, _second, third = judge.findings(study)
    assert (
        "Processor work per GB of the database (utilisation x cores x seconds): A 20.2 to 10.9 and B 9.8 to "
        "4.7 core-seconds." in first.narrative
    )
    evidence = {e.label: e for e in first.evidence}
    work = evidence["run 2: processor work of A per GB of the database"]
    assert (work.value, work.unit) == (pytest.approx(10.92, abs=0.01), "core-s/GB")
    assert work.source == (
        "70 % of 4 cores (ERRORLOG, at the start of SQL Server) for 6 min 30 s, over 100 GB"
    )
    assert (first.severity, third.severity) == ("notice", "notice")
    per_byte = tables.per_byte(study).set_index(["host", "resource", "unit"])
    own = per_byte.loc[("A", "CPU", "core-seconds per GB")]
    assert (own["run 1"], own["run 2"]) == pytest.approx((20.23, 10.92), abs=0.01)


def test_more_cores_make_another_configuration_of_the_same_hosts():
    text = """
    seeding | db | A > B |    0 | copy 100 | 10 | compression=trace flag 9567 on
    seeding | db | A > B | 1000 | copy 100 | 10 | compression=trace flag 9567 on
    """
    facts = """
    A | startup | 0 | logical_processors | 4 | -100
    A@later | startup | 0 | logical_processors | 8 | 500
    """
    perfmon = r"A | \Processor(_Total)\% Processor Time | 100x90, 46"
    study = examined(text, perfmon, rows=400, facts=facts)
    assert told(study) == table("""
    no_difference | 2:1 | Automatic seeding of db with trace flag 9567 (cores 8) is not faster than automatic seeding with trace flag 9567 (cores 4) (1 min 40 s both): at much the same processor work of A per GB (36.0 to 36.8 core-seconds; utilisation 90 to 46 % of 4 to 8 cores)
    """)  # noqa: E501
    assert [dict(run.factors)["cores"] for run in study.runs] == ["4", "8"]
    assert not any("cores" in dict(run.factors) for run in three(facts=CORES).runs)


def test_of_a_host_whose_cores_are_not_known_only_utilisation_is_told():
    first = judge.findings(three(facts="A | startup | 0 | logical_processors | 4 | -100"))[0]
    assert "(utilisation x cores x seconds): A 20.2 to 10.9 core-seconds." in first.narrative
    assert "The number of cores of B was not captured, so processors are compared by utilisation alone." in (
        first.narrative
    )  # fmt: skip
    labels = [e.label for e in first.evidence]
    assert not any("processor work of B" in label for label in labels)
    assert "run 1: CPU of B, mean while data moved" in labels
