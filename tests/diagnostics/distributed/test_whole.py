"""All that the findings about hops state besides their words, and the rules that put hops together."""

from __future__ import annotations

from datetime import UTC

import pytest

from agtrace.diagnostics.distributed import Distributed
from agtrace.diagnostics.distributed.hops import hops, lag_of
from agtrace.diagnostics.distributed.judge import lags, longest
from agtrace.diagnostics.distributed.rows import Looks, Streams
from agtrace.thresholds import Thresholds
from tests.behind import behind, texts
from tests.diagnostics.asking import record
from tests.diagnostics.distributed.cases import ALL, LOOK_AT_FORWARDER, LOOK_AT_SENDER, looks, perfmon
from tests.diagnostics.facts import facts
from tests.diagnostics.tiny import START, case
from tests.folded import folded

WHILE = {"start": "2024-03-05T12:00:00+00:00", "end": "2024-03-05T12:09:55+00:00"}
AT = {"start": "2024-03-05T12:01:00+00:00", "end": "2024-03-05T12:01:00+00:00"}


def told(made):
    return [facts(each) for each in Distributed(made).findings()]


def test_hops_by_perfmon():
    of_3, of_4 = (f"perfmon of {host}, Sales, n = 120" for host in ("SRV3", "SRV4"))
    assert told(case(perfmon(*ALL))) == [
        {
            "severity": "notice",
            "subject": {"ag": "DAG", "host": "SRV1", "replica": "SRV3", "database": "Sales"},
            "window": WHILE,
            "confidence": 0.9,
            "evidence": [
                ("Sales: behind by", 358.4, "s", of_3),
                ("Sales: behind by, at most", 358.4, "s", of_3),
                ("Sales: log that waits to be sent", 358_400_000.0, "B", of_3),
                ("Sales: log that arrives", 400_000.0, "B/s", of_3),
                ("Sales: log that waits to be redone", 0.0, "B", of_3),
            ],
        },
        {
            "severity": "info",
            "subject": {"ag": "DAG", "host": "SRV3", "replica": "SRV4", "database": "Sales"},
            "window": WHILE,
            "confidence": 0.9,
            "evidence": [
                ("Sales: behind by", 0.0512, "s", of_4),
                ("Sales: behind by, at most", 0.0512, "s", of_4),
                ("Sales: log that waits to be sent", 20480.0, "B", of_4),
                ("Sales: log that arrives", 400_000.0, "B/s", of_4),
                ("Sales: log that waits to be redone", 0.0, "B", of_4),
            ],
        },
    ]


def test_hops_by_looks():
    assert told(case(relations=looks(LOOK_AT_SENDER, LOOK_AT_FORWARDER))) == [
        {
            "severity": "notice",
            "subject": {"ag": "DAG", "host": "SRV1", "replica": "SRV3", "database": "Sales"},
            "window": AT,
            "confidence": 0.7,
            "evidence": [
                ("Sales: last commit behind by", 60.0, "s", "look-SRV1 line 6"),
                ("Sales: secondary_lag_seconds", 7, "s", "look-SRV1 line 6"),
                ("Sales: log_send_queue_size", 5_120_000, "B", "look-SRV1 line 6"),
                ("Sales: log_send_rate", 102_400, "B/s", "look-SRV1 line 6"),
                ("Sales: sent in", 50.0, "s", "look-SRV1 line 6"),
            ],
        },
        {
            "severity": "info",
            "subject": {"ag": "DAG", "host": "SRV3", "replica": "SRV4", "database": "Sales"},
            "window": AT,
            "confidence": 0.7,
            "evidence": [
                ("Sales: last commit behind by", 2.0, "s", "look-SRV3 line 12"),
                ("Sales: log_send_queue_size", 0, "B", "look-SRV3 line 12"),
                ("Sales: log_send_rate", 102_400, "B/s", "look-SRV3 line 12"),
                ("Sales: sent in", 0.0, "s", "look-SRV3 line 12"),
            ],
        },
    ]


def test_a_hop_that_stands_by_a_look():
    (one,) = told(case(relations=looks(LOOK_AT_SENDER, suspended="true")))
    assert (one["severity"], one["confidence"]) == ("warning", 0.7)
    assert one["evidence"][-1] == ("Sales: suspended", "yes", "", "look-SRV1 line 6")


