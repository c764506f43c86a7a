"""What the page of health says beside the findings: stories, lanes, key figures."""

from __future__ import annotations

from agtrace.diagnostics.health.figures import lanes, stays
from agtrace.diagnostics.health.summary import key_figures
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, state, told

LIMITS = Thresholds()


def test_the_lanes_show_roles_marks_and_who_tells():
    events = [
        state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(20, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
        event(100, "A", "lease_expired", ag="AG", text="19407 <b>"),
        event(105, "A", "long_io", text="833"),
    ]
    one = told([failover(100, 108)], events)
    assert [(s.host, s.role) for s in stays(one)] == [("A", "primary"), ("B", "secondary")]
    fig = lanes(one, [], "title", {})
    assert list(fig.layout.yaxis.ticktext) == ["A", "B"]
    marks = {trace.name: trace for trace in fig.data if trace.type == "scatter"}
    (hover,) = marks["leases"].customdata
    assert "lease expired" in hover[0]
    assert "ERRORLOG of A" in hover[0]
    assert "&lt;b&gt;" in hover[0]
    assert len(fig.layout.shapes) == 1


def test_the_last_role_lasts_for_as_long_as_its_host_was_watched():
    events = [
        state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(10, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
    ]
    one = told(events=events, last=9000, watched={"A": 600, "B": 5})
    assert [(s.host, s.end) for s in stays(one)] == [("A", at(600)), ("B", at(10))]


def test_little_that_happened_is_told_in_one_sentence():
    one = told([], [event(10, "A", "connection_timeout", ag="AG"), event(70, "B", "connected")])
    figures = [(e.label, e.value) for e in key_figures(one, [])]
    assert figures[:2] == [("failovers in all", 0), ("expired leases", 0)]


def test_the_time_without_a_primary_is_told_in_all_and_the_longest():
    one = told([failover(10, 14.5), failover(100, 166.6), failover(None, 300)], [event(0, "A", "connected")])
    assert [(e.label, e.value, e.unit) for e in key_figures(one, [])][:3] == [
        ("failovers in all", 3, ""),
        ("without a primary in all", 71.1, "s"),
        ("longest without a primary", 66.6, "s"),
    ]
