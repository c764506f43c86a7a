"""What became of seedings made by hand, and which failures are told as one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.seeding.limits import Limiter
from agtrace.diagnostics.seeding.outcomes import FEW, alike, decode, decode_all, of_outcomes
from agtrace.diagnostics.seeding.rows import Stall
from agtrace.diagnostics.seeding.study import SLOT, Seeded
from agtrace.diagnostics.seeding.verdict import Verdict
from agtrace.history.seedings import DMV, SOURCE, TARGET, XEL, Failure, Reason, State
from agtrace.measure.usage import CoreLoads
from tests.diagnostics.seeding import made
from tests.diagnostics.seeding.cases import at
from tests.diagnostics.seeding.made import compressed, operation, seeded, side, study, usage
from tests.folded import folded


def only(*found: Seeded, **more: Any) -> Verdict:
    (made,) = of_outcomes(study(*found, **more))
    return made


def shown(verdict: Verdict) -> list[tuple[str, Any, str]]:
    return [(each.label, each.value, each.source) for each in verdict.evidence]


def told(verdict: Verdict) -> tuple[str, str, str, float]:
    return verdict.said, verdict.id, verdict.severity, verdict.confidence


@pytest.mark.parametrize(("by", "sure"), [({XEL}, 0.95), ({XEL, DMV}, 0.95), ({DMV}, 0.85)])
def test_a_seeding_that_completed(by, sure):
    found = only(seeded(of=operation(told_by=frozenset(by))))
    assert told(found) == ("completed", "seeding.completed", "info", sure)


def test_what_is_told_of_a_seeding_that_completed():
    sent = usage("A", "network_sent", 5e7)
    processors = usage("A", "cpu", 40, cores=4), usage("B", "cpu", 20)
    even = CoreLoads(1, "A", {"0": 100.0, "1": 50.0}, 20)
    uneven = CoreLoads(1, "B", {"0": 100.0, "1": 49.0}, 20)
    of = operation(start=at(-100), failures=(Failure(3, "x", None, "XEL"),))
    found = only(
        seeded(
            sent, *processors, of=of, stream=compressed(True, 0.5), catchup_s=0.5, cores=(even, uneven),
            limiter=Limiter(None, 0.0, Reason("none_full"), busy_cpu=processors[1:]),
        )
    )  # fmt: skip
    facts = found.facts
    assert (facts["sent"], facts["mean_on_the_wire"], facts["busy"], facts["catchup"]) == (
        sent, 2.5e7, ["B"], 0.5,
    )  # fmt: skip
    assert facts["processors"] == [("A", processors[0], "16.0"), ("B", processors[1], None)]
    assert facts["cores"] == [
        {"loads": even, "low": 50.0, "high": 100.0, "is_even": True, "worth": "1.5"},
        {"loads": uneven, "low": 49.0, "high": 100.0, "is_even": False, "worth": "1.5"},
    ]
    assert [each.said for each in facts["reasons"]] == ["3"]
    assert shown(found)[:2] == [
        ("time from request to end", 200.0, "captures of the case"),
        ("bytes of the database copied", 10**10, "reported"),
    ]


WIRE = compressed(True, 0.5)


@pytest.mark.parametrize(
    ("usages", "of", "stream", "is_told"),
    [
        ([("A", "network_sent")], operation(start=at(-9)), WIRE, True),
        ([("B", "network_received")], operation(start=at(-9)), WIRE, True),
        ([("A", "network_received")], operation(start=at(-9)), WIRE, False),
        ([("A", "network_sent")], operation(), WIRE, False),
        ([("A", "network_sent")], operation(start=at(-9)), compressed(), False),
        ([("A", "network_sent")], operation(start=at(100), end=at(100)), WIRE, False),
    ],
)
def test_what_the_wire_carried_is_told_beside_the_mean_of_a_whole_seeding(usages, of, stream, is_told):
    rows = [usage(*each, 5e7) for each in usages]
    assert (only(seeded(*rows, of=of, stream=stream)).facts["sent"] is not None) is is_told


@pytest.mark.parametrize(
    ("of", "evidence"),
    [
        (operation(start=at(-100.06)), ("time from request to end", 200.1)),
        (operation(), ("time of what was seen", 100.0)),
        (operation(start=None, end=None), ("outcome", "completed")),
    ],
)
def test_how_long_it_took_as_far_as_that_was_seen(of, evidence):
    found = only(seeded(of=of))
    assert shown(found)[0][:2] == evidence
    rate = found.facts["mean_on_the_wire"]
    assert rate == (None if of.start is None else 0.0)


def failed(number: int, *failures: Failure, **more: Any) -> Seeded:
    given = {"outcome": "failed", "copied_bytes": None} | more
    return seeded(of=operation(number, failures=failures, **given), mean=None)


OUT_OF_DISK = Failure(115, "backup failed", at(90), "XEL of A")


@pytest.mark.parametrize(
    ("of", "severity", "sure"),
    [
        (failed(1, OUT_OF_DISK), "critical", 0.9),
        (failed(1), "critical", 0.9),
        (failed(1, OUT_OF_DISK, outcome="cut_off"), "critical", 0.9),
        (failed(1, outcome="cut_off"), "critical", 0.7),
    ],
)
def test_a_seeding_that_failed_or_was_cut_off(of, severity, sure):
    found = only(of)
    assert told(found) == ("failed", "seeding.failed", severity, sure)
    assert found.facts["is_cut"] is (of.operation.outcome == "cut_off")
    assert (found.facts["n"], found.facts["first"], found.facts["last"]) == (1, at(0), at(100))


def test_reasons_are_told_by_their_number_else_by_their_text():
    found = only(failed(1, OUT_OF_DISK, Failure(None, "odd words", None, "DMV of B")))
    assert [each[1:] for each in shown(found)[:2]] == [(115, "XEL of A"), ("odd words", "DMV of B")]
    assert shown(found)[1][0] == "reason: as reported"
    cut = shown(only(failed(1, outcome="cut_off")))
    assert cut[0] == ("outcome", "cut off", "captures of the case")


def test_the_last_of_many_failures_without_an_end_ends_where_it_began():
    tries = [failed(n, OUT_OF_DISK, start=at(n), end=None) for n in range(1, FEW + 2)]
    assert only(*tries).facts["last"] == at(FEW + 1)


UNREAD = Failure(None, 'Read on "/d/a.mdf" failed: 87(..)', at(1), "ERRORLOG of A, line 4", 3203)
SAME = Failure(None, 'error 3203: Read on "/d/a.mdf" failed: 87(..)', at(1), "DMV of A")


def test_a_file_that_the_source_cannot_read_comes_before_the_state_and_once():
    found = decode_all([OUT_OF_DISK, UNREAD, SAME])
    assert [(each.said, each.failure) for each in found] == [("3203", UNREAD), ("15_source", OUT_OF_DISK)]


def test_failures_of_databases_without_a_name_are_alike_by_their_guids():
    unnamed = [failed(n, database=None, database_guid="AB-1") for n in range(1, FEW + 2)]
    assert alike(study(*unnamed)) == [tuple(unnamed)]
    other = failed(9, database=None, database_guid="CD-2")
    assert alike(study(*unnamed[:-1], other)) == []
    nameless = [failed(n, database=None) for n in range(1, FEW + 2)]
    assert alike(study(*nameless)) == [tuple(nameless)]


def stall(state: str, seconds: float, *, is_over: bool = False, copied: int | None = None) -> Stall:
    return made.stall(state, seconds, is_over=is_over, copied=copied)


RUNNING = operation(outcome="running", end=None, copy_end=None)


@pytest.mark.parametrize(
    ("logged", "sure"), [(frozenset({"A"}), 0.7), (frozenset({"B"}), 0.5), (frozenset(), 0.5)]
)
def test_a_seeding_that_stands_waiting_for_a_slot(logged, sure):
    waits = stall(SLOT, 1000.04)
    found = only(seeded(of=RUNNING, stall=waits, slot=waits), logged=logged)
    assert told(found) == ("stalled.slot", "seeding.stalled", "critical", sure)
    assert shown(found) == [
        ("time in LIMIT_CONCURRENT_BACKUPS without progress", 1000.0, "captures of the case, A"),
        ("other backups or seedings captured meanwhile", 0, "captures of the case"),
    ]
    assert (found.facts["stall"], found.facts["host_name"]) == (waits, "A")


@pytest.mark.parametrize(("is_over", "severity"), [(False, "critical"), (True, "warning")])
def test_a_copy_that_stands(is_over, severity):
    stands = stall("the copy", 1000.26, is_over=is_over, copied=5)
    found = only(seeded(of=RUNNING, stall=stands, slot=stall(SLOT, 5)), logged=frozenset({"A"}))
    assert told(found) == ("stalled.copy", "seeding.stalled", severity, 0.8)
    assert [each[1] for each in shown(found)] == [1000.3]


def test_a_seeding_whose_end_was_not_captured_is_told_with_its_last_state():
    early, late = State(at(1), "PENDING"), State(at(5), "SEEDING")
    of = replace(
        RUNNING, source=side(SOURCE, "A", states=(early, late)), target=side(TARGET, "B", states=(early,))
    )
    found = only(seeded(of=of))
    assert told(found) == ("without_end", "quality.not_captured", "info", 0.9)
    assert shown(found) == [("end of the seeding", "not captured", "captures of the case")]
    assert found.facts["last"] == late
    assert only(seeded(of=RUNNING)).facts["last"] is None


# Reasons.


@folded(
    ("state", "said", "its_side"),
    [
        (0, "0", ""),
        (25, "25", ""),
        (26, "undocumented", ""),
        (100, "0", SOURCE),
        (115, "15_source", SOURCE),
        (215, "15", TARGET),
        (15, "15", ""),
        (225, "25", TARGET),
        (226, "undocumented", TARGET),
        (299, "undocumented", TARGET),
        (300, "undocumented", ""),
        (-1, "undocumented", ""),
        (-100, "undocumented", ""),
    ],
)
def test_the_number_of_a_failure_is_a_reason_and_a_side(state, said, its_side):
    found = decode(Failure(state, "x", None, "XEL"))
    assert (found.said, found.side) == (said, its_side)
    where = f"the {its_side}" if its_side else "both replicas"
    assert (found.facts["where"], found.facts["state"], found.facts["text"]) == (where, state, "x")


@folded(
    ("text", "message", "said"),
    [
        ("An UNRECOVERABLE ERROR happened", None, "19495"),
        ("a transient error", None, "19494"),
        ("on a non-secondary", None, "19505"),
        ("no permission to create databases", None, "19506"),
        ("VDI Client failed", None, "40040"),
        ("seeding already in progress", None, "40684"),
        ("not a replication target", None, "40694"),
        ("", 19495, "19495"),
        ("", 19494, "19494"),
        ("", 19505, "19505"),
        ("", 19506, "19506"),
        ("", 40040, "40040"),
        ("", 40684, "40684"),
        ("", 40694, "40694"),
        ("", 19496, "19496"),
        ("a transient error", 19496, "19496"),
        ("a transient error", 1, "unknown"),
        ("", None, "unknown"),
        ("something else", None, "unknown"),
    ],
)
def test_a_failure_without_a_number_is_known_by_its_message_else_by_its_words(text, message, said):
    assert decode(Failure(None, text, None, "DMV", message)).said == said


def test_reasons_are_told_once_and_those_with_a_number_first():
    texts = [Failure(None, "a", None, "1"), Failure(None, "b", None, "2"), Failure(None, "a", None, "3")]
    numbers = [Failure(115, "x", None, "4"), Failure(115, "y", None, "5"), Failure(15, "x", None, "6")]
    zero = [Failure(0, "p", None, "7"), Failure(0, "q", None, "8")]
    found = decode_all([*texts, *numbers, *zero])
    assert [each.failure.where for each in found] == ["4", "6", "7", "8", "1", "2"]


def test_reasons_that_are_alike_have_the_same_key():
    def key(*given: Any) -> tuple[bool, int, str, str]:
        return decode(Failure(*given)).key

    assert key(115, "x", None, "1") == key(115, "x", at(1), "2") == (False, 115, "15_source", "x")
    assert key(None, "x", None, "1") == (True, 0, "unknown", "x")