# Rows as streams.sql and looks.sql give them.


HOP = {"dag": "DAG", "ag": "DAG", "is_between": True, "sender": "SRV1", "receiver": "SRV3"}
TIMES = dict.fromkeys(("start", "end", "start_local", "end_local"), START)


def seen(database="Sales", lag=1.0, queue=10, **more):
    own = {"database": database, "has_sender": True, "is_aligned": True, "samples": 20, "queue": queue}
    moves = {
        "growth": 0.0, "rate": 5.0, "redo_queue": None, "lag_s": lag, "lag_max_s": lag, "is_still": False,
    }  # fmt: skip
    return record(Streams, **HOP | TIMES | own | moves | more)


def looked(commit=None, secondary=None, queue=None, rate=None, **more):
    own = {"database": "Sales", "is_group": False, "time": START, "time_local": START, "place": "look line 1"}
    moves = {"queue": queue, "rate": rate, "secondary_lag_s": secondary, "commit_lag_s": commit}
    still = {"is_suspended": False, "suspend_reason": None, "redo_queue": None}
    return record(Looks, **HOP | own | moves | still | more)


@folded(
    ("row", "seconds"),
    [
        (looked(commit=3.0, secondary=7, queue=100, rate=10), 3.0),
        (looked(commit=-2.0, secondary=7), 0.0),
        (looked(secondary=7, queue=100, rate=10), 7.0),
        (looked(queue=100, rate=10), 10.0),
        (looked(queue=100, rate=0), None),
        (looked(queue=100), None),
        (looked(queue=0), 0.0),
        (looked(rate=10), None),
        (seen(lag=4), 4.0),
        (seen(lag=None), None),
    ],
)
def test_how_far_behind_is_by_commits_then_as_the_server_says_then_by_the_queue(row, seconds):
    assert lag_of(row) == seconds


@pytest.mark.parametrize(
    ("rows", "worst"),
    [
        ([seen("A", 1.0), seen("B", 2.0)], "B"),
        ([seen("A", 2.0), seen("B", 1.0)], "A"),
        ([seen("A", 1.0, 11), seen("B", 1.0, 10)], "A"),
        ([seen("A", None, 0), seen("B", None, None)], "B"),
        ([seen("A", 0.05, 0), seen("B", None, 0)], "A"),
        ([seen("A", None, 5), seen("B", 0.0, 0)], "A"),
        ([seen("A", 1.0, is_still=True), seen("B", 99.0)], "A"),
    ],
)
def test_the_worst_database_stands_or_is_furthest_behind(rows, worst):
    (hop,) = hops(rows, [])
    assert hop.worst.database == worst


def chain(*lags_of):
    """Return a hop to SRV3 and one from it for each lag; "still" ones do not move."""
    rows = [
        seen(lag=None if lag == "still" else lag, is_still=lag == "still", is_between=not n,
             sender="SRV3" if n else "SRV1", receiver=f"SRV{3 + n}")
        for n, lag in enumerate(lags_of)
    ]  # fmt: skip
    return hops(rows, [])


@folded(
    ("lags_of", "name"),
    [
        ((2.0, 1.0), "SRV1 → SRV3"),
        ((1.0, 2.0), "SRV3 → SRV4"),
        ((1.0, 1.0), None),
        ((1.0,), None),
        ((1.0, None), None),
        ((0.0, 0.0), None),
        (("still", 99.0), "SRV1 → SRV3"),
        (("still",), "SRV1 → SRV3"),
        (("still", "still", 1.0), None),
        ((1.0, 3.0, 2.0), "SRV3 → SRV4"),
    ],
)
def test_the_longest_hop_takes_two_that_are_known_and_differ(lags_of, name):
    found = longest(chain(*lags_of))
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("other", "n"), [({}, 1), ({"sender": ""}, 1), ({"sender": "SRV9"}, 2), ({"receiver": "SRV5"}, 2)]
)
def test_within_a_group_both_ends_tell_hops_apart(other, n):
    inside = {"is_between": False, "sender": "SRV3", "receiver": "SRV4"}
    assert len(hops([seen(**inside)], [looked(**(inside | other))])) == n


