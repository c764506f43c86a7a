"""The XML of sp_server_diagnostics as columns; what is hostile in it neither expands nor counts."""

from __future__ import annotations

import time

from tests.diagnostics.tiny import case

EVENT = "A | 10 | component_health_result | component={}; state_desc={}; failure_condition_level=3; data={}"
SYSTEM = (
    '<system totalDumpRequests="2" intervalDumpRequests="1" nonYieldingTasksReported="0" pageFaults="3317" '
    'systemCpuUtilization="100" sqlCpuUtilization="31" BadPagesDetected="0"/>'
)


def row(component, state, data):
    made = case(events=EVENT.format(component, state, data))
    return made, made.table("select * from component_health").to_pylist()[0]


def test_numbers_of_a_component():
    made, found = row("system", "warning", SYSTEM)
    assert (found["component"], found["state"]) == ("system", "warning")
    assert (found["system_cpu_percent"], found["sql_cpu_percent"]) == (100, 31)
    assert (found["total_dumps"], found["interval_dumps"]) == (2, 1)
    assert found["interval_long_ios"] is None
    kinds = made.table("select kind from timeline order by kind").to_pylist()
    assert [one["kind"] for one in kinds] == ["component_state", "dump", "processors_busy"]


def test_an_xml_that_would_expand_is_text():
    bomb = (
        '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a,&a,&a,&a">]><system systemCpuUtilization="&b,"/>'
    )
    _made, found = row("system", "clean", bomb)
    assert found["system_cpu_percent"] is None


def test_long_and_nested_xml_is_read_in_time():
    begun = time.perf_counter()
    _made, found = row("system", "clean", "<a " * 2_000_000 + SYSTEM)
    assert found["system_cpu_percent"] is None
    assert time.perf_counter() - begun < 20


def test_a_number_that_is_none_stays_unknown():
    _made, found = row(
        "system", "clean", '<system totalDumpRequests="99999999999999999999999" pageFaults="-1"/>'
    )
    assert (found["total_dumps"], found["page_faults"]) == (None, None)
