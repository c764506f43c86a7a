"""What is known of a seeding, by what its captures hold: seedings made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from agtrace.diagnostics.seeding import study as module
from agtrace.diagnostics.seeding import summary
from agtrace.diagnostics.seeding import verdict as vd
from agtrace.diagnostics.seeding.causes import of_causes
from agtrace.diagnostics.seeding.limits import DISK, NETWORK, Limiter, Rates, Waits
from agtrace.diagnostics.seeding.outcomes import FEW, of_outcomes
from agtrace.diagnostics.seeding.rows import StallBeside
from agtrace.diagnostics.seeding.study import SLOT, Seeded
from agtrace.history.seedings import SOURCE, TARGET, Reason, State
from agtrace.measure.usage import Window
from tests.diagnostics.seeding.cases import at
from tests.diagnostics.seeding.made import (
    LIMITS,
    compressed,
    operation,
    report,
    seeded,
    side,
    stall,
    study,
    usage,
)
from tests.folded import folded


def test_redo_is_that_of_the_target_where_there_was_any():
    rows = usage("B", "redo", 1), usage("A", "redo", 1), usage("B", "recovery_queue", 0)
    assert seeded(redo=rows).redone == [rows[0]]
    assert seeded(of=operation(target=None), redo=rows).redone == []


STATES = {"states": (State(at(0), "PENDING"),)}
BOTH_WAITS = Limiter(
    None, 0.0, Reason("none_full"),
    (Waits(SOURCE, "A", 1, 1, 0.5, 0.1, "small"), Waits(TARGET, "B", 1, 1, 0.5, 0.1, "small")),
)  # fmt: skip


# The later seeding that mended one.


@folded(
    ("later", "is_mended"),
    [
        (operation(2), True),
        (operation(2, outcome="already_present"), True),
        (operation(2, database="SALES"), True),
        (operation(2, target=side(TARGET, None)), True),
        (operation(2, target=None), True),
        (operation(2, outcome="failed"), False),
        (operation(2, outcome="running"), False),
        (operation(2, database="HR"), False),
        (operation(2, database=None), False),
        (operation(2, target=side(TARGET, "C")), False),
        (operation(2, source=side(SOURCE, "C")), True),
        (operation(0), False),
    ],
)
def test_a_later_seeding_of_the_same_database_and_target_mends_one(later, is_mended):
    first = operation(outcome="failed")
    found = study(seeded(of=first), seeded(of=later))
    assert found.mended(first) == (later if is_mended else None)


def test_the_first_that_mended_it_is_told_whatever_the_order():
    first = operation(1, outcome="failed", database_guid="AB-1")
    by_guid, by_name = operation(4, database=None, database_guid="AB-1"), operation(3)
    found = study(*(seeded(of=each) for each in (operation(5), by_guid, by_name, first)))
    assert found.mended(first) == by_name


# Windows and waits of the copy.


@pytest.mark.parametrize(
    ("of", "window"),
    [
        (operation(), (0, 100)),
        (operation(copy_start=None), None),
        (operation(copy_end=at(0)), None),
        (operation(copy_end=at(-1)), None),
        (operation(copy_end=None), None),
    ],
)  # fmt: skip
def test_the_window_of_a_copy_goes_to_its_last_report_where_it_has_not_ended(of, window):
    want = window and Window(1, at(window[0]), at(window[1]), "Sales")
    assert module._copy(of, {}) == want


def test_a_copy_without_an_end_lasts_to_the_last_report_of_either_end():
    reports = {SOURCE: report(SOURCE, 60), TARGET: report(TARGET, 70)}
    assert module._copy(operation(copy_end=None), reports) == Window(1, at(0), at(70), "Sales")


@pytest.mark.parametrize(
    ("of", "is_seen"),
    [
        (operation(end=at(110)), True),
        (operation(end=at(100)), False),
        (operation(end=None), False),
        (operation(end=at(110), copy_end=None), False),
        (operation(end=at(110), outcome="failed"), False),
    ],
)
def test_the_target_catches_up_from_the_end_of_the_copy_to_that_of_the_seeding(of, is_seen):
    assert module._catching_up(of) == ([Window(-1, at(100), at(110), "Sales")] if is_seen else [])


def test_redo_while_it_catches_up_is_that_of_the_target_in_enough_samples():
    own = usage("B", "redo", 1e6, window=-1)
    assert module._of_target(operation(), [own], LIMITS) is own
    little = usage("B", "redo", 1.0, window=-1)
    assert module._of_target(operation(), [little], LIMITS) is little
    for other in (
        usage("A", "redo", 1e6, window=-1), usage("B", "redo", 1e6), usage("B", "redo", 0, window=-1),
        usage("B", "redo", 1e6, window=-1, n=4), usage("B", "recovery_queue", 1e6, window=-1),
    ):  # fmt: skip
        assert module._of_target(operation(), [other], LIMITS) is None
    assert module._of_target(operation(target=None), [own], LIMITS) is None


def catching(*states: tuple[float, str, float | None]) -> dict[str, Any]:
    return {"states": tuple(State(at(b), name, None if e is None else at(e)) for b, name, e in states)}


@pytest.mark.parametrize(
    ("source", "target", "seconds"),
    [
        ([(0, "CATCHUP", 5)], [(0, "catchup", 7), (9, "CATCHUP", 12)], 10.0),
        ([(0, "CATCHUP", 5)], [(0, "SEEDING", 7)], 5.0),
        ([(0, "CATCHUP", 5)], [(0, "CATCHUP", None)], 5.0),
        ([], [(0, "CATCHUP", None), (1, "CATCHUP", 3)], 2.0),
        ([], [], None),
    ],
)
def test_the_catch_up_is_that_of_the_target_else_of_the_source(source, target, seconds):
    of = operation(
        source=side(SOURCE, "A", **catching(*source)), target=side(TARGET, "B", **catching(*target))
    )
    assert module._catchup(of) == seconds


# What it is told by.


def shown(found: Any) -> list[tuple[str, Any, str, str]]:
    return [(each.label, each.value, each.unit, each.source) for each in found]


def test_the_evidence_of_disks_and_cards():
    own = seeded(
        usage("A", "disk_read", 1.4e8 + 0.6), usage("A", "disk_busy", 12.34), usage("B", "disk_written", 9e7),
        usage("A", "network_sent", 1e8, capacity=1.25e9), usage("B", "network_received", 2e8),
        usage("B", "card_received_busy", 55.55),
    )  # fmt: skip
    assert shown(vd.of_disks(own)) == [
        ("disks of the source, read", 140_000_001, "B/s", "perfmon of A (x), mean, n = 20"),
        ("busiest disk of the source", 12.3, "%", "perfmon of A (x), mean, n = 20"),
        ("disks of the target, written", 90_000_000, "B/s", "perfmon of B (x), mean, n = 20"),
    ]
    of = "(x), mean, n = 20"
    assert shown(vd.of_cards(own)) == [
        ("network of the source", 10**8, "wire B/s", f"perfmon of A {of}: 800 Mb/s of 10.0 Gb/s"),
        ("network of the target", 2 * 10**8, "wire B/s", f"perfmon of B {of}: 1.6 Gb/s"),
        ("busiest card of the target", 55.5, "%", f"perfmon of B {of}"),
    ]


# The pages.


def entries(*found: Seeded) -> dict[str, Any]:
    held = study(*found)
    return summary.answer(held, [*of_outcomes(held), *of_causes(held)])


def test_the_answer_has_an_entry_for_each_seeding():
    wait = stall(SLOT, 40, beside=[StallBeside("x", None, None, "y")])
    one = seeded(
        slot=wait, limiter=Limiter((NETWORK, ""), 0.8, Reason("waits_alone")), stream=compressed(True, 0.3)
    )
    open_ = seeded(of=operation(2))
    failure = seeded(of=operation(3, outcome="failed"), mean=None)
    found = entries(one, open_, failure)
    assert (found["n"], found["counts"]) == (3, [(2, "completed"), (1, "failed")])
    told = [
        (
            each["is_series"], [v.id for v in each["became"]], [v.id for v in each["also"]], each["is_open"],
            len(each["compressed"]), len(each["against"]),
        )
        for each in found["told"]
    ]  # fmt: skip
    assert told == [
        (False, ["seeding.completed"], ["seeding.waiting_for_slot", "seeding.network_limited"], False, 1, 0),
        (False, ["seeding.completed"], [], True, 0, 0),
        (False, ["seeding.failed"], [], False, 0, 0),
    ]
    assert found["most"] == 30


def test_a_series_of_failures_has_one_entry():
    tries = [seeded(of=operation(n, outcome="failed"), mean=None) for n in range(1, FEW + 2)]
    found = entries(*tries)
    assert [(each["is_series"], each["facts"]["operation"].number) for each in found["told"]] == [
        (True, FEW + 1)
    ]
    assert found["counts"] == [(FEW + 1, "failed")]


def test_what_stalled_and_has_no_end_is_told_by_both():
    stands = stall(SLOT, 4000, is_over=False)
    (told,) = entries(seeded(of=operation(outcome="failed"), stall=stands))["told"]
    assert [v.id for v in told["became"]] == ["seeding.failed"]
    assert [v.id for v in told["also"]] == ["seeding.stalled"]


def test_only_seedings_with_states_are_told_over_time():
    with_states = seeded(of=operation(2, source=side(SOURCE, "A", **catching((0, "PENDING", 3)))))
    told = summary.timeline(study(seeded(), with_states))
    assert [each["operation"].number for each in told["told"]] == [2]


@pytest.mark.parametrize(
    ("own", "lacks"),
    [
        (seeded(rates=Rates(1e8, n=3), stream=compressed(True, 0.3)), {}),
        (seeded(stream=compressed(True, 0.3)), {"lacks_rate": True}),
        (seeded(of=operation(copied_bytes=None), stream=compressed(True, 0.3)), {"lacks_copy": True}),
        (seeded(of=operation(copy_start=None), stream=compressed(True, 0.3)), {"lacks_copy": True}),
        (seeded(of=operation(outcome="failed", copied_bytes=None)), {}),
        (seeded(of=operation(outcome="failed", unjoined="two fit.")), {"unjoined": "two fit"}),
    ],
)
def test_what_is_lacking_of_a_seeding(own, lacks):
    none = {"lacks_copy": False, "lacks_rate": False, "undecided": "", "unjoined": ""}
    assert summary._lacking(own) == none | lacks


def test_an_undecided_stream_is_told_of_copies_that_completed():
    open_ = compressed(None, None, reason=Reason("unseen", {"wire": None}))
    own = seeded(rates=Rates(1e8, n=3), stream=open_)
    assert summary._lacking(own)["undecided"]
    assert not summary._lacking(seeded(of=operation(outcome="failed"), stream=open_))["undecided"]


def test_seedings_of_which_nothing_is_lacking_are_not_listed():
    whole = seeded(
        usage("A", "cpu", 1.0), usage("B", "cpu", 1.0),
        of=operation(source=side(SOURCE, "A", **STATES), target=side(TARGET, "B", **STATES)),
        rates=Rates(1e8, n=3), stream=compressed(True, 0.3), limiter=BOTH_WAITS,
    )  # fmt: skip
    told = summary.missing(study(whole, seeded(of=operation(2))), ["x"])
    assert [each["operation"].number for each in told["told"]] == [2]
    assert (told["missing"], told["most"]) == (["x"], 30)


def test_a_disk_limits_one_end():
    (made,) = of_causes(study(seeded(limiter=Limiter((DISK, SOURCE), 0.8, Reason("waits_alone")))))
    assert made.subject["host"] == "A"
