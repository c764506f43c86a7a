"""Worker threads: what groups need by the rows of their looks, and what there may be by whatever tells it."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health.rows import WorkersConfigured, WorkersMost
from agtrace.diagnostics.health.workers import Most, default, most_of, needs, workers
from agtrace.measure.starts import Start
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, iso, told
from tests.diagnostics.health.standings import database, row, standing
from tests.folded import folded

LIMITS = Thresholds()


@folded(
    ("processors", "start", "expected"),
    [
        (4, {"product_version": "12.0.1.0"}, None), (4, {"product_version": "13.0.1.0"}, 512),
        (4, {"product_version": "12.0.1.0", "os": "Windows <X64>"}, 512),
        (4, {"product_version": "12.0.1.0", "edition": "Standard Edition (64-bit)"}, 512),
        (4, {"product_version": "", "os": "X64"}, None), (4, {"os": "X64"}, None),
        (0, {"product_version": "15.0.1.0"}, None), (1, {"product_version": "15.0.1.0"}, 512),
        (64, {"product_version": "15.0.1.0"}, 512 + 60 * 16),
        (65, {"product_version": "15.0.1.0"}, 512 + 61 * 32),
        (65, {"product_version": "13.0.5025.0"}, 512 + 61 * 16),
        (65, {"product_version": "13.0.5026.0"}, 512 + 61 * 32),
        (5, {"product_version": "14.0.1.0", "memory_mb": "2047"}, 256 + 16),
        (5, {"product_version": "14.0.1.0", "memory_mb": "2048"}, 512 + 16),
        (5, {"product_version": "13.0.1.0", "memory_mb": "2047"}, 512 + 16),
        (5, {"product_version": "14.0.1.0", "memory_mb": "little"}, 512 + 16),
    ],
)  # fmt: skip
def test_what_sql_server_computes_goes_by_its_build_its_bits_and_its_memory(processors, start, expected):
    assert default(processors, start) == expected


def looked(*standings):
    return {
        name: (each.primary, each.secondary, each.primary_threads, each.look.row.line)
        for name, each in needs(standings).items()
    }


def test_a_replica_of_which_a_look_knows_nothing_needs_nothing():
    assert looked(standing("B", [database()], knows=False), standing("C")) == {}


def local(seconds):
    return at(seconds).replace(tzinfo=None)


@pytest.mark.parametrize(("seconds", "line"), [(700, 9), (600, 4), (500, 4)])
def test_the_last_look_at_a_replica_is_the_one_that_is_named(seconds, line):
    later = standing("A", [database()], ag="AH", time_local=local(seconds), line=9)
    assert looked(standing("A", [database()]), later)["A"][3] == line


def judged(most, *standings, ran_out=(), share=0.5):
    found = workers(told(), standings, most, ran_out, Thresholds(group_workers_share=share))
    return [(each.severity, each.subject["host"], each.facts["needed"], each.facts["left"]) for each in found]


def group(n=10, name="A"):
    return standing(name, [database(f"D{number}") for number in range(n)], primary=row(name))


KNOWN = {("A", ""): Most(60, "measured", "x")}


@pytest.mark.parametrize(
    ("value", "share", "expected"),
    [
        (60, 0.5, [("notice", "A", 10, 20)]), (61, 0.5, []), (50, 0.5, [("notice", "A", 10, 10)]),
        (49, 0.5, [("warning", "A", 10, 9)]), (40, 0.5, [("warning", "A", 10, 0)]),
        (39, 0.5, [("warning", "A", 10, 0)]), (41, 0.5, [("warning", "A", 10, 1)]),
    ],
)  # fmt: skip
def test_forty_threads_are_left_to_others(value, share, expected):
    assert judged({("A", ""): Most(value, "measured", "x")}, group(), share=share) == expected


def test_an_instance_that_needs_none_that_is_not_known_or_that_ran_out_is_not_judged():
    assert judged(KNOWN, standing("B", [database()], ag="AH"), group()) == [("notice", "A", 10, 20)]
    assert judged({("B", ""): Most(60, "measured", "x")}, group()) == []
    assert judged({("B", ""): Most(9, "measured", "x")}, standing("B", [database()])) == []
    assert judged(KNOWN, group(), ran_out=["B"]) == [("notice", "A", 10, 20)]
    assert judged(KNOWN, group(), ran_out=["A"]) == []


@folded(
    ("names", "replica", "n"),
    [([""], "A", 1), ([""], r"A\ONE", 1), (["ONE"], r"A\ONE", 1), (["ONE"], "A", 0),
     (["", "TWO"], r"A\ONE", 0), (["", "TWO"], "A", 0), (["MSSQLSERVER"], "A", 1), (["TWO"], r"A\ONE", 0)],
)  # fmt: skip
def test_the_maximum_is_that_of_the_instance_or_of_the_only_one_without_a_name(names, replica, n):
    most = {("A", name): Most(50, "measured", "x") for name in names} | {("B", ""): Most(50, "measured", "x")}
    assert len(judged(most, group(name=replica))) == n


def test_the_need_is_told_with_its_look_and_what_there_may_be():
    (found,) = workers(told(), [group()], {("A", ""): Most(50, "set", "there", 30, (15, 0))}, [], LIMITS)
    assert found.window == {"start": iso(600), "end": iso(600)}
    assert [(e.label, e.value, e.source) for e in found.evidence] == [
        ("worker threads that busy groups need", 10, "A/ERRORLOG line 4"),
        ("worker threads, at most", 50, "there"),
        ("worker threads at the most seen", 30, "sp_server_diagnostics"),
    ]
    assert found.facts == {
        "replica": "A", "at": at(600), "primary": 10, "secondary": 0, "needed": 10, "most": 50, "how": "set",
        "left": 10, "others": 40, "created": 30, "has_redo_threads": True,
    }  # fmt: skip
    unzoned = standing("A", [database(f"D{n}") for n in range(10)], time=None)
    (found,) = workers(told(), [unzoned], {("A", ""): Most(50, "set", "there")}, [], LIMITS)
    assert found.window["start"] == "2024-03-05T12:10:00"
    assert [e.label for e in found.evidence] == [
        "worker threads that busy groups need", "worker threads, at most"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("version", "has"), [((), False), ((15, 0), True), ((16, 0), False), ((17, 0), False)]
)
def test_redo_has_threads_of_its_own_before_sql_server_2022_where_the_build_is_known(version, has):
    assert Most(512, "x", "y", version=version).has_redo_threads is has


def start(processors="4", version="15.0.1.0", instance=None, path="A/ERRORLOG"):
    told = {"logical_processors": processors, "product_version": version}
    given = {name: value for name, value in told.items() if value is not None}
    return Start("A", instance, at(0), local(0), given, path)


def configured(most=700, instance=""):
    return WorkersConfigured("A", instance, most, "log-A", 3)


def measured(most=800, instance="", created=90):
    return WorkersMost("A", instance, most, created, None, "log-A")


COMPUTED = Most(512, "computed", "A/ERRORLOG", None, (15, 0, 1, 0))


@folded(
    ("measures", "options", "starts", "expected"),
    [
        ([], [], [start()], {("A", ""): COMPUTED}),
        ([], [], [start(instance="one")], {("A", "ONE"): COMPUTED}),
        ([], [], [start(None)], {}),
        ([], [], [start("many")], {}),
        ([], [], [start("0")], {}),
        ([], [], [start(version=None)], {}),
        ([], [], [start(), start("8", path="later")],
         {("A", ""): Most(576, "computed", "later", None, (15, 0, 1, 0))}),
        ([], [], [start(), start(None, "16.0.1.0")], {("A", ""): COMPUTED}),
        ([], [configured()], [start(), start("4", None)],
         {("A", ""): Most(700, "configured", "A/ERRORLOG line 3", None, (15, 0, 1, 0))}),
        ([], [configured()], [start(), start(None, "16.0.1.0")],
         {("A", ""): Most(700, "configured", "A/ERRORLOG line 3", None, (16, 0, 1, 0))}),
        ([], [configured(0)], [start()], {("A", ""): COMPUTED}),
        ([], [configured(None, "one")], [], {}),
        ([measured()], [configured()], [start()],
         {("A", ""): Most(800, "measured", "sp_server_diagnostics, A/ERRORLOG", 90, (15, 0, 1, 0))}),
        ([measured(instance="one")], [configured(instance="two")], [],
         {("A", "TWO"): Most(700, "configured", "A/ERRORLOG line 3"),
          ("A", "ONE"): Most(800, "measured", "sp_server_diagnostics, A/ERRORLOG", 90)}),
    ],
)  # fmt: skip
def test_what_was_measured_counts_before_what_was_set_before_what_is_computed(
    measures, options, starts, expected
):
    assert most_of(measures, options, {"A": starts}, told(watched={"A": 900})) == expected
