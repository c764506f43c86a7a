"""Facts of small files, one row per record."""

from __future__ import annotations

from tests.diagnostics.tiny import case


def shown(query, facts):
    return [tuple(row.values()) for row in case(facts=facts).rows(query)]


def test_a_power_plan_has_its_name_and_its_guid():
    facts = """
        A | power_plan | 0 | active | Balanced
        A | power_plan | 0 | guid   | 381b
        B | power_plan | 0 | guid   | 8c5e
    """
    query = "select host_id, plan, guid from power_plans order by host_id"
    assert shown(query, facts) == [("A", "Balanced", "381b"), ("B", None, "8c5e")]


def test_a_filter_stands_at_a_number_on_a_volume():
    facts = """
        A | filter_instance | 0 | filter   | WdFilter
        A | filter_instance | 0 | volume   | e:
        A | filter_instance | 0 | altitude | 328010
        A | filter_instance | 1 | altitude | x
    """
    query = "select filter, volume, altitude from filter_drivers order by volume nulls last"
    assert shown(query, facts) == [("WdFilter", "E:", 328_010.0), (None, None, None)]


def test_a_collection_has_its_version_and_scenarios():
    facts = """
        A | collection | 0 | tool_version | 6.5
        A | collection | 0 | scenarios    | IO Basic
        B | collection | 0 | script       | x
    """
    query = "select host_id, tool_version, scenarios from collections"
    assert shown(query, facts) == [("A", "6.5", "IO Basic")]


def test_each_record_of_the_network_is_a_row():
    facts = """
        A | tcp_global | 0 | autotuning_level  | disabled
        A | ping       | 0 | target_host       | B
        A | ping       | 0 | rtt_avg_ms        | 1.5
        A | robocopy   | 0 | speed_bytes_per_s | 1000
    """
    query = """select topic, autotuning_level, target_host, round_trip_ms, bytes_per_s from network_facts
        order by topic"""
    assert shown(query, facts) == [
        ("ping", None, "B", 1.5, None),
        ("robocopy", None, None, None, 1000.0),
        ("tcp_global", "disabled", None, None, None),
    ]
