"""What is told of single servers to the last entry, and what the cause of a failover names of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import failed_over, servers, things
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, reason, restart, state, still, told, watched
from tests.folded import folded

LIMITS = Thresholds()


def entries(found):
    return [(e.label, e.value, e.source) for e in found.evidence]


def test_the_longest_of_slow_reads_is_told_in_seconds_and_one_without_a_length_last():
    rows = [
        event(100, "A", "long_io", text="no length"),
        event(110, "A", "long_io", value=0.05, text="first"),
        event(120, "A", "long_io", value=39_000.0, text="longest"),
    ]
    (found,) = servers.long_io(told(events=rows))
    assert [e[:2] for e in entries(found)] == [("entries", 3), ("longest", 39_000.0), ("its text", "longest")]
    assert (found.facts["longest"], found.facts["asleep"]) == (39.0, 0)
    (found,) = servers.long_io(told(events=rows[:2]))
    assert [e[:2] for e in entries(found)] == [("entries", 2), ("longest", 0.05), ("its text", "first")]
    (found,) = servers.long_io(told(events=rows[:1]))
    assert (found.evidence[1].value, found.facts["longest"]) == (None, None)


def test_what_strained_the_host_of_a_lease_is_a_number_with_its_unit_or_its_text():
    rows = [
        event(50, "A", "processors_busy", value=99.0, unit="%", text="x"),
        event(60, "A", "memory_low", value=7.0, text="y"),
        event(70, "A", "dump", text="a dump"),
        event(100, "A", "lease_expired", ag="AG", text="19407"),
    ]
    (found,) = servers.leases(told(events=rows))
    assert [(e.label, e.value, e.unit) for e in found.evidence] == [
        ("lease expired", "19407", ""), ("processors busy", 99.0, "%"), ("memory low", 7.0, ""),
        ("dump", "a dump", ""),
    ]  # fmt: skip
    assert found.facts["late"] == 0.0


@pytest.mark.parametrize(
    ("kind", "host", "n"), [("replica_state", "A", 0), ("replica_state", "B", 1), ("dump", "A", 1)]
)
def test_a_lease_that_is_noted_as_the_old_primary_leaves_its_role_is_part_of_the_failover(kind, host, n):
    row = failover(
        100, 108, trigger="standstill", cause="standstill", reasons=[reason(400, host, kind, "left")]
    )
    lease = event(430, "A", "lease_expired", ag="AG", text="19407")
    assert len(servers.leases(told([row], [lease]))) == n


def restarted(**more):
    kind, asked = more.pop("kind", "died"), more.pop("asked", None)
    row = restart(kind, asked, 100, gone=150, ready=160, **more)
    (found,) = servers.restarts(told(restarts=(row,), events=[event(0, "A", "ready")]))
    return entries(found)


START = "A/ERRORLOG line 40"
BOUNDS = [("time away, at most", 60.0, START), ("time away, at least", 10.0, START)]
GONE = ("gone at the latest", "2024-03-05 12:02:30.0 UTC", "next start")
SIGN = ("last sign of life", "2024-03-05 12:01:40.0 UTC", "ERRORLOG, A/ERRORLOG")


def test_a_partner_that_missed_it_is_told_last():
    missed = ("missed by a partner", "2024-03-05 12:01:50.0 UTC", "ERRORLOG of B")
    assert restarted(missed_by="B", missed_since=at(110)) == [*BOUNDS, SIGN, GONE, missed]


def stood(limits=LIMITS, events=(), **more):
    row = still("A", 100, 400, **more)
    made = replace(told(events=list(events)), standstills=(row,))
    return [each.facts for each in servers.standstills(made, limits)]


@pytest.mark.parametrize(
    ("gained", "limit", "n"), [(5.0, 5, 1), (-5.0, 5, 1), (4.9, 5, 0), (None, 0.05, 0), (None, 0.1, 0)]
)
def test_a_clock_that_was_set_is_told_from_its_threshold_on(gained, limit, n):
    limits = Thresholds(clock_step_s=limit)
    assert len(stood(limits, kind="clock stepped", clock_gained_s=gained)) == n


@folded(
    ("kind", "gained", "ran_on", "jumped"),
    [
        ("SQL Server silent", 2.0, True, False),
        ("SQL Server silent", -2.0, True, False),
        ("SQL Server silent", 2.1, False, False),
        ("SQL Server silent", None, False, False),
        ("open", 2.1, False, True),
        ("open", 2.0, False, False),
        ("open", -9.0, False, False),
        ("open", None, False, False),
        ("machine paused", 9.0, False, False),
        ("machine paused", 1.0, False, False),
    ],
)
def test_a_tick_count_tells_whether_a_machine_ran_on_or_its_clock_jumped(kind, gained, ran_on, jumped):
    (facts,) = stood(kind=kind, clock_gained_s=gained)
    assert (facts["ran_on"], facts["jumped"]) == (ran_on, jumped)


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [("SQL Server silent", 0.0, 97.0), ("open", 0.0, 97.0), ("machine paused", None, None)],
)
def test_a_sample_of_busy_processors_without_a_share_counts_as_none(kind, low, high):
    busy = [event(80, "A", "processors_busy", value=97.0), event(90, "A", "processors_busy")]
    (facts,) = stood(kind=kind, events=busy)
    assert (facts["is_busy"], facts["busy_low"], facts["busy_high"]) == (True, low, high)


# What a cause names.


def named(*events, stills=(), **more):
    made = replace(told([failover(100, 108, **more)], list(events)), standstills=stills)
    return things.named(made.failovers[0], made)


NOTHING = {
    "no_signal": False,
    "primary": "A", "files": [], "longest": None, "machine_percent": None, "sql_percent": None,
    "other_percent": None, "low": None, "high": None, "still": "", "root": "lease_expired", "at": at(100),
    "back": at(108),
}  # fmt: skip


@pytest.mark.parametrize(
    ("host", "start", "end", "kind", "is_named"),
    [
        ("A", 50, 99, "open", True), ("A", 50, 98.9, "open", False), ("A", 109, 150, "open", True),
        ("A", 109.1, 150, "open", False), ("B", 90, 120, "open", False),
        ("A", 90, 120, "clock stepped", False), ("A", 90, 120, "machine paused", True),
    ],
)  # fmt: skip
def test_a_cause_names_the_standstill_of_the_old_primary_within_a_second_of_it(
    host, start, end, kind, is_named
):
    found = named(stills=(still(host, start, end, kind=kind, seconds_low=7.0, seconds_high=8.0),))
    assert found == NOTHING | ({"low": 7.0, "high": 8.0, "still": kind} if is_named else {})


@pytest.mark.parametrize(("high", "shown"), [(7.9, None), (8.0, 8.0)])
def test_bounds_of_a_standstill_less_than_a_second_apart_are_one_length(high, shown):
    found = named(stills=(still("A", 90, 120, seconds_low=7.0, seconds_high=high),))
    assert (found["low"], found["high"]) == (7.0, shown)


# What came of a failover.


@pytest.mark.parametrize(
    ("mode", "doubled", "severity"),
    [("planned", "critical", "critical"), ("planned", "notice", "info"), ("planned", None, "info"),
     ("forced", "notice", "critical")],
)  # fmt: skip
def test_two_primaries_that_could_both_write_make_their_failover_critical(mode, doubled, severity):
    found = Judged(
        said="two_primaries", id="health.two_primaries", severity=doubled or "", subject={"ag": "AG"},
        evidence=(), confidence=0.9, facts={"entered": state(108, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL")},
    )  # fmt: skip
    made = told([failover(100, 108, mode=mode)])
    assert [each.severity for each in failed_over.failovers(made, LIMITS, [found] if doubled else [])] == [
        severity
    ]


def alone(*events, until=7200.0):
    made = replace(told([failover(100, 108)], list(events)), coverage=watched(B=until))
    (found,) = failed_over.failovers(made, LIMITS)
    return found.facts["alone"], entries(found)[1:2]


def connected(seconds, host="B", **more):
    return event(seconds, host, "connected", **{"replica": "A", "ag": "AG", "text": "established"} | more)


def test_of_a_new_primary_that_nobody_watched_or_knows_nothing_is_known():
    for row, hosts in ((failover(100, 108), {"A": 900}), (failover(100, 108, to=None), {"B": 900})):
        made = replace(told([row]), coverage=watched(**hosts))
        assert failed_over.without_partner(row, made) is None


def test_how_long_a_new_primary_was_alone_is_told_to_the_millisecond():
    source = "ERRORLOG of B, B/ERRORLOG line 7"
    facts, (entry,) = alone(connected(300.1262))
    assert entry == ("time without a partner", 192.126, source)
    assert (facts.seconds, facts.until) == (192.1262, at(300.1262))
    facts, (entry,) = alone(until=300.1262)
    assert entry == ("time without a partner, at least", 192.126, "ERRORLOG, AlwaysOn_health")
    assert (facts.seconds, facts.until) == (192.1262, None)


@folded(
    ("row", "seconds"),
    [
        (connected(300), 192.0),
        (connected(300, ag=None), 192.0),
        (connected(300, ag="OTHER"), 7092.0),
        (connected(300, "A", replica="b.contoso.com"), 192.0),
        (connected(300, "A", replica="B\\INST"), 192.0),
        (connected(300, "A", replica="C"), 7092.0),
        (connected(300, "A", replica=None), 7092.0),
        (connected(300, replica=None), 192.0),
    ],
)
def test_a_new_primary_is_alone_until_either_end_of_its_group_connects_with_it(row, seconds):
    assert alone(row)[0].seconds == seconds
