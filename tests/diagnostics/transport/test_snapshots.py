"""What single looks at a server say of its replicas, and how long it waited with its send gate closed."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.transport import snapshots
from agtrace.history.streams.database_looks import Look, State
from agtrace.history.streams.gate_waits import GateWait
from agtrace.thresholds import Thresholds
from tests.diagnostics.transport.made_shown import START


def state(database: str = "Sales", name: str = "SYNCHRONIZED", **more: Any) -> State:
    given: dict[str, Any] = {
        "is_suspended": False, "suspend_reason": None, "send_queue": None, "send_rate": None,
        "redo_queue": None, "redo_rate": None, "lag_s": None, "source": f"o.txt, line {len(database)}",
    }  # fmt: skip
    return State(database, name, **given | more)


def look(*states: State, at: float | None = 0.0, **more: Any) -> Look:
    given: dict[str, Any] = {"is_local": False, "host": "P", "is_of_primary": True, "path": "o.txt"}
    return Look("AG", "S", None if at is None else START + at, states=states, **given | more)


def told(measured: Any) -> list[tuple[str, Any, str, str]]:
    return [(each.label, each.value, each.unit, each.source) for each in measured]


def test_moments_without_loss_are_those_of_looks_with_a_synchronised_database():
    looks = [look(state()), look(state(name="SYNCHRONIZING"), at=1.0)]
    assert snapshots.without_loss(looks) == looks[:1]
    assert snapshots.synchronized_at(looks) == [
        {"moment": "2024-03-05 12:00:00 UTC", "synchronized": 1, "n": 1}
    ]


def test_a_suspended_database_is_told_with_its_reason_where_nothing_waits():
    stopped = look(state(is_suspended=True), state("Stock", is_suspended=True, suspend_reason="USER"))
    at = "data movement suspended at 2024-03-05 12:00:00 UTC"
    assert told(snapshots.of_queues(stopped)) == [
        (f"Sales: {at}", "suspended", "", "o.txt, line 5"),
        (f"Stock: {at}", "USER", "", "o.txt, line 5"),
    ]


def test_suspended_databases_come_first_then_the_fullest_and_of_equals_the_first_by_name():
    seen = look(
        state("D", send_queue=3), state("C", redo_queue=9), state("B", send_queue=3),
        state("A", is_suspended=True), state("E"),
    )  # fmt: skip
    at = " at 2024-03-05 12:00:00 UTC"
    assert [each.label.removesuffix(at) for each in snapshots.of_queues(seen)] == [
        "log send queue of 2 databases", "redo queue of 1 database", "A: data movement suspended",
        "C: redo queue", "B: log send queue", "D: log send queue",
    ]  # fmt: skip


FULL = state("Stock", send_queue=5, redo_queue=None)


def test_the_last_look_tells_what_waited():
    judged = snapshots.queues_of([look(at=-60.0), look(state(), FULL, state("Test", redo_queue=2))])
    assert (judged.said, judged.id, judged.severity) == (
        "not_captured.looked", "quality.not_captured", "notice",
    )  # fmt: skip
    assert judged.window == {"start": "2024-03-05T11:59:00Z", "end": "2024-03-05T12:00:00Z"}
    assert judged.facts == {
        "replica": "S", "host": "P", "moment": "2024-03-05 12:00:00 UTC", "suspended": [], "looks": 2,
        "n": 3, "fullest": FULL, "waiting": ["to_send"], "others": 1,
    }  # fmt: skip
    assert len(judged.evidence) == 4


def test_where_nothing_waits_the_states_are_the_evidence():
    judged = snapshots.queues_of([look(state())])
    assert (judged.facts["fullest"], judged.facts["waiting"], judged.facts["others"]) == (None, [], -1)
    assert [each.label for each in judged.evidence] == ["databases SYNCHRONIZED at 2024-03-05 12:00:00 UTC"]
    extra = snapshots.quoted("beside", "x", "y")
    assert snapshots.queues_of([look(state())], [extra]).evidence == (extra,)


def test_a_suspended_database_is_not_the_fullest():
    judged = snapshots.queues_of([look(state(is_suspended=True), FULL)])
    assert (judged.facts["suspended"], judged.facts["fullest"]) == (["Sales"], FULL)


@pytest.mark.parametrize(
    ("looks", "window"),
    [
        ([], {}),
        ([{"at": None}], {}),
        ([{"at": 5.0}, {"at": 0.0}, {"at": None}],
         {"start": "2024-03-05T12:00:00Z", "end": "2024-03-05T12:00:05Z"}),
        ([{"at": 0.0, "is_local": True}, {"at": 5.0}],
         {"start": "2024-03-05T12:00:05Z", "end": "2024-03-05T12:00:05Z"}),
        ([{"at": 0.0, "is_local": True}, {"at": None}],
         {"start": "2024-03-05T12:00:00", "end": "2024-03-05T12:00:00", "local": True}),
    ],
)  # fmt: skip
def test_the_window_of_looks_is_that_of_one_clock(looks, window):
    given = [look(state(), **each) for each in looks] or [look(state(), at=None)]
    assert snapshots.queues_of(given).window == window


def waited(ms: int, end: float | None = 100.0, **more: Any) -> GateWait:
    given: dict[str, Any] = {"host": "P", "wait_type": "HADR_DATABASE_FLOW_CONTROL", "seconds": 10.0}
    return GateWait(end=end, ms=ms, **given | {"tasks": 2} | more)


def test_waits_are_told_by_their_type_as_a_mean_and_the_most_of_an_interval():
    waits = [
        waited(100), waited(600, seconds=20.0, tasks=1), waited(0, wait_type="HADR_GROUP", tasks=1),
        waited(9999, host="S"),
    ]  # fmt: skip
    of = "HADR_DATABASE_FLOW_CONTROL on P, all replicas, "
    source = "wait statistics of P, 2 intervals, 30 s, 3 waits"
    assert told(snapshots.waits_of_host(waits, "P")) == [
        (f"{of}mean", pytest.approx(23.33), "ms/s", source),
        (f"{of}most of an interval", 30.0, "ms/s", source),
        ("HADR_GROUP on P, all replicas, mean", 0.0, "ms/s",
         "wait statistics of P, 1 interval, 10 s, 1 wait"),
        ("HADR_GROUP on P, all replicas, most of an interval", 0.0, "ms/s",
         "wait statistics of P, 1 interval, 10 s, 1 wait"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("end", "span", "counts"),
    [
        (100.0, (90.0, 100.0), True),
        (100.0, (90.1, 100.0), False),
        (100.0, (90.0, 99.9), False),
        (100.0, (0.0, 200.0), True),
        (None, (0.0, 200.0), False),
        (None, None, True),
    ],
)
def test_within_a_span_only_whole_intervals_of_a_known_time_count(end, span, counts):
    assert bool(snapshots.waits_of_host([waited(100, end)], "P", span)) == counts


LIMITS = Thresholds(rpo_s=60, rto_s=60)


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        # The server's own lag, where most waits to be sent.
        ({"send_queue": 9_000, "lag_s": 60, "redo_queue": 9_000}, [("transport.rpo", 60.0)]),
        ({"send_queue": 9_000, "lag_s": 59}, []),
        # Else the queue by its rate: what waits to be redone has arrived.
        ({"send_queue": 6_000, "send_rate": 100}, [("transport.rpo", 60.0)]),
        ({"send_queue": 6_000, "send_rate": 101}, []),
        ({"send_queue": 1, "send_rate": 1, "lag_s": 900, "redo_queue": 9_000, "redo_rate": 100},
         [("transport.rto", 90.0)]),
        ({"redo_queue": 6_000, "redo_rate": 100}, [("transport.rto", 60.0)]),
        ({"redo_queue": 6_000}, []),
        ({"send_queue": 9_000, "lag_s": 900, "is_suspended": True}, []),
        ({"lag_s": 900}, []),
    ],
)  # fmt: skip
def test_a_look_tells_how_far_behind_a_replica_is(shown, found):
    judged = snapshots.behind([look(state(name="SYNCHRONIZING", **shown))], LIMITS)
    assert [(one.id, one.facts["seconds"]) for one in judged] == found


def test_the_worst_database_of_the_last_look_is_told():
    earlier = look(state(send_queue=1, lag_s=9_999), at=-60.0)
    last = look(state(send_queue=9, lag_s=70), state("Stock", send_queue=1, lag_s=90))
    (one,) = snapshots.behind([earlier, last], LIMITS)
    assert (one.subject["database"], one.facts["others"], one.severity) == ("Stock", 1, "warning")
