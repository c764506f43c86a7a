"""What a way knows of its commits, what waited for it and what was busy; made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.commit_latency import measured
from agtrace.diagnostics.commit_latency.analysis import SAID
from agtrace.diagnostics.commit_latency.beside import Beside
from agtrace.diagnostics.commit_latency.judge import contradictions
from agtrace.diagnostics.commit_latency.measured import Drift, _is_awaited, _link
from agtrace.diagnostics.commit_latency.rows import Counted, Links, Waits, WaitsAndCounters, WaitsAndEvents
from agtrace.tables.records import R
from tests.behind import assert_facts
from tests.diagnostics.asking import record
from tests.diagnostics.commit_latency.made import LIMITS, at, link, spread
from tests.folded import folded


@folded(
    ("row", "name", "told"),
    [
        ({"ag": None}, "ag", ""),
        ({}, "ag", "AG"),
        ({"database": None}, "database", "id-sales"),
        ({"replica": None}, "replica", "R2"),
        ({"replica": None, "replica_id": None}, "replica", ""),
        ({}, "key", "id-sales R2"),
        ({"waiting_ms": None}, "waiting_ms", 0.0),
        ({"waiting_ms": 7.5}, "waiting_ms", 7.5),
        ({"skew_ms": 5.0, "spread_ms": 7.0}, "one_way", -2.0),
        ({"skew_ms": 5.0}, "one_way", None),
        ({"spread_ms": 5.0}, "one_way", None),
        ({"drift": Drift(-3.0, 2.0)}, "is_drifting", True),
        ({"drift": Drift(2.0, 2.0)}, "is_drifting", False),
        ({"drift": Drift(2.0)}, "is_drifting", False),
        ({"drift": Drift(None, 2.0)}, "is_drifting", False),
    ],
)
def test_what_a_way_is_known_by(row, name, told):
    assert getattr(link(**row), name) == told


EARLY = {"commit_mode": None, "watched": 100}


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"commit_mode": "asynchronous"}, "it commits asynchronously"),
        ({"commit_mode": "synchronous", "early": 100}, ""),
        (EARLY | {"early": 50}, ""),
        (EARLY | {"early": 51}, "51 of 100 blocks were committed before it had acknowledged them"),
        ({"commit_mode": None, "watched": 0, "early": 1}, ""),
        ({"is_awaited": False}, "nothing captured of SQL1 shows a commit that waited for it"),
        (
            {"is_awaited": False, "primary_host": None},
            "nothing captured of its primary shows a commit that waited for it",
        ),
    ],
)
def test_why_commits_do_not_wait_for_a_replica(more, why):
    assert link(**more).waits_not == why


def test_ways_are_of_one_database_by_its_id():
    assert link().is_of(link(replica="SQL3"))
    assert not link().is_of(link(group_database_id="id-hr"))


@pytest.mark.parametrize(
    ("of", "hop", "share"),
    [
        (link({"send": 5.0}), "send", 25.0),
        (link({"send": 5.0}, None), "send", None),
        (link({"send": 5.0}, 0.0), "send", None),
        (link({"send": 0.25}, 0.5), "send", 50.0),
        (link({"local harden": 9.0}), "local harden", 0.0),
        (link({"local harden": 9.0}, outlasting=spread(4.0)), "local harden", 20.0),
    ],
)
def test_the_share_of_a_hop_in_a_mean_commit(of, hop, share):
    assert of.share(hop) == share


# How it is put together.


PARTS = {
    ("D", "R", name): spread(float(n))
    for n, name in enumerate((*measured.PATH, "local harden", "remote", "commit", "outlasting"))
}


def test_a_way_that_the_replica_alone_saw_has_no_commit():
    row = record(Links, group_database_id="D", replica_id="R", is_joined=False, has_primary=False)
    made = _link(row, PARTS, {"D": spread(5.0)}, None, 0.1)
    assert (list(made.hops), made.commit, made.wait) == (
        ["receive", "decompression", "remote harden"],
        None,
        None,
    )


@pytest.mark.parametrize(
    ("hours", "ahead", "drift"),
    [
        (None, [1.0], (None, None)),
        ([1.0], None, (None, None)),
        ([1.0, 2.0], [5.0, 9.0], (None, None)),
        ([473352.0, 473353.0, 473354.0, 473355.0], [5.0, 9.0, 13.0, 17.0], (4.0, 0.0)),
    ],
)
def test_the_drift_is_the_slope_of_three_moments_or_more(hours, ahead, drift):
    value, error = measured._drift(hours, ahead)
    assert (value is None, error is None) == tuple(each is None for each in drift)
    if value is not None:
        assert (round(value, 6), round(error or 0.0, 6)) == drift


def test_three_moments_tell_a_drift():
    value, _error = measured._drift([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert round(value or 0.0, 6) == 1.0


# Whether commits waited.


class Told:
    """A case whose queries have these rows."""

    def __init__(self, *rows: Any) -> None:
        self.found = [*rows, Counted(None, 0)]
        self.state: dict[Any, Any] = {}

    def records(self, kind: type[R], _query: str, _given: dict[str, Any] | None = None) -> list[R]:
        return [each for each in self.found if isinstance(each, kind)][:1]


UNKNOWN = {"commit_mode": None}


def awaited(of: Any, *others: Any, rows: tuple[Any, ...] = ()) -> bool:
    view: Any = Told(*rows)
    return _is_awaited(view, of, [of, *others])


@pytest.mark.parametrize(
    ("of", "is_awaited"),
    [
        (link(), True),
        (link(has_primary=False, **UNKNOWN), True),
        (link(**UNKNOWN), False),
        (link(wait=spread(5.0, n=20), **UNKNOWN), True),
        (link(wait=spread(5.0, n=19), **UNKNOWN), False),
    ],
)
def test_a_replica_is_awaited_by_its_mode_or_by_commits_that_waited(of, is_awaited):
    assert awaited(of) is is_awaited


@pytest.mark.parametrize(
    ("row", "is_awaited"),
    [
        (Waits("SQL1", 20), True),
        (Waits("SQL1", 19), False),
        (Waits("SQL1", None), False),
        (Waits("SQL9", 20), False),
        (Counted(3.0, 5), True),
        (Counted(3.0, 4), False),
        (Counted(0.0, 5), False),
    ],
)
def test_a_replica_is_awaited_by_waits_or_counters_of_its_primary(row, is_awaited):
    assert awaited(link(**UNKNOWN), rows=(row,)) is is_awaited


def test_waits_of_the_server_are_of_another_replica_that_is_awaited():
    waits = (Waits("SQL1", 20),)
    other = link(replica="SQL3", replica_id="R3")
    assert not awaited(link(**UNKNOWN), other, rows=waits)
    assert awaited(link(**UNKNOWN), link(replica="SQL3", commit_mode="asynchronous"), rows=waits)
    assert awaited(link(**UNKNOWN), link(group_database_id="id-hr"), rows=waits)


# Two sources of the same commits.


def against(*links: Any, rows: tuple[Any, ...]) -> list[Any]:
    view: Any = Told(*rows)
    return contradictions(view, links, {"SQL1": "AG"})


def test_events_and_counters_that_are_apart_contradict_each_other():
    (made,) = against(link(wait=spread(5.0, n=1200)), rows=(Counted(10.01, 1500),))
    assert (made.id, made.severity, made.confidence) == ("commit.contradiction", "warning", 0.7)
    assert made.subject == {"ag": "AG", "database": "Sales"}
    assert [(each.label, each.value, each.source) for each in made.evidence] == [
        ("commit wait mean", 5.0, "hadr_db_commit_mgr_harden of SQL1, n = 1,200"),
        ("commit wait mean of the other source", 10.01,
         "Transaction Delay by Mirrored Write Transactions/sec of SQL1, n = 1,500"),
    ]  # fmt: skip
    found = SAID.finding(made)
    assert_facts(found, whose="Sales", one=5.0, other=10.01)


@pytest.mark.parametrize(
    ("mean", "n", "are_apart"),
    [(10.0, 5, False), (10.1, 5, True), (10.1, 4, False), (2.4, 5, True), (2.5, 5, False), (None, 5, False)],
)
def test_means_are_apart_by_their_ratio(mean, n, are_apart):
    assert bool(against(link(wait=spread(5.0)), rows=(Counted(mean, n),))) is are_apart


def test_means_within_a_millisecond_agree():
    assert not against(link(wait=spread(0.1)), rows=(Counted(1.1, 5),))
    assert against(link(wait=spread(0.1)), rows=(Counted(1.11, 5),))


def test_a_database_is_compared_once_however_many_replicas_it_has():
    wait = spread(5.0)
    made = against(link(wait=wait), link(wait=wait, replica="SQL3"), rows=(Counted(99.0, 50),))
    assert len(made) == 1


@pytest.mark.parametrize(
    ("kind", "least", "source"),
    [
        (WaitsAndCounters, 5, "Transaction Delay by Mirrored Write Transactions/sec of SQL1, n = "),
        (WaitsAndEvents, 20, "hadr_db_commit_mgr_harden of SQL1, n = "),
    ],
)
def test_waits_that_are_apart_from_another_source(kind, least, source):
    both = kind("SQL1", "MSSQLSERVER", at(0), at(60), waited=5.0, waits=1200, other=50.0, n=1500)
    (made,) = against(rows=(both,))
    assert made.subject == {"ag": "AG", "host": "SQL1"}
    assert made.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:01:00+00:00"}
    assert [each.source for each in made.evidence] == [
        "HADR_SYNC_COMMIT of SQL1, n = 1,200", f"{source}1,500"
    ]  # fmt: skip
    assert made.facts["whose"] == "SQL1"
    for more, n in (({"n": least}, 1), ({"n": least - 1}, 0), ({"waits": 20}, 1), ({"waits": 19}, 0),
                    ({"waited": None}, 0), ({"other": None}, 0)):  # fmt: skip
        assert len(against(rows=(both._replace(**more),))) == n


# What was busy.


@pytest.mark.parametrize(
    ("what", "least"),
    [
        ("disk write", 5.0), ("disk read", 5.0), ("processors", 50.0), ("recovery queue", 1.0),
        ("flow control", 10.0), ("send gate", 10.0), ("database gate", 10.0),
    ],
)  # fmt: skip
def test_what_was_busy_is_told_from_its_threshold_on(what, least):
    def is_told(slow: float | None, usual: float | None = 0.0, n: int = 20, samples: int = 3) -> bool:
        return Beside("SQL1", what, n, 900, samples, slow, usual).is_told(LIMITS)

    assert (is_told(least), is_told(0.99 * least)) == (True, False)
    assert (is_told(least, least / 2), is_told(least, 0.51 * least)) == (True, False)
    assert (is_told(None), is_told(least, None)) == (False, False)
    assert (is_told(least, n=19), is_told(least, samples=2)) == (False, False)
