"""Where the rules of seeding change their answer, and what they count: of facts given as literals."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agtrace.diagnostics.seeding import causes, contradictions, figures, outcomes, study
from agtrace.diagnostics.seeding import verdict as vd
from agtrace.diagnostics.seeding.limits import MIXED, NETWORK, SMALL, Limiter, Waits, judge, waits_of
from agtrace.diagnostics.seeding.outcomes import alike
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.diagnostics.seeding.verdict import Verdict
from agtrace.history.seedings import slots
from agtrace.history.seedings.compression import Compressed, Reason
from agtrace.history.seedings.operation import SOURCE, TARGET, XEL, Failure, Operation, Side, State
from agtrace.history.seedings.rates import Rates
from agtrace.history.seedings.slots import SLOT, Beside, Stall
from agtrace.measure.usage import Cores, Usage
from agtrace.thresholds import Thresholds

LIMITS = Thresholds()
BEGIN = datetime(2024, 3, 5, 12, tzinfo=UTC)
UNDECIDED = Compressed(None, None, None, None, None, None, Reason("unseen", {"wire": None}))


def at(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


def operation(number: int = 1, source: Any = None, target: Any = None, **more: Any) -> Operation:
    """Give a copy of 10 GB of Sales from A to B in 100 s."""
    known: dict[str, Any] = {
        "database": "Sales", "ag": "AG", "database_guid": None, "start": at(0), "end": at(110),
        "copy_start": at(1), "copy_end": at(101), "copied_bytes": 10**10, "bytes_source": "reported",
        "database_bytes": 10**10, "outcome": "completed", "told_by": frozenset({XEL}),
    }  # fmt: skip
    ends = {"source": source or Side(SOURCE, "A"), "target": target or Side(TARGET, "B")}
    return Operation(number, **ends, **known | more)


def usage(host: str, resource: str, mean: float, unit: str = "B/s", **more: Any) -> Usage:
    known = Usage(1, host, resource, "one", unit, 20, mean, mean, mean, mean, mean, None, seconds=100)
    return replace(known, **more)


def seeded(own: Operation | None = None, *usages: Usage, **more: Any) -> Seeded:
    known = {"rates": Rates(1e8), "limiter": Limiter(None, 0, Reason("none_full")), "compressed": UNDECIDED}
    return Seeded(own or operation(), usages=usages, **known | more)


def told(*found: Seeded, by: Any = causes.of_causes, **more: Any) -> list[Verdict]:
    return by(Study(found, LIMITS, **more))


def values(verdict: Verdict) -> dict[str, Any]:
    return {each.label: each.value for each in verdict.evidence}


# What limits.

LIMITED = Limiter((NETWORK, ""), 0.8, Reason("waits_alone"))


def path(rate: float, **more: Any) -> dict[str, Any]:
    (found,) = told(seeded(None, usage("A", "network_sent", rate, **more), limiter=LIMITED))
    return dict(found.facts)


@pytest.mark.parametrize("gigabits", [0.1, 1, 2.5, 5, 10, 25, 40, 50, 100])
def test_a_rate_looks_like_that_of_a_full_link_from_85_percent_of_it_on(gigabits):
    full = gigabits * 1e9 / 8
    assert path(full)["link"] == {"gigabits": gigabits, "share": 1}
    assert path(0.85 * full)["link"]["gigabits"] == gigabits
    assert path(1.001 * full)["link"] is None
    assert path(0.849 * full)["link"] is None


@pytest.mark.parametrize(
    ("capacity", "is_told"), [(None, True), (125e6, False), (148e6, True), (147e6, False)]
)
def test_a_link_is_told_only_where_it_is_less_than_the_card(capacity, is_told):
    assert (path(125e6, capacity=capacity)["link"] is not None) == is_told


@pytest.mark.parametrize(("busy", "n"), [(89.9, 1), (90.0, 0)])
def test_disks_are_idle_below_the_share_at_which_they_are_full(busy, n):
    own = (usage("A", "disk_read", 1e8), usage("A", "disk_busy", busy, "%"), usage("B", "disk_read", 1e8))
    (found,) = told(seeded(None, *own, limiter=LIMITED))
    assert len(found.facts["idle"]) == n


def test_what_disks_did_at_most_is_that_of_another_seeding_where_it_is_more():
    own = (usage("A", "disk_read", 1e8), usage("A", "disk_busy", 40, "%"))
    others = [seeded(operation(2), usage("A", "disk_read", rate, window=2)) for rate in (2e8, 9e7)]
    elsewhere = seeded(operation(3), usage("B", "disk_read", 9e8), usage("A", "disk_written", 9e8))
    (found,) = told(seeded(None, *own, limiter=LIMITED), *others, elsewhere)
    (idle,) = found.facts["idle"]
    assert (idle["most"], idle["number"], idle["verb"], idle["busy"]) == (2e8, 2, "read", 0.4)
    (found,) = told(seeded(None, *own, limiter=LIMITED), others[1])
    assert found.facts["idle"][0]["number"] is None


def side(disk_ms: int | None, network_ms: int | None, role: str = SOURCE) -> Side:
    return Side(
        role, "A", copy_start=at(1), copy_end=at(101), disk_wait_ms=disk_ms, network_wait_ms=network_ms
    )


@pytest.mark.parametrize(
    ("disk_ms", "network_ms", "dominant"),
    [
        (0, 19_999, SMALL), (0, 20_000, NETWORK), (60_000, 40_000, "disk"), (59_999, 40_001, MIXED),
        (40_000, 60_000, NETWORK), (40_001, 59_999, MIXED),
    ],
)  # fmt: skip
def test_what_an_end_mostly_waits_for(disk_ms, network_ms, dominant):
    found = waits_of(side(disk_ms, network_ms), None, LIMITS)
    assert found is not None
    assert found.dominant == dominant


def test_waits_of_an_end_are_told_of_the_time_of_its_own_copy():
    found = waits_of(side(10_000, 30_000), 50, LIMITS)
    assert found == Waits(SOURCE, "A", 10_000, 30_000, 0.25, 0.4, NETWORK)
    unknown = Side(SOURCE, "A", disk_wait_ms=10_000, network_wait_ms=30_000)
    assert waits_of(unknown, 50, LIMITS) == replace(found, of_copy=0.8)
    assert waits_of(unknown, None, LIMITS) is None
    for missing in (side(None, 1), side(1, None)):
        assert waits_of(missing, 50, LIMITS) is None


@pytest.mark.parametrize(
    ("resource", "unit", "percent", "limit"),
    [
        ("card_sent_busy", "%", 89.5, None), ("card_sent_busy", "%", 90, (NETWORK, "")),
        ("disk_busy", "%", 89.5, None), ("disk_busy", "%", 90, ("disk", SOURCE)),
    ],
)  # fmt: skip
def test_a_resource_is_full_from_90_percent_on(resource, unit, percent, limit):
    found = judge(operation(), [usage("A", resource, percent, unit)], LIMITS)
    assert found.limit == limit
    assert bool(found.saturated) == bool(limit)


@pytest.mark.parametrize(("percent", "n"), [(94.9, 0), (95, 1)])
def test_processors_are_near_their_limit_from_95_percent_on(percent, n):
    assert len(judge(operation(), [usage("A", "cpu", percent, "%")], LIMITS).busy_cpu) == n


def test_nothing_that_may_be_the_limit_has_a_confidence():
    full = [usage("A", "card_sent_busy", 99, "%"), usage("A", "disk_busy", 99, "%")]
    found = judge(operation(), full, LIMITS)
    assert (found.limit, found.confidence, found.reason.name) == (None, 0.0, "several_full")


# Slots and standstills.


def stall(seconds: float, state: str = SLOT, **more: Any) -> Stall:
    return Stall(operation(), Side(SOURCE, "A"), state, at(0), at(seconds), is_over=True, **more)


@pytest.mark.parametrize(("seconds", "n"), [(9.9, 0), (10, 1)])
def test_a_wait_for_a_slot_is_told_from_ten_seconds_on(seconds, n):
    assert len(told(seeded(slot=stall(seconds)))) == n


def test_a_wait_that_is_a_standstill_is_told_as_that_alone():
    slot = stall(1000)
    assert told(seeded(slot=slot, stall=slot)) == []
    (found,) = told(seeded(slot=slot, stall=slot), by=outcomes.of_outcomes)[1:]
    assert found.said == "stalled.slot"


def test_a_wait_is_measured_to_a_tenth_of_a_second():
    (found,) = told(seeded(slot=stall(49.04)))
    assert values(found) == {"time in LIMIT_CONCURRENT_BACKUPS": 49.0}
    assert found.facts["share"] == pytest.approx(49.04 / 110)


@pytest.mark.parametrize(("seconds", "n"), [(899, 0), (900, 1)])
@pytest.mark.parametrize("state", ["PENDING", "CHECK_IF_SEEDING_NEEDED", "SENDING_FILE_LIST"])
def test_a_state_before_the_copy_stands_still_from_a_quarter_of_an_hour_on(state, seconds, n):
    pending = Side(SOURCE, "A", states=(State(at(0), state, at(seconds), at(seconds)),))
    assert len(slots.stalls([operation(source=pending)], {}, LIMITS)) == n


def test_a_long_copy_in_steady_progress_is_no_standstill():
    copying = Side(SOURCE, "A", states=(State(at(0), "SEEDING", at(9000), at(9000)),))
    assert slots.stalls([operation(source=copying)], {}, LIMITS) == {}


@pytest.mark.parametrize(("seconds", "beside", "n"), [(899, (), 0), (900, (), 1), (900, ("a backup",), 0)])
def test_a_wait_for_a_slot_that_nothing_holds_is_a_standstill(seconds, beside, n):
    ran = tuple(Beside(what, at(0), at(9), "ERRORLOG of A") for what in beside)
    assert len(slots.stalls([operation()], {1: stall(seconds, beside=ran)}, LIMITS)) == n


@pytest.mark.parametrize(
    ("other", "n"),
    [
        ({"copy_start": at(99), "copy_end": at(200)}, 1),
        ({"copy_start": at(100), "copy_end": at(200)}, 0),
        ({"copy_start": at(-50), "copy_end": at(1)}, 1),
        ({"copy_start": at(-50), "copy_end": at(0)}, 0),
        ({"copy_start": at(50), "copy_end": None, "end": None}, 1),
        ({"copy_start": None, "copy_end": at(50)}, 0),
        ({"copy_start": at(50), "source": Side(SOURCE, "C"), "target": Side(TARGET, "D")}, 0),
        ({"copy_start": at(50), "source": Side(SOURCE, "C"), "target": Side(TARGET, "A")}, 1),
        ({"copy_start": at(50), "source": Side(SOURCE, None), "target": Side(TARGET, None)}, 0),
    ],
)  # fmt: skip
def test_a_slot_is_held_by_another_seeding_of_the_host_that_copies_meanwhile(other, n):
    wait = stall(100)
    found = slots._beside(wait, [wait.operation, operation(2, **{"database": "Stock"} | other)], [])
    assert [each.what for each in found] == ["seeding of Stock"] * n


@pytest.mark.parametrize(
    ("backup", "n"),
    [
        ({}, 1),
        ({"host_id": "B"}, 0),
        ({"start": at(100)}, 0),
        ({"end": at(0)}, 0),
        ({"media": "VIRTUAL_DEVICE"}, 1),
        ({"media": "VIRTUAL_DEVICE", "database": "SALES"}, 0),
        ({"media": "DISK", "database": "Sales"}, 1),
    ],
)
def test_a_slot_is_held_by_a_backup_of_the_host_that_is_not_the_seeding_itself(backup, n):
    row = {"host_id": "A", "media": "DISK", "database": "Stock", "start": at(10), "end": at(20)} | backup
    found = slots._beside(stall(100), [], [row])
    assert [(each.what, each.where) for each in found] == [
        (f"backup of {row['database']}", "ERRORLOG of A")
    ] * n  # fmt: skip


# Compression.


def stream(verdict: bool | None, ratio: float | None = 0.25, **more: Any) -> Compressed:
    wire = None if ratio is None else ratio * 10**10
    return Compressed(verdict, ratio, wire, 10**10, None, None, Reason("unseen", {"wire": None}), n=9, **more)


@pytest.mark.parametrize(
    ("judged", "confidence"),
    [
        (stream(None), 0.4),
        (stream(True), 0.75),
        (stream(True, ends=1), 0.75),
        (stream(False, 1.0, ends=2), 0.75),
        (stream(False, 1.0, ends=1), 0.6),
        (replace(stream(True), trace_flag=True), 0.95),
        (replace(stream(True), trace_flag=False), 0.75),
        (replace(stream(False, 1.0), trace_flag=False), 0.95),
    ],
)
def test_a_stream_is_as_surely_compressed_as_bytes_and_flag_agree(judged, confidence):
    (found,) = [each for each in told(seeded(compressed=judged)) if each.id == "seeding.compression"]
    assert found.confidence == confidence


@pytest.mark.parametrize(
    ("judged", "outcome"),
    [(stream(True, None), "completed"), (replace(stream(True), wire_bytes=None), "completed"),
     (stream(True), "failed")],
)  # fmt: skip
def test_nothing_is_said_of_a_stream_that_was_not_measured_or_did_not_arrive(judged, outcome):
    assert told(seeded(operation(outcome=outcome), compressed=judged)) == []


def test_what_a_stream_is_judged_by_is_its_evidence():
    judged = replace(stream(True, 0.25), flag_says=False, trace_flag=True, flag_source="ERRORLOG of A")
    (found,) = told(seeded(compressed=judged))
    assert found.facts["fewer"] == "4.0"
    assert values(found) == {
        "wire bytes of the copy": 2_500_000_000, "bytes of the database copied": 10**10,
        "bytes on the wire per byte of the database": 0.25, "trace flag 9567": "on",
        "is_compression_enabled": 0,
    }  # fmt: skip


def compared(seconds: float, now: float, then: float) -> Verdict:
    """Compare a compressed copy with an uncompressed one of 100 s; processors in % of 4 cores."""
    cores = Cores(4, "ERRORLOG")
    base = seeded(operation(), usage("A", "cpu", then, "%", cores=cores), compressed=stream(False, 1.0))
    own = operation(2, copy_start=at(300), copy_end=at(300 + seconds))
    worked = usage("A", "cpu", now, "%", cores=cores, window=2)
    made = told(base, seeded(own, worked, compressed=stream(True)))
    (found,) = [each for each in made if each.number == 2]
    return found


@pytest.mark.parametrize(
    ("seconds", "pace"), [(100 / 1.05, "faster"), (100 / 1.04, "same"), (104, "same"), (105, "slower")]
)
def test_a_compressed_copy_is_faster_or_slower_by_five_percent(seconds, pace):
    assert compared(seconds, 40, 40).facts["pace"] == pace


@pytest.mark.parametrize(("now", "more"), [(42, []), (42.1, ["A"])])
def test_compression_takes_more_work_by_five_percent(now, more):
    found = compared(50, now, 40)
    assert (found.facts["more"], found.facts["known"]) == (more, ["A"])
    assert found.facts["times"] == "2.0"


@pytest.mark.parametrize("other", [{"database": "Stock"}, {"target": Side(TARGET, "C")}, {"database": None}])
def test_a_copy_is_compared_with_one_of_the_same_database_between_the_same_hosts(other):
    base = seeded(operation(**other), compressed=stream(False, 1.0))
    own = operation(2, database=other.get("database", "Sales") if "database" not in other else None)
    found = [each for each in told(base, seeded(own, compressed=stream(True))) if each.number == 2]
    assert [each.facts["base"] for each in found] == [None]


# How long it took.


@pytest.mark.parametrize(
    ("first", "last", "seconds"),
    [(0, 480, 480), (5, 5, 0), (10, 5, None), (0, None, None), (None, 480, None)],
)
def test_times_as_exported_tell_how_long_it_took_where_nothing_else_does(first, last, seconds):
    exported = Side(
        SOURCE, "A", start_written=None if first is None else at(first),
        end_written=None if last is None else at(last),
    )  # fmt: skip
    nothing = dict.fromkeys(("start", "end", "copy_start", "copy_end"))
    own = seeded(operation(source=exported, **nothing))
    assert (own.lasted, own.is_whole) == (seconds, seconds is not None)
    assert seeded(operation(source=exported)).lasted == 110
    assert seeded(operation(**nothing | {"start": at(0)})).lasted is None


@pytest.mark.parametrize(("more", "is_whole"), [({}, True), ({"start": at(1), "end": at(101)}, False)])
def test_a_seeding_is_seen_as_a_whole_where_more_than_its_copy_was(more, is_whole):
    assert seeded(operation(**more)).is_whole == is_whole


def test_states_are_summed_by_name_and_those_of_moments_are_left_out():
    states = tuple(
        State(at(begin), name, None if end is None else at(end), None)
        for begin, name, end in ((0, "A", 1), (1, "B", 1.4), (2, "A", 3), (4, "C", 4.5), (9, "D", None))
    )
    own = seeded(operation(source=Side(SOURCE, "A", states=states)))
    assert own.states == [("A", {"A": 2.0, "C": 0.5})]


# Failures that are alike.


def series(*ways: dict[str, Any]) -> list[int]:
    """Give how long the series are of five failures in each of some ways."""
    refused = (Failure(203, "Request Denied", at(9), "event of B"),)
    rows = [{"outcome": "failed", "failures": refused} | way for way in ways for _ in range(5)]
    found = Study(tuple(seeded(operation(n, **row)) for n, row in enumerate(rows, 1)), LIMITS)
    return [len(each) for each in alike(found)]


@pytest.mark.parametrize(
    ("other", "lengths"),
    [
        ({}, [10]), ({"database": "SALES"}, [10]), ({"database": "Stock"}, [5, 5]),
        ({"target": Side(TARGET, "C")}, [5, 5]), ({"outcome": "cut_off"}, [5, 5]), ({"failures": ()}, [5, 5]),
        ({"outcome": "running"}, [5]),
    ],
)  # fmt: skip
def test_failures_are_alike_of_one_database_between_the_same_ends_for_the_same_reasons(other, lengths):
    assert series({}, other) == lengths


def test_a_database_without_a_name_is_known_by_its_guid():
    nameless = {"database": None}
    assert series(nameless | {"database_guid": "g1"}, nameless | {"database_guid": "g2"}) == [5, 5]


@pytest.mark.parametrize(("n", "is_series"), [(4, False), (5, True)])
def test_failures_are_a_series_from_the_fifth_on(n, is_series):
    rows = tuple(seeded(operation(k, outcome="failed")) for k in range(n))
    assert bool(alike(Study(rows, LIMITS))) == is_series


def test_failures_that_a_later_seeding_mended_are_apart_from_those_that_nothing_did():
    failed = [operation(n, outcome="failed") for n in (*range(1, 6), *range(7, 12))]
    found = Study(tuple(map(seeded, [*failed, operation(6)])), LIMITS)
    assert sorted(len(each) for each in alike(found)) == [5, 5]
    mended = found.mended(failed[0])
    assert mended is not None
    assert mended.number == 6
    assert found.mended(failed[-1]) is None


# Figures that contradict each other.


def against(
    own: Operation | None = None, *usages: Usage, of: Compressed = UNDECIDED, **more: Any
) -> list[str]:
    found = contradictions.find(own or operation(), usages, of, LIMITS, **more)
    return [each.kind for each in found]


@pytest.mark.parametrize(
    ("flag", "ratio", "wire", "kinds"),
    [
        (False, 0.79, 7.9e9, ["wire"]), (False, 0.8, 8e9, []), (True, 0.5, 5e9, []), (None, 0.5, 5e9, []),
        (False, None, 5e9, []), (False, 0.5, None, []),
    ],
)  # fmt: skip
def test_a_stream_with_the_flag_off_cannot_be_smaller_than_the_database(flag, ratio, wire, kinds):
    of = Compressed(None, ratio, wire, 10**10, None, flag, Reason("unseen"))
    assert against(of=of) == kinds


@pytest.mark.parametrize(
    ("rate", "kinds"), [(89.9e6, ["disk_short"]), (90e6, []), (130e6, []), (130.1e6, ["disk_excess"])]
)
def test_disks_move_what_was_copied_within_their_margins(rate, kinds):
    assert against(operation(), usage("A", "disk_read", rate)) == kinds
    assert against(operation(), usage("B", "disk_written", rate)) == kinds
    assert against(operation(), usage("A", "disk_written", rate)) == []
    assert against(operation(), usage("A", "disk_read", rate, n=2)) == []


def test_beside_another_copy_disks_may_move_more():
    assert against(operation(), usage("A", "disk_read", 2e8), is_alone=False) == []
    assert against(operation(), usage("A", "disk_read", 2e7), is_alone=False) == ["disk_short"]


@pytest.mark.parametrize("unknown", [{"outcome": "failed"}, {"copy_end": None}, {"copied_bytes": None}])
def test_nothing_contradicts_a_copy_that_is_not_known(unknown):
    assert against(operation(**unknown), usage("A", "disk_read", 2e7)) == []


@pytest.mark.parametrize(
    ("sent", "got", "kinds"),
    [(100, 90, []), (100, 89, ["ends"]), (90, 100, []), (89, 100, ["ends"]), (None, 10, []), (10, None, [])],
)
def test_both_ends_transferred_as_much_within_a_tenth(sent, got, kinds):
    ends = {
        "source": Side(SOURCE, "A", transferred_bytes=sent),
        "target": Side(TARGET, "B", transferred_bytes=got),
    }
    assert against(operation(**ends)) == kinds


# Rates, work and redo as evidence.


def test_work_and_load_of_an_end_are_told_in_one_decimal():
    busy = usage("A", "cpu", 40.04, "%", cores=Cores(4, "ERRORLOG"))
    found = vd.of_processors(seeded(None, busy))
    assert [(each.label, each.value) for each in found] == [
        ("processors of the source during the copy", 40.0),
        ("processor work of the source per GB of the database", 16.02),
    ]
    assert found[1].source.startswith("40.0 % of 4 cores (ERRORLOG) for 1 min 40 s, over 10 GB")
    assert len(vd.of_processors(seeded(None, replace(busy, cores=None)))) == 1


def test_a_copy_is_told_by_bytes_time_and_rate_with_the_percentiles_that_are_known():
    known = Rates(100_000_000.4, 1e7, 9e7, 2e8, 9, "progress of A")
    made = vd.of_copy(seeded(operation(copy_end=at(101.04)), rates=known))
    assert [(each.label, each.value) for each in made] == [
        ("bytes of the database copied", 10**10), ("time of the copy", 100.0),
        ("mean rate of the copy", 100_000_000), ("rate, p5", 10_000_000), ("rate, p50", 90_000_000),
        ("rate, p95", 200_000_000),
    ]  # fmt: skip
    assert made[-1].source == "progress of A, n = 9"
    bare = operation(copied_bytes=None, copy_end=None)
    assert vd.of_copy(seeded(bare, rates=Rates(None))) == []


def test_redo_is_told_by_its_mean_its_most_and_its_workers():
    redo, queue = usage("B", "redo", 12e6, highest=2e7), usage("B", "recovery_queue", 1, highest=5e6)
    idle = usage("B", "redo", 0)
    workers = tuple({"host": "B", "time": at(102), "event": f"event {n}", "workers": n} for n in range(4))
    own = seeded(redo=(redo, queue, idle), catching_up=redo, catchup_s=9.04, parallel=workers)
    assert [(each.label, each.value) for each in vd.of_redo(own)] == [
        ("time in CATCHUP", 9.0), ("redo after the copy", 12_000_000),
        ("redo after the copy, highest", 20_000_000), ("recovery queue after the copy, highest", 5_000_000),
        ("parallel redo event 0", "0 workers"), ("parallel redo event 1", "1 workers"),
    ]  # fmt: skip


@pytest.mark.parametrize(("seconds", "n"), [(40, 0), (41, 1), (170, 1), (171, 0)])
def test_parallel_redo_is_that_of_the_target_from_a_minute_before_to_a_minute_after(seconds, n):
    rows = {("B", "sales"): [{"time": at(seconds)}]}
    assert len(study._around(rows, operation())) == n
    for unknown in ({"target": Side(TARGET, None)}, {"copy_end": None, "start": None}, {"end": None}):
        assert study._around({**rows, (None, "sales"): [{"time": at(100)}]}, operation(**unknown)) == ()


@pytest.mark.parametrize(
    ("more", "window"),
    [
        ({}, (at(101), at(170))),
        ({"end": None}, (at(101), at(161))),
        ({"end": at(90)}, (at(101), at(161))),
        ({"copy_end": None}, None),
        ({"outcome": "failed"}, None),
    ],
)
def test_redo_is_looked_at_until_a_minute_after_the_seeding(more, window):
    found = [(each.start, each.end) for each in study.after_copy(operation(**more))]
    assert found == ([] if window is None else [window])


def test_the_name_of_an_end_in_a_subject_is_cut_at_sixty_characters():
    long = operation(source=Side(SOURCE, "A" * 80))
    assert len(seeded(long).subject["source"]) == 60


@pytest.mark.parametrize(
    ("source", "target", "names"),
    [
        (Side(SOURCE, "A"), Side(TARGET, "B"), ("A", "B")),
        (Side(SOURCE, None), Side(TARGET, "B", remote="A2"), ("A2", "B")),
        (Side(SOURCE, "A", remote="B2"), Side(TARGET, None), ("A", "B2")),
        (Side(SOURCE, None), Side(TARGET, None), ("the source", "the target")),
    ],
)
def test_an_end_is_called_by_its_host_else_as_the_other_end_calls_it(source, target, names):
    own = seeded(operation(source=source, target=target))
    assert (own.end(SOURCE), own.end(TARGET)) == names


# The titles of figures say what they show.


def test_redo_is_titled_by_what_it_reached_while_the_target_caught_up():
    caught = seeded(catching_up=usage("B", "redo", 12e6), parallel=({"workers": 4},))
    assert figures._redo_title([seeded(), caught]) == (
        "Mean redo while the target caught up, seeding 1: 12 MB/s with 4 threads"
    )
    assert figures._redo_title([seeded()]) == "Redo after each copy"
    assert figures._redo_title([]) == "Redo after a copy was not captured"


def test_waits_are_titled_by_what_limits():
    waited = Limiter(None, 0, Reason("waits_alone"), (Waits(SOURCE, "A", 1, 2, 0.5, 0.5, MIXED),))
    titles = [
        figures.waits(Study(found, LIMITS)).layout.title.text
        for found in ((seeded(limiter=LIMITED), seeded()), (seeded(limiter=waited),), (seeded(),))
    ]
    assert titles == [
        "Limited: seeding 1 by the network between A and B",
        "What each end waited for; no limit is shown",
        "Waits were captured on neither end",
    ]
