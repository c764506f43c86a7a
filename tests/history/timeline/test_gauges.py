"""A gauge that never moves from its end measures nothing: SQL Server on Linux shows a machine that is always
busy.
"""

from __future__ import annotations

from tests.diagnostics.tiny import case

SAMPLE = (
    "{} | {} | scheduler_monitor_system_health_ring_buffer_recorded | system_idle={}; process_utilization={}"
)
STATE = (
    "{} | {} | sp_server_diagnostics_component_result | component=SYSTEM; state=CLEAN; "
    'data=<system systemCpuUtilization="{}" sqlCpuUtilization="{}"/>'
)


def samples(host, idle, sql):
    pairs = zip(idle, sql, strict=True)
    return "\n".join(SAMPLE.format(host, 60 * n, one, other) for n, (one, other) in enumerate(pairs))


def states(host, machine, sql):
    pairs = zip(machine, sql, strict=True)
    return "\n".join(STATE.format(host, 300 * n, one, other) for n, (one, other) in enumerate(pairs))


def busy(events, **more):
    query = "select value, text from timeline where kind = 'processors_busy' order by time"
    return [(row["value"], row["text"]) for row in case(events=events, **more).rows(query)]


def test_a_machine_without_an_idle_sample_among_ten_is_not_busy():
    assert busy(samples("A", [0] * 10, [3] * 10)) == []


def test_one_sample_between_the_ends_shows_that_the_gauge_measures():
    found = busy(samples("A", [0] * 9 + [40], [3] * 10))
    assert found == [(100.0, "processors of the machine 100 %, SQL Server 3 %")] * 9


def test_fewer_than_ten_samples_of_a_machine_that_may_be_busy_are_taken_as_they_are():
    assert len(busy(samples("A", [0] * 9, [3] * 9))) == 9


def test_fewer_than_ten_do_not_count_on_a_host_that_is_known_to_run_linux():
    banner = "A | startup | 1 | os | Linux (Ubuntu 22.04.3 LTS) <X64> | 0"
    assert busy(samples("A", [0] * 9, [3] * 9), facts=banner) == []


def test_a_short_file_of_a_host_whose_gauge_stands_still_in_another_counts_as_little():
    long, short = samples("A@long", [0] * 10, [3] * 10), samples("A@short", [0, 0], [3, 3])
    assert busy(f"{long}\n{short}") == []


def test_a_file_from_after_the_gauge_was_mended_counts():
    long, mended = samples("A@long", [0] * 10, [3] * 10), samples("A@mended", [2, 60], [90, 20])
    assert busy(f"{long}\n{mended}") == [(98.0, "processors of the machine 98 %, SQL Server 90 %")]


def test_where_the_machine_is_not_measured_sql_server_itself_is():
    found = busy(samples("A", [0] * 10, [3] * 8 + [97, 40]))
    assert found == [(97.0, "SQL Server 97 %; the gauge of the machine does not move")]


def test_a_gauge_of_sql_server_that_stands_at_its_end_measures_nothing_either():
    assert busy(samples("A", [0] * 10, [100] * 10)) == []


def test_states_of_components_that_are_either_0_or_100_measure_nothing():
    assert busy(states("A", [0] + [100] * 9, [0, 25] + [1] * 8)) == []


def test_states_of_components_whose_gauge_moves_do():
    found = busy(states("A", [37] + [100] * 9, [1] * 10))
    assert found == [(100.0, "processors of the machine 100 %, SQL Server 1 %")] * 9


def test_samples_and_states_of_one_file_are_one_gauge():
    assert busy(f"{samples('A', [0] * 8, [3] * 8)}\n{states('A', [100] * 2, [1] * 2)}") == []
