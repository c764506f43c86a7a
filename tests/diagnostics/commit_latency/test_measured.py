"""What a way knows of its commits, and when looks of waits are one stretch; made by hand."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from agtrace.diagnostics.commit_latency import measured, waiting
from agtrace.diagnostics.commit_latency.analysis import SAID
from agtrace.diagnostics.commit_latency.beside import Beside, _gates, _hosts
from agtrace.diagnostics.commit_latency.judge import contradictions, group_of
from agtrace.diagnostics.commit_latency.measured import _is_awaited, _link, _of_one_side
from tests.diagnostics.commit_latency.made import LIMITS, START, at, link, spread


@pytest.mark.parametrize(
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
        ({"drift_ms_per_h": -3.0, "drift_error_ms_per_h": 2.0}, "is_drifting", True),
        ({"drift_ms_per_h": 2.0, "drift_error_ms_per_h": 2.0}, "is_drifting", False),
        ({"drift_ms_per_h": 2.0}, "is_drifting", False),
        ({"drift_error_ms_per_h": 2.0}, "is_drifting", False),
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


LOCAL_BESIDE = {"local harden": 9.0, "send": 3.0, "network": 4.0}


@pytest.mark.parametrize(
    ("of", "name"),
    [
        (link({"send": 3.0, "network": 4.0}), "network"),
        (link({"send": 3.0}, None), None),
        (link({}), None),
        (link({"local harden": 9.0}), None),
        (link(LOCAL_BESIDE, outlasting=spread(10.1)), "local harden"),
        (link(LOCAL_BESIDE, outlasting=spread(10.0)), "network"),
        (link({"network": 4.0}, outlasting=spread(19.0)), "network"),
    ],
)
def test_the_hop_that_dominates(of, name):
    assert of.dominant == name


def test_the_hop_that_dominates_among_the_slowest_is_by_their_means():
    of = link({"send": spread(3.0, 90.0), "network": spread(9.0)}, spread(20.0, 100.0))
    assert of.dominant_among_slow == "send"
    local = link(LOCAL_BESIDE, spread(20.0, 100.0), outlasting=spread(1.0, 51.0))
    assert local.dominant_among_slow == "local harden"
    assert link({"network": 9.0}).dominant_among_slow is None
    some = link({"send": 3.0, "network": spread(9.0, 1.0)}, spread(20.0, 100.0), outlasting=spread(9.0))
    assert some.dominant_among_slow == "network"


# How it is put together.


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ({"has_primary": True}, ["capture", "compression", "send", "remote", "local harden"]),
        ({"has_primary": False}, ["receive", "decompression", "remote harden"]),
    ],
)
def test_one_side_sees_its_own_hops(row, names):
    assert list(_of_one_side(row)) == names


PARTS = {
    ("D", "R", name): spread(float(n))
    for n, name in enumerate((*measured.PATH, "local harden", "remote", "commit", "outlasting"))
}


def test_a_way_of_both_sides_has_the_whole_path():
    row = {"group_database_id": "D", "replica_id": "R", "is_joined": True, "has_primary": True}
    made = _link(row, PARTS, {"D": spread(5.0)}, {"n": 1}, 0.1)
    assert list(made.hops) == [*measured.PATH, "local harden"]
    assert made.commit == PARTS["D", "R", "commit"]
    assert made.outlasting == PARTS["D", "R", "outlasting"]
    assert (made.wait, made.common, made.early_share) == (spread(5.0), {"n": 1}, 0.1)


def test_a_way_that_the_replica_alone_saw_has_no_commit():
    row = {"group_database_id": "D", "replica_id": "R", "is_joined": False, "has_primary": False}
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

    def __init__(self, **rows: list[dict[str, Any]]) -> None:
        self.rows_of = {"counted": [{"mean": None, "n": 0}]} | rows
        self.asked: list[dict[str, Any]] = []
        self.state: dict[Any, Any] = {}

    def rows(self, query: str, given: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        self.asked.append(given or {})
        return self.rows_of.get(query, [])


def sql(name: str) -> str:
    return name.removesuffix(".sql")


UNKNOWN = {"commit_mode": None}


def awaited(of: Any, *others: Any, **rows: list[dict[str, Any]]) -> bool:
    view: Any = Told(**rows)
    return _is_awaited(view, sql, of, [of, *others])


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
    ("rows", "is_awaited"),
    [
        ({"waits": [{"host_id": "SQL1", "n": 20}]}, True),
        ({"waits": [{"host_id": "SQL1", "n": 19}]}, False),
        ({"waits": [{"host_id": "SQL1", "n": None}]}, False),
        ({"waits": [{"host_id": "SQL9", "n": 20}]}, False),
        ({"counted": [{"mean": 3.0, "n": 5}]}, True),
        ({"counted": [{"mean": 3.0, "n": 4}]}, False),
        ({"counted": [{"mean": 0.0, "n": 5}]}, False),
    ],
)
def test_a_replica_is_awaited_by_waits_or_counters_of_its_primary(rows, is_awaited):
    assert awaited(link(**UNKNOWN), **rows) is is_awaited


def test_waits_of_the_server_are_of_another_replica_that_is_awaited():
    waits = {"waits": [{"host_id": "SQL1", "n": 20}]}
    other = link(replica="SQL3", replica_id="R3")
    assert not awaited(link(**UNKNOWN), other, **waits)
    assert awaited(link(**UNKNOWN), link(replica="SQL3", commit_mode="asynchronous"), **waits)
    assert awaited(link(**UNKNOWN), link(group_database_id="id-hr"), **waits)


# Two sources of the same commits.


def against(*links: Any, fields: tuple[str, ...] = (), **rows: list[dict[str, Any]]) -> list[Any]:
    view: Any = Told(groups=[{"host_id": "SQL1", "ag": "AG"}], **rows)
    view.fields = lambda _event: set(fields)
    return contradictions(view, sql, list(links))


def test_events_and_counters_that_are_apart_contradict_each_other():
    (made,) = against(link(wait=spread(5.0, n=1200)), counted=[{"mean": 10.01, "n": 1500}])
    assert (made.id, made.severity, made.confidence) == ("commit.contradiction", "warning", 0.7)
    assert made.subject == {"ag": "AG", "database": "Sales"}
    assert [(each.label, each.value, each.source) for each in made.evidence] == [
        ("commit wait mean", 5.0, "hadr_db_commit_mgr_harden of SQL1, n = 1,200"),
        ("commit wait mean of the other source", 10.01,
         "Transaction Delay by Mirrored Write Transactions/sec of SQL1, n = 1,500"),
    ]  # fmt: skip
    found = SAID.finding(made)
    assert found.title == "Two sources disagree on how long commits of Sales wait"
    assert found.narrative == (
        "One says 5 ms (hadr_db_commit_mgr_harden of SQL1, n = 1,200), the other 10 ms (Transaction Delay by "
        "Mirrored Write Transactions/sec of SQL1, n = 1,500), for the same time. They can't both be true: "
        "events "
        "were lost, a clock is off, or one of them is about other commits."
    )
    assert found.recommendation == (
        "Capture both over the same minutes again before concluding anything from either."
    )


@pytest.mark.parametrize(
    ("mean", "n", "are_apart"),
    [(10.0, 5, False), (10.1, 5, True), (10.1, 4, False), (2.4, 5, True), (2.5, 5, False), (None, 5, False)],
)
def test_means_are_apart_by_their_ratio(mean, n, are_apart):
    assert bool(against(link(wait=spread(5.0)), counted=[{"mean": mean, "n": n}])) is are_apart


def test_means_within_a_millisecond_agree():
    assert not against(link(wait=spread(0.1)), counted=[{"mean": 1.1, "n": 5}])
    assert against(link(wait=spread(0.1)), counted=[{"mean": 1.11, "n": 5}])


def test_a_database_without_commits_that_were_captured_is_not_compared():
    assert against(link(), counted=[{"mean": 99.0, "n": 50}]) == []


def test_a_database_is_compared_once_however_many_replicas_it_has():
    wait = spread(5.0)
    made = against(link(wait=wait), link(wait=wait, replica="SQL3"), counted=[{"mean": 99.0, "n": 50}])
    assert len(made) == 1


BOTH = {
    "host": "SQL1", "waited": 5.0, "other": 50.0, "waits": 1200, "n": 1500, "start": at(0), "end": at(60)
}  # fmt: skip


@pytest.mark.parametrize(
    ("query", "least", "source"),
    [
        ("waits_and_counters", 5, "Transaction Delay by Mirrored Write Transactions/sec of SQL1, n = "),
        ("waits_and_events", 20, "hadr_db_commit_mgr_harden of SQL1, n = "),
    ],
)
def test_waits_that_are_apart_from_another_source(query, least, source):
    fields = ("time_to_commit",)
    (made,) = against(fields=fields, **{query: [BOTH]})
    assert made.subject == {"ag": "AG", "host": "SQL1"}
    assert made.window == {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:01:00+00:00"}
    assert [each.source for each in made.evidence] == [
        "HADR_SYNC_COMMIT of SQL1, n = 1,200", f"{source}1,500"
    ]  # fmt: skip
    assert made.facts["whose"] == "SQL1"
    for more, n in (({"n": least}, 1), ({"n": least - 1}, 0), ({"waits": 20}, 1), ({"waits": 19}, 0),
                    ({"waited": None}, 0), ({"other": None}, 0)):  # fmt: skip
        assert len(against(fields=fields, **{query: [BOTH | more]})) == n


def test_without_the_time_of_commits_their_events_are_not_compared():
    assert against(waits_and_events=[BOTH]) == []


def test_a_host_whose_group_is_not_known_has_none():
    view: Any = Told(groups=[{"host_id": "SQL1", "ag": "AG"}])
    assert (group_of(view, sql, "SQL1"), group_of(view, sql, "SQL2")) == ("AG", "")


# Stretches of waits.


def look(minute: int, **more: Any) -> dict[str, Any]:
    """A minute in which commits waited 9 ms for replicas, and 1 ms for the log."""
    local = START.replace(tzinfo=None)
    return {
        "host_id": "SQL1", "sql_instance": "MSSQLSERVER", "seconds": 60.0, "start": at(60 * minute),
        "end": at(60 * minute + 60), "start_local": local + timedelta(minutes=minute),
        "end_local": local + timedelta(minutes=minute + 1), "commits": 100, "commit_ms": 900.0, "writes": 100,
        "write_ms": 100.0, "flow_control_ms": 0.0, "catch_up_ms": 0.0, "threads_ms": 0.0,
        "log_buffer_ms": 0.0,
        "queue_bytes": None, "replica": None, "samples": None,
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("more", "cause"),
    [
        ({}, "replica"),
        ({"catch_up_ms": 6000.0, "flow_control_ms": 6000.0}, "catch_up"),
        ({"catch_up_ms": 5999.0}, "replica"),
        ({"flow_control_ms": 6000.0, "commits": 0}, "flow_control"),
        ({"flow_control_ms": 5999.0, "commits": 0}, None),
        ({"commits": 20, "commit_ms": 180.0}, "replica"),
        ({"commits": 19, "commit_ms": 180.0}, None),
        ({"writes": None, "write_ms": None}, "no_log"),
        ({"writes": 0, "write_ms": 0.0}, "replica"),
        ({"writes": 0, "write_ms": 0.0, "commit_ms": 101.0}, "replica"),
        ({"writes": 0, "write_ms": 0.0, "commit_ms": 100.0}, None),
        ({"write_ms": 1800.0}, "both"),
        ({"write_ms": 1801.0}, "log"),
        ({"commit_ms": 200.0, "write_ms": 100.0}, "both"),
        ({"commit_ms": 201.0, "write_ms": 100.0}, "replica"),
        ({"commit_ms": 100.0, "write_ms": 50.0}, None),
        ({"commit_ms": 101.0, "write_ms": 50.0}, "both"),
    ],
)
def test_what_an_interval_explains(more, cause):
    assert waiting.cause(look(0, **more), LIMITS) == cause


def told(*rows: dict[str, Any]) -> list[tuple[str, str, int]]:
    made = waiting.stretches(rows, LIMITS)
    return [(each.rows[0]["host_id"], each.cause, len(each.rows)) for each in made]


def test_intervals_that_follow_each_other_and_tell_the_same_are_one():
    local = START.replace(tzinfo=None)
    second_later = look(2, start_local=local + timedelta(seconds=121))
    later = look(4, start_local=local + timedelta(seconds=241.001 - 60))
    few = look(1, commits=0, commit_ms=0.0)
    log = look(1, write_ms=9000.0)
    assert told(look(0), look(1), second_later) == [("SQL1", "replica", 3)]
    assert told(look(0), look(1), later | {"start_local": local + timedelta(seconds=121.001)}) == [
        ("SQL1", "replica", 2), ("SQL1", "replica", 1)
    ]  # fmt: skip
    assert told(look(0), few, look(2)) == [("SQL1", "replica", 1), ("SQL1", "replica", 1)]
    assert told(few) == []
    assert told(look(0), log) == [("SQL1", "replica", 1), ("SQL1", "log", 1)]
    assert told(look(0), look(1, host_id="SQL2")) == [("SQL1", "replica", 1), ("SQL2", "replica", 1)]
    assert told(look(0), look(1, sql_instance="I2")) == [("SQL1", "replica", 1), ("SQL1", "replica", 1)]


def test_what_a_stretch_tells():
    rows = [
        look(0, queue_bytes=5e6, replica="SQL2", samples=12, threads_ms=6000.0, flow_control_ms=600.0),
        look(1, queue_bytes=9e6, replica="SQL3", samples=11, threads_ms=6000.0, log_buffer_ms=17_900.0),
        look(2, catch_up_ms=1800.0, threads_ms=6000.0),
    ]
    facts = waiting.Stretch(rows, "replica").facts
    assert facts == {
        "host": "SQL1", "cause": "replica", "first": at(0), "last": at(180), "commits": 300,
        "commit_mean": 9.0,
        "writes": 300, "write_mean": 1.0, "flow_control": 600 / 180, "catch_up": 10.0,
        "beside": [("threads", 100.0)], "queue": 9e6, "replica": "SQL3", "samples": 11, "waited_ms": 2700.0,
    }  # fmt: skip


def test_what_a_stretch_does_not_tell():
    local = START.replace(tzinfo=None)
    row = look(0, start=None, end=None, commits=0, writes=None, write_ms=None, log_buffer_ms=6000.0)
    facts = waiting.Stretch([row], "flow_control").facts
    assert (facts["first"], facts["last"]) == (local, local + timedelta(minutes=1))
    assert (facts["commit_mean"], facts["write_mean"], facts["writes"]) == (None, None, 0)
    assert (facts["queue"], facts["replica"], facts["samples"]) == (None, None, 0)
    assert facts["beside"] == [("log_buffer", 100.0)]


def test_the_table_of_waits():
    local = START.replace(tzinfo=None)
    first, second = waiting.table(
        [
            look(0, flow_control_ms=60.0, catch_up_ms=120.0, threads_ms=180.0, log_buffer_ms=240.0),
            look(1, start=None, end=None, commits=0, writes=0, commit_ms=0.0),
        ],
        LIMITS,
    )
    assert (first["commit_mean_ms"], first["write_mean_ms"], first["explains"]) == (9.0, 1.0, "replica")
    assert [first[f"{name}_ms_per_s"] for name in ("flow_control", "catch_up", "threads", "log_buffer")] == [
        1.0,
        2.0,
        3.0,
        4.0,
    ]
    assert (first["start"], first["end"]) == (at(0), at(60))
    assert (second["start"], second["end"]) == (local + timedelta(minutes=1), local + timedelta(minutes=2))
    assert (second["commit_mean_ms"], second["write_mean_ms"], second["explains"]) == (None, None, "")


STRETCH = waiting.Stretch([look(0, queue_bytes=2e6, replica="SQL2", samples=12)], "replica").facts
OF_COMMITS = "HADR_SYNC_COMMIT took 100 waits of 9 ms on average"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, f"{OF_COMMITS}: the remote path, not the local log (WRITELOG 1 ms)"),
        ({"write_mean": None},
        f"{OF_COMMITS}: the remote path, not the local log (which nothing waited for)"),
        ({"cause": "log"}, f"{OF_COMMITS}, WRITELOG 1 ms: the local log disk, not the replicas"),
        ({"cause": "both"},
        f"{OF_COMMITS}, WRITELOG 1 ms: the local log and the remote path take about as long"),
        ({"cause": "no_log"}, f"{OF_COMMITS}; what the local log took was not captured"),
        ({"cause": "flow_control", "flow_control": 120.0},
         f"flow control held messages for 120 ms/s: log is made faster than it is acknowledged, and "
         f"{OF_COMMITS}"),
        ({"cause": "flow_control", "flow_control": 120.0, "commits": 0},
         "flow control held messages for 120 ms/s: log is made faster than it is acknowledged"),
        ({"cause": "catch_up", "catch_up": 120.0},
         "HADR_SYNCHRONIZING_THROTTLE slowed commits by 120 ms/s: a synchronizing replica is let catch up, "
         "and "
         f"{OF_COMMITS}"),
        ({"cause": "catch_up", "catch_up": 120.0, "commits": 0},
         "HADR_SYNCHRONIZING_THROTTLE slowed commits by 120 ms/s: a synchronizing replica is let catch up"),
    ],
)  # fmt: skip
def test_a_stretch_in_words(more, said):
    page = SAID.page("waits", {"told": [STRETCH | more], "more": 0, "seen": True})
    of = "- From 2024-03-05 12:00:00 UTC to 2024-03-05 12:01:00 UTC on SQL1: "
    assert page.startswith(f"{of}{said.replace('_', '&#95;')}. ") or page.startswith(f"{of}{said}. ")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "The log send queue of SQL2 was 2.0 MB meanwhile."),
        ({"cause": "log"}, "The log send queue of SQL2 was 2.0 MB."),
        ({"queue": None},
        "What the log send queue of its replicas was meanwhile was not captured: perfmon of the "
                          "replicas over the same minutes tells it."),
        ({"beside": [("threads", 100.0), ("log_buffer", 200.0)]},
         "The log send queue of SQL2 was 2.0 MB meanwhile. Tasks waited 100 ms/s for worker threads as "
         "well. Tasks "
         "waited 200 ms/s for room in the log buffer as well."),
    ],
)  # fmt: skip
def test_what_was_queued_meanwhile_in_words(more, said):
    page = SAID.page("waits", {"told": [STRETCH | more], "more": 0, "seen": True})
    assert page.endswith(said)


@pytest.mark.parametrize(
    ("more", "seen", "said"),
    [
        (0, True, "Commits waited too rarely, or too briefly, to explain anything."),
        (2, True,
        "2 further stretches in which commits waited less. Commits waited too rarely, or too briefly, to "
                  "explain anything."),
        (0, False,
        "No wait statistics of a primary were captured: PerfStats of LogScout or PSSDIAG, on the primary "
                   "(docs/capture.md, section 9)."),
    ],
)  # fmt: skip
def test_the_page_of_waits_without_any(more, seen, said):
    assert SAID.page("waits", {"told": [], "more": more, "seen": seen}) == said


def test_the_summary_in_words():
    page = SAID.page(
        "summary",
        {
            "judged": [link(), link(commit=None, replica="SQL3")],
            "left_out": [link(commit_mode="asynchronous", replica="SQL4")],
            "waited": [{"host": "SQL1", "n": 1234, "mean": 7.5}],
        },
    )
    assert page == (
        "- Sales to SQL2: median **20 ms**, p95 40 ms, p99 60 ms (n = 30); **remote harden** dominates\n"
        "- Sales to SQL3: 300 log blocks, seen on the replica alone\n"
        "- Sales to SQL4: left out, it commits asynchronously\n"
        "- SQL1: 1,234 commits waited 7.5 ms for replicas on average"
    )
    assert SAID.page("summary", {"judged": [], "left_out": [], "waited": []}) == (
        "Nothing that tells how long commits wait was captured."
    )


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


def test_the_hosts_of_each_way():
    assert _hosts([link(), link(replica_id="R3", replica_host=None)]) == {
        "links": ["id-sales R2", "id-sales R3"], "primaries": ["SQL1", "SQL1"], "replicas": ["SQL2", None]
    }  # fmt: skip


def test_gates_are_asked_for_where_their_events_say_whose_they_are():
    class Seen:
        ran: list[str]

        def __init__(self, **fields: set[str]) -> None:
            self.held, self.ran = fields, []

        def fields(self, event: str) -> set[str]:
            return self.held.get(event, set())

        def run(self, query: str) -> None:
            self.ran.append(query)

        def rows(self, query: str) -> list[dict[str, Any]]:
            return [{"query": query}]

    whole: Any = Seen(hadr_transport_flow_control_action={"control_action", "target_availability_replica_id"})
    assert list(_gates(whole, sql)) == [{"query": "gates"}]
    assert whole.ran == ["gates_asked", "gates_of_replicas", "drop table scratch.commit_gates"]
    database: Any = Seen(hadr_database_flow_control_action={"control_action", "database_replica_id", "more"})
    assert list(_gates(database, sql)) == [{"query": "gates"}]
    assert database.ran[1] == "gates_of_databases"
    for lacking in ({"control_action"}, {"target_availability_replica_id"}, set()):
        none: Any = Seen(hadr_transport_flow_control_action=lacking)
        assert (list(_gates(none, sql)), none.ran) == ([], [])
