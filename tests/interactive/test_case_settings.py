"""What is told of settings: of those in a case, of those of whoever asks, and of the verdicts they turn."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from unittest.mock import ANY

import pytest

from agtrace.interactive import case_settings
from agtrace.interactive.case_settings import Turned, turned_verdicts
from agtrace.store.given import GivenSettings
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts

NOON = datetime(2024, 3, 5, 12, tzinfo=UTC)
USUAL = Thresholds()
SET = Thresholds(rpo_s=90.0)
RUN = {"label": "first", "start": NOON, "end": NOON, "source": "runs.csv, line 2"}
REDO = Turned("redo.waits", (("host", "A"), ("database", "")), "warning", "")
OLD = Turned("redo.slow", (), "", "notice")
EMPTY = {"paths": {}, "aliases": {}, "runs": [], "faults": (), "mine": {}}


def asked(verdicts=(), limits=USUAL, **more):
    """Return the findings on settings of a case, none by default, that turn some verdicts."""
    return case_settings.findings(GivenSettings(**EMPTY | more), limits, list(verdicts))


def found(**more):
    return [
        (one.id, one.severity, one.title, [(e.label, e.value) for e in one.evidence]) for one in asked(**more)
    ]


def test_where_nothing_is_set_nothing_is_told():
    assert asked() == []
    assert case_settings.line(GivenSettings(**EMPTY), USUAL, []) == ""


def test_where_nothing_can_be_used_no_verdicts_are_compared():
    faults = ("hosts.toml: not valid",)
    assert found(faults=faults) == [("quality.case_settings", "warning", ANY, [("not used", ANY)])]
    assert not case_settings.sets(GivenSettings(**EMPTY | {"faults": faults}), USUAL)


@pytest.mark.parametrize(
    ("settings", "limits", "evidence"),
    [
        ({}, SET, ("threshold rpo_s", 90)),
        ({"paths": {"a/*": "A"}}, USUAL, ("host of a/*", "A")),
        ({"aliases": {"A": ["B", "C"]}}, USUAL, ("other names of A", "B, C")),
        ({"runs": [RUN]}, USUAL, ("run first", "2024-03-05 12:00:00 UTC to 2024-03-05 12:00:00 UTC")),
    ],
    ids=["a threshold", "a path", "an alias", "a run"],
)
def test_each_sort_of_settings_alone_is_a_notice(settings, limits, evidence):
    assert found(limits=limits, **settings) == [("quality.case_settings", "notice", ANY, [evidence])]
    (one,) = asked(limits=limits, **settings)
    assert_facts(one, sets=True)


@pytest.mark.parametrize(
    ("verdicts", "faults", "severity"),
    [([REDO], (), "warning"), ([OLD], (), "notice"), ([OLD], ("x",), "warning"), ([], ("x",), "warning")],
)
def test_a_grave_verdict_or_a_fault_makes_a_warning_of_it(verdicts, faults, severity):
    (one,) = asked(verdicts, paths={"a": "A"}, faults=faults)
    assert one.severity == severity


@pytest.mark.parametrize(
    ("mine", "usual", "is_grave"),
    [("warning", "", True), ("", "critical", True), ("notice", "info", False), ("critical", "warning", True)],
)
def test_a_verdict_is_grave_where_it_asks_for_attention_with_the_settings_or_without(mine, usual, is_grave):
    assert Turned("x", (), mine, usual).is_grave is is_grave


def test_a_verdict_is_named_by_what_it_is_about_as_far_as_that_is_known():
    assert (REDO.name, OLD.name) == ("redo.waits (host A)", "redo.slow")
    (one,) = asked([REDO, OLD], runs=[RUN])
    assert [(e.label, e.value) for e in one.evidence[1:]] == [
        ("redo.waits (host A)", "warning; without the settings absent"),
        ("redo.slow", "absent; without the settings notice"),
    ]  # fmt: skip


@pytest.mark.parametrize("faults", [(), ("x",), ("x", "y")])
def test_what_cannot_be_used_is_counted_behind_what_holds(faults):
    (one,) = asked(runs=[RUN], faults=faults)
    assert_facts(one, n_runs=1, n_paths=0, n_aliases=0, sets=True, faults=len(faults))


def test_where_nothing_can_be_used_it_is_all_that_is_said():
    (one,) = asked(faults=("x",))
    assert_facts(one, faults=1)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_three_verdicts_are_named_and_others_counted(n):
    verdicts = [Turned(f"a.{at}", (), "warning", "") for at in range(n)]
    (one,) = asked(verdicts, runs=[RUN])
    assert_facts(one, sets=True)


@pytest.mark.parametrize("n", [9, 10, 11, 12])
def test_ten_lines_of_evidence_are_shown_and_others_counted(n):
    faults = tuple(f"line {at}" for at in range(n))
    (one,) = asked(faults=faults)
    shown = [("not used", fault) for fault in faults[:10]]
    assert [(e.label, e.value) for e in one.evidence] == [
        *shown, *([("further lines like these", n - 10)] if n > 10 else [])
    ]  # fmt: skip


# Thresholds of whoever asks.

MINE = {"rpo_s": 90.0, "rto_s": 1.0, "growing_minutes": 7.0, "disconnect_minutes": 99.0}


@pytest.mark.parametrize("limits", [SET, Thresholds(rpo_s=90.0, growing_minutes=7.0)])
def test_own_thresholds_are_counted_and_are_none_of_the_case(limits):
    (one,) = asked(limits=limits, mine=MINE)
    assert (one.id, one.severity) == ("quality.own_settings", "info")


def test_own_thresholds_and_those_of_the_case_are_told_apart():
    both = asked(limits=Thresholds(rpo_s=90.0, growing_minutes=7.0), mine={"rpo_s": 90.0})
    assert [(one.id, [e.label for e in one.evidence]) for one in both] == [
        ("quality.case_settings", ["threshold growing_minutes"]),
        ("quality.own_settings", ["threshold rpo_s"]),
    ]


# Verdicts that differ.


def told(id_, severity, **subject):
    return SimpleNamespace(id=id_, severity=severity, subject=subject)


@pytest.mark.parametrize(
    ("with_them", "without", "differ"),
    [
        ([], [], []),
        ([told("a", "info")], [told("a", "info")], []),
        ([told("a", "info")], [told("a", "warning")], [Turned("a", (), "info", "warning")]),
        ([told("a", "info")], [], [Turned("a", (), "info", "")]),
        ([], [told("a", "info", host="A")], [Turned("a", (("host", "A"),), "", "info")]),
        ([told("a", "info"), told("a", "critical")], [told("a", "critical"), told("a", "info")], []),
        ([told("a", "info"), told("a", "critical")], [told("a", "notice")],
         [Turned("a", (), "critical", "notice")]),
    ],
)  # fmt: skip
def test_verdicts_differ_by_the_worst_severity_of_each_side(with_them, without, differ):
    assert turned_verdicts(with_them, without) == differ


def test_the_gravest_difference_comes_first_whichever_side_it_is_of():
    differ = turned_verdicts(
        [told("a", "info"), told("b", "warning"), told("c", "notice")], [told("c", "critical")]
    )
    assert [each.id for each in differ] == ["c", "b", "a"]
