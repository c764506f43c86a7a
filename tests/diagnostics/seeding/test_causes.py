"""What held seedings back, what a slot and compression cost, and how sure that is: made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.seeding.causes import of_causes
from agtrace.diagnostics.seeding.contradictions import RATE, TOO_LITTLE, TOO_MUCH, Contradiction
from agtrace.diagnostics.seeding.limits import DISK, NETWORK, Limiter, Waits
from agtrace.diagnostics.seeding.rows import Stall, StallBeside
from agtrace.diagnostics.seeding.study import SLOT, Seeded
from agtrace.diagnostics.seeding.verdict import Verdict
from agtrace.history.seedings import SOURCE, TARGET, XEL, Reason
from tests.diagnostics.seeding.cases import at
from tests.diagnostics.seeding.made import compressed, moments, operation, seeded, side, stall, study, usage
from tests.folded import folded

NETWORK_FULL = Limiter((NETWORK, ""), 0.8, Reason("waits_alone"))


def only(*found: Seeded, of: str, **more: Any) -> Verdict | None:
    """The one verdict of a kind on the first of some seedings."""
    made = [each for each in of_causes(study(*found, **more)) if each.id == of]
    own = [each for each in made if each.number == found[0].operation.number]
    assert len(own) <= 1
    return own[0] if own else None


def shown(verdict: Verdict) -> list[tuple[str, Any, str]]:
    return [(each.label, each.value, each.source) for each in verdict.evidence]


def network(*usages: Any, limiter: Limiter = NETWORK_FULL, others: tuple[Seeded, ...] = ()) -> dict[str, Any]:
    found = only(seeded(*usages, limiter=limiter), *others, of="seeding.network_limited")
    assert found is not None
    assert (found.said, found.confidence) == ("limited.network", 0.8)
    return dict(found.facts)


@folded(
    ("rate", "capacity", "link"),
    [
        (1.25e8, None, 1),
        (1.0625e8, None, 1),  # 85 % of it
        (1.06e8, None, None),
        (1.251e8, None, None),
        (1.2e9, 1.25e9, None),  # its own
        (1.2e8, 1.25e9, 1),
        (1.2e8, 1.4e8, None),  # a card that carries little more
        (1.2e7, None, 0.1),
        (3e8, None, 2.5),
        (6e8, None, 5),
        (1.1e9, None, 10),
        (2.8e9, None, 25),
        (4.5e9, None, 40),
        (5.6e9, None, 50),
        (1.2e10, None, 100),
    ],
)
def test_a_rate_that_a_link_for_sale_would_carry_names_it(rate, capacity, link):
    told = network(usage("A", "network_sent", rate, capacity=capacity))["link"]
    assert (told and told["gigabits"]) == link
    assert told is None or told["share"] == rate / (link * 1.25e8)


def test_a_card_that_is_full_is_that_link():
    sent, busy = usage("A", "network_sent", 1.2e8), usage("A", "card_sent_busy", 96)
    full = replace(NETWORK_FULL, saturated=(((NETWORK, ""), busy),))
    told = network(sent, busy, limiter=full)
    assert (told["is_full"], told["link"], told["card"], told["busy"]) == (True, None, sent, busy)
    assert told["card_end"] == "A"
    other = replace(NETWORK_FULL, saturated=(((DISK, SOURCE), usage("A", "disk_busy", 96)),))
    told = network(sent, busy, limiter=other)
    assert (told["is_full"], told["link"]["gigabits"]) == (False, 1)


def test_the_card_of_the_target_tells_where_that_of_the_source_was_not_captured():
    told = network(usage("B", "network_received", 1.2e8))
    assert (told["card_end"], told["link"]["gigabits"], told["busy"]) == ("B", 1, None)
    assert network()["card"] is None


def test_disks_that_were_not_full_are_told_with_what_they_did_in_another_copy():
    read, idle = usage("A", "disk_read", 5e7), usage("A", "disk_busy", 20)
    faster = seeded(usage("A", "disk_read", 9e7, window=2), of=operation(2))
    slower = seeded(usage("A", "disk_read", 4e7, window=3), of=operation(3))
    elsewhere = seeded(usage("B", "disk_read", 9e9, window=4), of=operation(4))
    told = {"end": "A", "verb": "read", "rate": 5e7, "busy": 0.2}
    assert network(read, idle)["idle"] == [told | {"most": 5e7, "number": None}]
    assert network(read, idle, others=(slower, elsewhere))["idle"] == [told | {"most": 4e7, "number": None}]
    assert network(read, idle, others=(faster, slower))["idle"] == [told | {"most": 9e7, "number": 2}]


@pytest.mark.parametrize(
    ("usages", "told"),
    [
        ((("A", "disk_read", 5e7), ("A", "disk_busy", 89.9)), ["read"]),
        ((("A", "disk_read", 5e7), ("A", "disk_busy", 90)), []),
        ((("A", "disk_read", 5e7),), []),
        ((("A", "disk_busy", 5),), []),
        ((("B", "disk_written", 5e7), ("B", "disk_busy", 5)), ["wrote"]),
    ],
)
def test_disks_count_as_idle_below_the_share_of_a_full_one(usages, told):
    assert [each["verb"] for each in network(*(usage(*each) for each in usages))["idle"]] == told


@pytest.mark.parametrize(("kind", "sure"), [(TOO_LITTLE, 0.75), (TOO_MUCH, 0.8), ("", 0.8)])
def test_a_disk_whose_own_bytes_fall_short_of_the_copy_is_doubted(kind, sure):
    held = Limiter((DISK, TARGET), 0.8, Reason("waits_alone"))
    against = (Contradiction(kind, {}, ()),) if kind else ()
    wrote, busy = usage("B", "disk_written", 5e7), usage("B", "disk_busy", 95)
    found = only(seeded(wrote, busy, limiter=held, contradictions=against), of="seeding.disk_limited")
    assert found is not None
    assert (found.said, found.confidence, found.subject["host"]) == ("limited.disk", sure, "B")
    told = {name: found.facts[name] for name in ("role", "end", "doubted", "moved", "busy")}
    assert told == {
        "role": TARGET, "end": "B", "doubted": kind == TOO_LITTLE, "moved": wrote, "busy": busy
    }  # fmt: skip


def waiting(seconds: float, *beside: StallBeside) -> Stall:
    """A wait of the source for a slot."""
    return stall(SLOT, seconds, beside=[*beside])


def test_a_wait_for_a_slot_names_what_ran_meanwhile():
    wait = waiting(40.04, StallBeside("seeding of HR", at(1), at(39), "A"))
    of = operation(told_by=frozenset({XEL}))
    found = only(seeded(of=of, slot=wait), of="seeding.waiting_for_slot", logged=frozenset({"A"}))
    assert found is not None
    assert (found.confidence, found.severity, found.facts["share"]) == (0.9, "notice", 0.4004)
    assert shown(found) == [
        ("time in LIMIT_CONCURRENT_BACKUPS", 40.0, "Extended Events, A"),
        ("ran meanwhile", "seeding of HR", "A"),
    ]
    told = {name: found.facts[name] for name in ("wait", "host_name", "is_logged", "is_hushed")}
    assert told == {"wait": wait, "host_name": "A", "is_logged": True, "is_hushed": False}


def test_a_wait_beside_nothing_is_told_with_less_certainty_and_no_share_of_an_unknown_time():
    found = only(seeded(of=operation(end=None), slot=waiting(20.26)), of="seeding.waiting_for_slot")
    assert found is not None
    assert (found.confidence, found.severity, found.facts["share"]) == (0.6, "info", None)
    assert shown(found)[0][1] == 20.3


@pytest.mark.parametrize(
    ("stream", "of"),
    [
        (compressed(False), operation()),
        (compressed(False, 1.0, wire_bytes=None), operation()),
        (replace(compressed(False, 1.0), ratio=None), operation()),
        (compressed(False, 1.0), operation(outcome="failed")),
    ],
)
def test_compression_is_judged_of_copies_that_completed_and_whose_bytes_are_known(stream, of):
    assert only(seeded(of=of, stream=stream), of="seeding.compression") is None


@pytest.mark.parametrize(
    ("limit", "is_network"), [((NETWORK, ""), True), ((DISK, SOURCE), False), (None, False)]
)
def test_compression_is_told_with_whether_the_network_held_the_copy_back(limit, is_network):
    held = Limiter(limit, 0.8, Reason("none_full"))
    found = only(seeded(limiter=held, stream=compressed(True, 0.3)), of="seeding.compression")
    assert found is not None
    assert found.facts["is_network"] is is_network


def test_the_evidence_of_compression():
    stream = compressed(
        True, 0.31234, trace_flag=True, flag_source="DBCC", flag_says=True, wire_bytes=3123400000.4
    )
    of = operation(told_by=frozenset({XEL}), bytes_source="")
    found = only(seeded(of=of, stream=stream), of="seeding.compression")
    assert found is not None
    assert shown(found) == [
        ("wire bytes of the copy", 3123400000, "perfmon, A, sent, n = 20"),
        ("bytes of the database copied", 10_000_000_000, "Extended Events"),
        ("bytes on the wire per byte of the database", 0.312, "both"),
        ("trace flag 9567", "on", "DBCC"),
        ("is_compression_enabled", 1, "Extended Events"),
    ]
    found = only(seeded(stream=replace(stream, trace_flag=False, flag_says=False)), of="seeding.compression")
    assert found is not None
    assert shown(found)[1:2] + shown(found)[3:] == [
        ("bytes of the database copied", 10_000_000_000, "reported"),
        ("trace flag 9567", "off", "DBCC"),
        ("is_compression_enabled", 0, "captures of the case"),
    ]


@pytest.mark.parametrize(
    ("verdict", "flag", "ends", "sure"),
    [(False, False, 1, 0.95), (True, False, 1, 0.75), (False, None, 2, 0.75), (False, True, 1, 0.6)],
)
def test_compression_is_surer_by_its_flag_and_by_both_ends(verdict, flag, ends, sure):
    found = only(
        seeded(stream=compressed(verdict, 0.9, trace_flag=flag, ends=ends)), of="seeding.compression"
    )
    assert found is not None
    assert found.confidence == sure


PACKED = compressed(True, 0.3)
PLAIN = compressed(False, 1.0)


def beside(base: Seeded, own: Seeded | None = None) -> Verdict:
    found = only(own or seeded(stream=PACKED), base, of="seeding.compression")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("base", "is_taken"),
    [
        (seeded(of=operation(2), stream=PLAIN), True),
        (seeded(of=operation(2, database="SALES"), stream=PLAIN), True),
        (seeded(of=operation(2, database="HR"), stream=PLAIN), False),
        (seeded(of=operation(2, database=None), stream=PLAIN), False),
        (seeded(of=operation(2, target=side(TARGET, "C")), stream=PLAIN), False),
        (seeded(of=operation(2), stream=PACKED), False),
        (seeded(of=operation(2), stream=compressed(None, 0.9)), False),
    ],
)
def test_a_compressed_copy_is_compared_with_an_uncompressed_one_between_the_same_hosts(base, is_taken):
    assert (beside(base).facts["base"] is base) is is_taken


@pytest.mark.parametrize(
    ("then", "pace", "times"),
    [
        (105.0, "faster", "1.1"),
        (104.9, "same", "1.0"),
        (95.3, "same", "1.0"),
        (95.2, "slower", "1.0"),
        (200.0, "faster", "2.0"),
        (None, None, ""),
    ],
)
def test_how_much_faster_than_the_uncompressed_copy(then, pace, times):
    end = None if then is None else at(then)
    facts = beside(seeded(of=operation(2, copy_end=end), stream=PLAIN)).facts
    assert (facts["pace"], facts["times"]) == (pace, times)


def test_what_processors_worked_for_it_where_both_copies_tell():
    own = seeded(
        usage("A", "cpu", 40, cores=4), usage("B", "cpu", 20, cores=4), stream=PACKED
    )  # fmt: skip
    base = seeded(
        usage("A", "cpu", 20, cores=4, window=2), usage("B", "cpu", 19.1, cores=4, window=2),
        of=operation(2), stream=PLAIN,
    )  # fmt: skip
    facts = beside(base, own).facts
    assert [(w.end, w.spent, w.had, w.is_more) for w in facts["worked"]] == [
        ("A", "16.0", "8.0", True), ("B", "8.0", "7.6", False)
    ]  # fmt: skip
    assert (facts["known"], facts["more"]) == (["A", "B"], ["A"])


def test_processors_of_unknown_number_are_told_without_their_work():
    own = seeded(usage("A", "cpu", 40), usage("B", "cpu", 20, cores=4), stream=PACKED)
    base = seeded(usage("A", "cpu", 20, cores=4, window=2), of=operation(2), stream=PLAIN)
    facts = beside(base, own).facts
    assert [(w.end, w.now.mean, w.then.mean, w.spent) for w in facts["worked"]] == [("A", 40, 20, None)]
    assert (facts["known"], facts["more"]) == ([], [])


@pytest.mark.parametrize(
    ("kind", "severity"), [(TOO_MUCH, "notice"), (TOO_LITTLE, "warning"), (RATE, "warning")]
)
def test_a_contradiction_is_told_with_its_figures(kind, severity):
    against = Contradiction(kind, {"times": "2.0"}, ())
    found = only(seeded(contradictions=(against,)), of="seeding.contradiction")
    assert found is not None
    assert (found.said, found.severity, found.facts["times"]) == (f"contradiction.{kind}", severity, "2.0")
    assert found.confidence == 0.8


def test_times_of_unknown_zone_are_told_as_they_are_written():
    written = {
        "start_written": moments(0)[0].replace(tzinfo=None),
        "end_written": at(60).replace(tzinfo=None),
    }
    of = operation(
        time_basis="unknown", source=side(SOURCE, "A", **written), target=side(TARGET, "B", **written)
    )
    found = only(seeded(of=of), of="quality.time_zone_unknown")
    assert found is not None
    told = "2024-03-05 12:00:00 to 2024-03-05 12:01:00"
    assert shown(found) == [("times without an offset", told, "sys.dm_hadr_automatic_seeding")]
    assert found.facts["written"] == [told]
    assert found.confidence == 0.9
    bare = only(seeded(of=operation(time_basis="unknown")), of="quality.time_zone_unknown")
    assert bare is not None
    assert shown(bare)[0][1] == "not settled"
    assert only(seeded(), of="quality.time_zone_unknown") is None


@pytest.mark.parametrize(("role", "other", "end"), [(SOURCE, TARGET, "B"), (TARGET, SOURCE, "A")])
def test_waits_of_one_end_leave_two_limits_open(role, other, end):
    waits = (Waits(role, "A", 5000, 80000, 0.06, 0.85, NETWORK),)
    possible = ((NETWORK, ""), (DISK, other))
    found = only(
        seeded(limiter=Limiter(None, 0.0, Reason("one_end"), waits, candidates=possible)),
        of="quality.not_captured",
    )
    assert found is not None
    assert (found.facts["candidates"], found.facts["other"], found.confidence) == (possible, end, 0.9)
    assert (found.facts["card_share"], found.facts["disk_share"]) == (0.9, 0.9)
    assert shown(found)[-1] == (f"waits of the {other}", "not captured", end)
    single = Limiter(None, 0.0, Reason("unconfirmed"), waits, candidates=possible[1:])
    assert only(seeded(limiter=single), of="quality.not_captured") is None