def judged(*rows, links=None):
    streams, looks = ([row for row in rows if isinstance(row, kind)] for kind in (Streams, Looks))
    return lags(hops(streams, looks), links or {}, Thresholds())


@pytest.mark.parametrize(
    ("lag", "said", "severity"),
    [(59.9, "lag.level", "info"), (60.0, "lag.behind", "notice"), (0.0, "lag.level", "info")],
)
def test_a_hop_is_behind_from_the_rpo_on(lag, said, severity):
    (one,) = judged(seen(lag=lag))
    assert (one.said, one.severity) == (said, severity)


@pytest.mark.parametrize(
    ("row", "confidence", "host"),
    [
        (seen(), 0.9, "SRV1"),
        (seen(is_aligned=False), 0.7, "SRV1"),
        (seen(has_sender=False), 0.7, ""),
        (looked(commit=1.0), 0.7, "SRV1"),
    ],
)
def test_both_ends_on_one_clock_make_it_sure(row, confidence, host):
    (one,) = judged(row)
    assert (one.confidence, one.subject["host"]) == (confidence, host)


def test_where_the_offset_is_not_known_the_window_is_local():
    (by_perfmon,) = judged(seen(start=None, end=None))
    (by_look,) = judged(looked(commit=1.0, time=None))
    local = {"start": "2024-03-05T12:00:00", "end": "2024-03-05T12:00:00", "local": True}
    assert (by_perfmon.window, by_look.window) == (local, local)


@pytest.mark.parametrize(("growth", "grows"), [(1.0, True), (0.0, False), (-1.0, False), (None, False)])
def test_a_queue_grows_by_more_than_nothing(growth, grows):
    (one,) = judged(seen(growth=growth))
    assert one.facts["grows"] == grows


def test_a_case_without_a_distributed_group_says_so():
    assert texts(Distributed(case()).say_nothing) == {"open.none": {}}
    assert texts(Distributed(case(perfmon(*ALL))).say_nothing) == {}


def test_a_chain_that_goes_on_says_so():
    between, onward = seen(), seen(is_between=False, sender="SRV3", receiver="SRV4")
    assert [each.facts["forwards"] for each in judged(between, onward)] == [True, True]
    assert [each.facts["forwards"] for each in judged(between)] == [False]


def test_numbers_that_were_not_captured_are_no_evidence():
    (one,) = judged(seen(rate=None))
    assert [each.measure.name for each in one.evidence] == ["lag_s", "lag_max_s", "send_queue_bytes"]


def test_a_hop_with_hardly_any_log_and_no_queue_is_level():
    (one,) = told(case(perfmon("SRV3", queue="0", arrives="10")))
    assert (one["severity"], one["evidence"][0][:2]) == ("info", ("Sales: behind by", 0.0))
    assert one["evidence"][1][:2] == ("Sales: behind by, at most", 0.0)


def test_the_primary_alone_receives_for_its_group():
    own = "ag=AG2; replica=SRV4; is_local=true; role=SECONDARY"
    later = f"SRV4 | 90 | replicas | capture_id=look-SRV4; line=0; {own}"
    relations = looks(LOOK_AT_SENDER, LOOK_AT_FORWARDER, [later])
    assert [one["subject"]["replica"] for one in told(case(relations=relations))] == ["SRV3", "SRV4"]


def test_what_a_forwarder_shows_of_the_other_group_is_no_hop():
    other = (
        "SRV3 | 60 | database_states | capture_id=look-SRV3; line=9; ag=DAG; database=Sales; replica=AG1; "
        "is_local=false; log_send_queue_kb=5; log_send_rate_kb_s=1"
    )
    assert len(told(case(relations=looks(LOOK_AT_FORWARDER, [other])))) == 1


def test_perfmon_of_a_hop_is_used_in_place_of_a_snapshot_and_says_so():
    made = case(perfmon(*ALL), relations=looks(LOOK_AT_SENDER))
    found = [behind(each) for each in Distributed(made).findings()]
    assert [facts["weaker"] for facts in found] == [
        {"lag": 60.0, "at": START.replace(minute=1, tzinfo=UTC)},
        None,
    ]
