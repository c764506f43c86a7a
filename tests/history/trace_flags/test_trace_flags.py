"""Trace flags: one row per stretch for which a setting is known."""

from __future__ import annotations

import time
from datetime import UTC

import pyarrow as pa

from tests.diagnostics import tiny

BEGIN = tiny.START.replace(tzinfo=UTC).timestamp()
STARTED = """
A | startup      | 0 | startup_parameter | -dmaster.mdf | 10
A | startup_flag | 0 | 3042              | startup      | 10
A | startup      | 1 | startup_parameter | -dmaster.mdf | 20
A | startup      | 2 | startup_parameter | -dmaster.mdf | 30
A | trace_flag   | 0 | 1800              | on           | 40
A | startup      | 3 | startup_parameter | -dmaster.mdf | 50
"""


def logged(facts):
    """Make a case of facts that one file of each host tells."""
    case = tiny.case(facts=facts)
    case.run("update facts set content_id = 'log of ' || host_id")
    return case


def known(case, flag):
    """Return host, setting, start and end (seconds) of what is known of a flag."""
    query = f"""
        select host_id, is_on, epoch(start) - {BEGIN:.0f} as begin,
               epoch("end") - {BEGIN:.0f} as "end"
        from trace_flags where flag = $flag order by host_id, start
    """
    return [tuple(row.values()) for row in case.table(query, {"flag": flag}).to_pylist()]


def test_a_flag_holds_until_a_start_without_it():
    assert known(logged(STARTED), 3042) == [("A", True, 10, 20), ("A", False, 20, None)]


def test_a_flag_that_is_named_late_was_off_from_the_first_start_on():
    assert known(logged(STARTED), 1800) == [("A", False, 10, 40), ("A", True, 40, 50), ("A", False, 50, None)]


def test_a_flag_that_agtrace_asks_about_is_off_at_every_start_that_does_not_name_it():
    assert known(logged(STARTED), 9567) == [
        ("A", False, 10, 20),
        ("A", False, 20, 30),
        ("A", False, 30, 50),
        ("A", False, 50, None),
    ]


def test_a_flag_of_one_host_says_nothing_of_another():
    facts = STARTED + "B | startup | 0 | startup_parameter | -dmaster.mdf | 10\n"
    assert {row[0] for row in known(logged(facts), 3042)} == {"A"}


def test_a_flag_is_unknown_once_the_server_stopped_and_no_start_follows():
    facts = "A | startup | 0 | startup_parameter | -dmaster.mdf | 10\n"
    stops = "A | 60 | stop | 17148 | reason=service_control"
    assert known(tiny.case(facts=facts, messages=stops), 9567) == [("A", False, 10, 60)]
    assert known(tiny.case(facts=facts, messages=stops.replace("60", "5")), 9567) == [("A", False, 10, None)]


def test_a_key_that_is_no_number_is_no_flag():
    case = tiny.case(facts="A | trace_flag | 0 | global | on | 5")
    assert case.table("select * from trace_flags").num_rows == 0


def test_a_log_with_thousands_of_starts_and_flags_costs_no_more_than_it_holds():
    case = tiny.case(facts="A | startup | 0 | product | x | 0")
    count = 5000
    rows = pa.table(
        {
            "content_id": ["log"] * 2 * count,
            "host_id": ["A"] * 2 * count,
            "item": [*range(count)] * 2,
            "topic": ["startup"] * count + ["trace_flag"] * count,
            "key": ["startup_parameter"] * count + [str(n + 1) for n in range(count)],
            "value": ["-dx"] * count + ["on"] * count,
            "line": [*range(2 * count)],
            "time": pa.array([n * 1_000_000 for n in range(2 * count)], pa.timestamp("us", "UTC")),
        }
    )
    case.insert("facts", rows)
    began = time.monotonic()
    assert case.table("select * from trace_flags").num_rows < 6 * count
    assert time.monotonic() - began < 10


def test_a_look_at_the_server_shows_the_flags_that_are_globally_on():
    looked = """
    A | trace_flag | 9567 | global | 1 | 30
    A | trace_flag | 9567 | status | 1 | 30
    A | trace_flag | 3604 | global | 0 | 30
    """
    case = logged(looked)
    assert known(case, 9567) == [("A", True, 30, None)]
    assert known(case, 3604) == []


def left_out(start, stop):
    """Return a log that leaves out a period."""
    return f"A | errorlog_gap | 0 | from | head | {start}\nA | errorlog_gap | 0 | to | tail | {stop}\n"


def test_what_a_flag_was_is_not_carried_across_what_a_log_leaves_out():
    facts = "A | trace_flag | 0 | 9567 | on | 10\nA | trace_flag | 1 | 9567 | off | 950\n"
    assert known(logged(facts + left_out(60, 900)), 9567) == [("A", True, 10, 60), ("A", False, 950, None)]


def test_the_first_start_behind_what_a_log_leaves_out_tells_the_flags_again():
    facts = """
    A | trace_flag | 0 | 1800 | on | 10
    A | startup | 0 | startup_parameter | -dmaster.mdf | 20
    A | startup | 1 | startup_parameter | -dmaster.mdf | 950
    """
    assert known(logged(facts + left_out(60, 900)), 1800) == [
        ("A", True, 10, 20),
        ("A", False, 20, 60),
        ("A", False, 950, None),
    ]


def test_a_look_within_what_a_log_leaves_out_tells_no_more_than_its_moment():
    looked = "A | trace_flag | 9567 | global | 1 | 100\n"
    assert known(logged(looked + left_out(60, 900)), 9567) == [("A", True, 100, 100)]


def test_a_log_of_another_host_leaves_nothing_open():
    flag = "B | trace_flag | 0 | 9567 | on | 10\n"
    assert known(logged(flag + left_out(60, 900)), 9567) == [("B", True, 10, None)]
