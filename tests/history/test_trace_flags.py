"""When trace flags were on, as a relation."""

from __future__ import annotations

from agtrace.history.trace_flags.span import trace_flag
from tests.diagnostics.tiny import case as tiny

FACTS = """
A | startup      | 0 | startup_parameter | -dx.mdf | 0
A | startup      | 1 | startup_parameter | -T1462  | 50
A | startup_flag | 1 | 1462              | startup | 50
B | startup      | 0 | startup_parameter | -dx.mdf | 10
B | trace_flag   | 0 | 9567              | on      | 20
"""


def made():
    """Give the case of `FACTS`, all that a host's log says in one file."""
    given = tiny(facts=FACTS)
    given.run("update facts set content_id = 'log of ' || host_id")
    return given


def rows(case, where):
    query = (
        'select host_id, is_on, epoch("end" - start) as seconds, what from trace_flags '
        f"where {where} order by host_id, start"
    )
    return [tuple(row.values()) for row in case.table(query).to_pylist()]


def test_each_flag_that_is_named_has_its_intervals_on_every_server():
    assert rows(made(), "flag = 1462") == [
        ("A", False, 50, "start-up parameters without -T1462"),
        ("A", True, None, "start-up parameter -T1462"),
        ("B", False, None, "start-up parameters without -T1462"),
    ]
    assert rows(made(), "flag = 9567 and is_on") == [("B", True, None, "DBCC TRACEON (9567)")]


def test_the_flags_that_nothing_names_were_off_since_the_server_started():
    given = made()
    assert [row[:3] for row in rows(given, "flag is null")] == [
        ("A", False, 50), ("A", False, None), ("B", False, None),
    ]  # fmt: skip
    assert [(s.host, s.is_on, s.where.split(",")[0]) for s in trace_flag(given, 3226)] == [
        ("A", False, "start-up parameters without -T3226"),
        ("A", False, "start-up parameters without -T3226"),
        ("B", False, "start-up parameters without -T3226"),
    ]


def test_a_flag_that_one_server_names_is_asked_for_by_its_own_rows():
    assert [(s.host, s.is_on) for s in trace_flag(made(), 9567)] == [
        ("A", False), ("A", False), ("B", False), ("B", True),
    ]  # fmt: skip


def test_without_a_log_nothing_is_known():
    assert trace_flag(tiny(), 9567) == []
