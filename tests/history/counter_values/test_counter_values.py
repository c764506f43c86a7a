"""Values of counters by canonical name."""

from __future__ import annotations

from tests.diagnostics.tiny import case

PERFMON = r"A | \MSSQL$I2:Databases(Sales)\Log Flushes/sec | 2x1, 5, -"


def test_a_value_has_the_names_of_its_series():
    rows = case(PERFMON, rows=4).rows(
        "select host_id, sql_instance, object, instance, counter, value from counter_values order by time"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("A", "I2", "SQLServer:Databases", "Sales", "Log Flushes/sec", value) for value in (1.0, 1.0, 5.0)
    ]


def test_a_series_without_a_canonical_name_is_left_out():
    made = case(PERFMON, rows=4)
    made.run("update counters set counter = null")
    assert made.rows("from counter_values") == []
