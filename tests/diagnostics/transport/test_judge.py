"""Which verdicts a link gets, how severe they are, how sure, and of which databases and rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import verdict as v
from agtrace.diagnostics.transport.judge import judge, stretches
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.parts import BEHIND, FINE, IDLE, SUSPENDED, TOO_FEW
from agtrace.measure.machines import Card, Machine
from tests.diagnostics.transport.made import MB, N, both, known, lag, link, part, primary, secondary, tuning
from tests.folded import folded

Told = tuple[str, str, float]


def told(found: list[v.Verdict]) -> list[Told]:
    return [(each.kind.said, each.severity, each.confidence) for each in found]


# What the primary alone can say.

FULL = {"P": Machine(card=Card("P", 9e8, 1e9))}
LOSSY = {"again": 10, "segments": 1000}


def alone(beside: StreamFacts | None = None, **series: Any) -> list[Told]:
    return told(judge(link(primary(**series), None), [], beside or known()))


@folded(
    ("series", "said"),
    [
        ({"gate": 300}, ("flow_control.alone", "warning", 0.5)),
        ({"gate": 300} | LOSSY, ("network_limited.loss", "warning", 0.5)),
        ({"gate": 299}, ("healthy.usual", "info", 0.5)),
        ({"sent": 0.95 * MB}, ("healthy.usual", "info", 0.5)),
        ({"sent": 0.949 * MB}, ("not_captured.replica", "notice", 1.0)),
        ({"flushed": 1024, "sent": 1024}, ("healthy.usual", "info", 0.5)),
        ({"flushed": 1023, "sent": 1023}, ("not_captured.replica", "notice", 1.0)),
        ({"flushed": None}, ("not_captured.replica", "notice", 1.0)),
        ({"sent": None, "transport": MB}, ("healthy.usual", "info", 0.5)),
        ({"sent": 0, "transport": MB}, ("not_captured.replica", "notice", 1.0)),
    ],
)
def test_a_primary_alone_tells_of_its_gate_and_of_what_it_sends(series, said):
    assert alone(**series) == [said]


def test_a_full_card_or_a_setting_is_named_of_a_primary_alone_too():
    assert alone(known(machines=FULL), gate=300) == [("network_limited.card", "warning", 0.5)]
    assert alone(known(tuning("S", "disabled"))) == [("healthy.unscaled", "notice", 0.5)]


@pytest.mark.parametrize(("n", "is_told"), [(19, False), (20, True)])
def test_twenty_samples_of_bytes_sent_carry_a_verdict(n, is_told):
    assert bool(alone(sent=[MB] * n + [np.nan] * (N - n))) == is_told
    assert alone(sent=None) == []


# Nothing falls behind.


def test_databases_that_keep_up_and_those_without_log_are_told_together():
    databases = ("b", "A", "c", "d")
    of = both({"flushed": dict.fromkeys(databases, MB)}, {"received": dict.fromkeys(databases, MB)},
              databases=databases)  # fmt: skip
    parts = [
        part(of, FINE, database="b"), part(of, IDLE, database="A"), part(of, TOO_FEW, database="c"),
        part(of, FINE, database="d", redo_lag=lag()),
    ]  # fmt: skip
    found = judge(of, parts, known())
    assert [(each.kind.said, each.databases) for each in found] == [
        ("healthy.usual", ["A", "b"]), ("redo_limited", ["d"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (both(), ("healthy.usual", "info", 0.9)),
        (both(aligned=False), ("healthy.usual", "info", 0.8)),
        (both({"flushed": None}), ("healthy.usual", "info", 0.7)),
        (link(None, secondary()), ("healthy.usual", "info", 0.7)),
        (link(None, secondary(), aligned=False), ("healthy.usual", "info", 0.7)),
        (both(there={"received": 0.5 * MB}), ("healthy.usual", "info", 0.65)),
    ],
)
def test_health_is_the_surer_the_more_of_both_sides_was_captured(of, said):
    assert told(judge(of, [part(of, FINE)], known())) == [said]


def test_health_with_a_window_that_is_not_scaled_is_a_notice():
    of = both()
    assert told(judge(of, [part(of, FINE)], known(tuning("S", "disabled")))) == [
        ("healthy.unscaled", "notice", 0.9)
    ]


def on_its_way(of: Link, step: float | None = None) -> float | None:
    if step is not None:
        assert of.secondary is not None
        of.secondary.step = step
    (found,) = judge(of, [part(of, FINE)], known())
    return found.on_its_way


def short(n: int, share: float = 0.125, **there: Any) -> Link:
    """Return a stream of so many samples that lost a share of its log."""
    return link(primary(n), secondary(n, received=MB * (1 - share), **there))


@folded(
    ("of", "share"),
    [
        (short(33), 0.125), (short(32), None), (short(20, 0.5), 0.5), (short(19, 0.5), None),
        (short(33, queue=[0.0] * 32 + [10 * 1024]), None),
        (short(60, 0.5, queue=None), 0.5),
        (link(primary(flushed=0), secondary()), None),
        (link(primary(flushed=0.5), secondary(received=0.25)), 0.5),
        (link(primary(flushed=None), secondary(received=0.5 * MB)), None),
        (link(primary(), secondary(received=None)), None),
        (link(primary(), secondary(received=0.5 * MB), aligned=False), None),
        (link(None, secondary(received=0.5 * MB)), None),
        (short(1500, 1 / 49), 1 / 49), (short(1500, 1 / 51), None),
    ],
)  # fmt: skip
def test_log_is_on_its_way_where_more_is_missing_than_the_samples_leave_open(of, share):
    assert on_its_way(of) == (share if share is None else pytest.approx(share, rel=1e-12))


def test_a_queue_that_is_a_part_of_what_is_missing_is_not_on_its_way():
    of = short(60, 0.5, queue=[0.0] * 59 + [59 * 5 * 0.25 * 1024])
    assert on_its_way(of) == 0.25


# The send queue fills.


GROWING = [
    (lag(share=0.21), "critical"), (lag(share=0.19), "warning"),
    (lag(share=0.21, open_end=False), "notice"), (lag(share=0.21, growing=False), "warning"),
    (lag(share=0.21, growing=False, open_end=False), "notice"),
]  # fmt: skip
"""How severe a queue is, by how much of the log stays in it and whether it still grows."""


@pytest.mark.parametrize(("queue", "severity"), GROWING)
def test_a_queue_that_grows_at_the_end_is_critical_where_a_fifth_of_the_log_stays(queue, severity):
    of = both()
    (found,) = judge(of, [part(of, BEHIND, send_lag=queue)], known())
    assert (found.severity, found.kind.said, found.confidence) == (severity, "network_limited.path", 0.6)


def test_databases_that_fall_behind_share_a_verdict_over_all_of_their_time():
    names = ("a", "b", "c")
    of = both({"flushed": dict.fromkeys(names, MB)}, {"received": dict.fromkeys(names, MB)}, databases=names)
    parts = [
        part(of, BEHIND, database="a", send_lag=lag(10, 30, growing=False, open_end=False)),
        part(of, FINE, database="b"),
        part(of, BEHIND, database="c", send_lag=lag(20, 50)),
    ]
    behind, fine = judge(of, parts, known())
    assert (behind.databases, behind.rows, behind.primary_rows, behind.severity) == (
        ["a", "c"], slice(10, 50), slice(10, 50), "warning"
    )  # fmt: skip
    assert (fine.kind.said, fine.databases) == ("healthy.usual", ["b"])


# The rows of both sides.


def test_every_stretch_that_a_verdict_can_be_about_is_measured():
    of = both()
    parts = [
        part(of, stale=(5, 9), send_lag=lag(10, 20)),
        part(of, redo_lag=lag(30, 40)), part(of),
    ]  # fmt: skip
    found = {(node and node.name, rows.start, rows.stop) for node, rows in stretches(of, parts)}
    assert found == {
        (name, first, last)
        for name in ("P", "S") for first, last in ((0, 60), (5, 9), (10, 20), (30, 40))
    }  # fmt: skip
    assert stretches(link(primary(0), None), []) == []


# Data movement stands still.


@pytest.mark.parametrize(
    ("of", "stale", "said"),
    [
        (both(), (10, 57), ("suspended", "critical", 0.85)),
        (both(), (10, 56), ("suspended", "warning", 0.85)),
        (both(aligned=False), (10, 60), ("suspended", "critical", 0.75)),
        (both({"flushed": None}), (10, 60), ("suspended", "critical", 0.5)),
        (link(None, secondary(), aligned=False), (10, 60), ("suspended", "critical", 0.5)),
    ],
)
def test_a_queue_that_is_frozen_is_critical_until_it_moves_again(of, stale, said):
    assert told(judge(of, [part(of, SUSPENDED, stale=stale)], known())) == [said]


MESSAGE = {"database": "SALES", "message_id": 35264, "host_id": "S", "reason": "user", "line": 9}


@pytest.mark.parametrize(
    ("changed", "is_meant"),
    [
        ({}, True), ({"host_id": "P"}, True), ({"host_id": "X"}, False), ({"message_id": 35265}, False),
        ({"message_id": 35263}, False), ({"database": None}, False), ({"database": "Stock"}, False),
    ],
)  # fmt: skip
def test_message_35264_of_either_end_and_of_that_database_proves_it(changed, is_meant):
    of, event = both(), MESSAGE | changed
    (found,) = judge(of, [part(of, SUSPENDED, stale=(10, 60))], known(events=[event]))
    assert (found.message, found.confidence) == ((event, 0.95) if is_meant else (None, 0.85))


def test_an_end_that_was_not_captured_logged_nothing():
    of = link(None, secondary())
    (found,) = judge(of, [part(of, SUSPENDED, stale=(10, 60))], known(events=[MESSAGE | {"host_id": "P"}]))
    assert (found.message, found.confidence) == (None, 0.5)
