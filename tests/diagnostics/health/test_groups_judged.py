"""What failovers and groups are judged by where something is not known, or two are nearly alike."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import failed_over, groups, not_failed_over
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, recovery, state, still, told, watched
from tests.folded import folded

LIMITS = Thresholds()


def failed(*rows, events=(), doubled=(), limits=LIMITS, **more):
    return failed_over.failovers(replace(told(list(rows), list(events)), **more), limits, doubled)


@pytest.mark.parametrize(("limit", "severity"), [(0.05, "warning"), (0.1, "warning")])
def test_a_failover_whose_length_is_not_known_is_not_long_however_short_that_is(limit, severity):
    (found,) = failed(failover(None, 108), limits=Thresholds(failover_long_s=limit))
    assert found.severity == severity


def test_a_failover_of_which_nothing_is_sure_has_no_confidence_and_is_told_as_seen_first():
    (found,) = failed(failover(100, 108, confidence=None, start_source=None))
    assert (found.confidence, found.facts["is_sure"]) == (0.0, False)
    assert (found.evidence[0].value, found.evidence[0].source) == (8, "what was seen first")
    (found,) = failed(failover(100, 108))
    assert (found.evidence[0].source, found.facts["is_sure"]) == ("state of the old primary", True)


@pytest.mark.parametrize(
    ("from_", "to", "platform"), [("A", "B", "Linux"), ("", "B", "Windows"), ("A", "", "Linux")]
)
def test_the_platform_of_a_failover_is_that_of_the_old_primary_where_it_is_known(from_, to, platform):
    (found,) = failed(failover(100, 108, from_, to), platforms={"A": "Linux", "B": "Windows"})
    assert found.facts["platform"] == platform


@pytest.mark.parametrize(
    ("ag", "seconds", "is_after"),
    [("AG", 106, True), ("AG", 110, True), ("AG", 105.9, False), ("AG", 110.1, False), ("OTHER", 108, False)],
)
def test_two_primaries_came_of_a_failover_of_their_group_that_ended_as_they_began(ag, seconds, is_after):
    row = failover(100, 108)
    doubled = Judged(
        said="two_primaries", id="health.two_primaries", severity="critical", subject={"ag": ag},
        evidence=(), confidence=0.9, facts={"entered": state(seconds, "B", "X", "PRIMARY_NORMAL", ag)},
    )  # fmt: skip
    found = failed_over.after(row, told([row]), [doubled])
    assert found is (doubled if is_after else None)


def role(seconds, name, after="PRIMARY", host="B"):
    return event(seconds, host, "database_role", database=name, before="RESOLVING", after=after)


def test_the_last_database_to_take_its_role_tells_how_late_all_could_be_used():
    events = [
        role(107, "X"),
        role(108, "Sales"),
        role(109, "Stock"),
        role(110, "Sales"),
        role(111, "Y", "RESOLVING"),
        role(112, "Z", host="A"),
    ]
    row = failover(100, 108)
    assert failed_over.usable(row, told([row], events)) == (2, 1.0, events[2])
    assert failed_over.usable(row, told([row])) == (0, 0.0, None)


@pytest.mark.parametrize(
    ("recoveries", "seconds"),
    [
        ([], None),
        ([recovery(107, 3000), recovery(107, 400, database="Stock")], 2900.0),
        ([recovery(90, 107)], None),
        ([recovery(107, 3000, host="A")], None),
        ([recovery(1909, 3000)], None),
    ],
)
def test_clients_wait_until_the_new_primary_has_recovered_its_databases(recoveries, seconds):
    row = failover(100, 108)
    found = failed_over.recovered(row, told([row], recovered=tuple(recoveries)))
    assert (found and found.seconds) == seconds


def flaps(*rows, events=()):
    (found,) = groups.flapping(told(list(rows), list(events)), LIMITS)
    return found.facts


def run(*causes_and_seconds):
    return [
        failover(200 * n, 200 * n + 100, cause=cause, failover_id=n, seconds_without_primary=seconds)
        for n, (cause, seconds) in enumerate(causes_and_seconds, 1)
    ]


def test_failovers_of_unknown_length_left_a_flapping_group_away_for_no_time_that_is_known():
    facts = flaps(*run(("network", None), ("network", None), ("network", None)))
    assert (facts["away"], facts["longest"]) == (0, 0.0)
    facts = flaps(*run(("network", None), ("network", 3.0), ("network", 8.0)))
    assert (facts["away"], facts["longest"]) == (11.0, 8.0)


@pytest.mark.parametrize(
    ("seconds", "at_s"), [((8.0, 9.0), 600), ((9.0, 8.0), 400), ((None, 0.05), 600), ((0.05, None), 400)]
)
def test_of_failovers_of_one_cause_the_longest_is_told(seconds, at_s):
    facts = flaps(*run(("network", 99.0), *(("dump", each) for each in seconds)))
    assert facts["often"]["at"] == at(at_s)


LOST = state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")
OTHER = state(101, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL")


def lost(*events, last=900, **more):
    return groups.no_primary(told(events=sorted(events, key=lambda row: row.time), last=last, **more), LIMITS)


@pytest.mark.parametrize(("seconds", "n"), [(50, 1), (120, 0)])
def test_a_replica_that_becomes_a_secondary_after_the_loss_has_a_primary(seconds, n):
    secondary = state(seconds, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL")
    assert len(lost(LOST, secondary)) == n


COMPARED = {"A": 0.0, "B": 0.0, "C": 0.0}


def reigned(*states, skews=COMPARED, stills=(), events=()):
    rows = [
        state(seconds, host, before, after)._replace(skew_ms=skews.get(host))
        for seconds, host, before, after in states
    ]
    made = told(events=sorted([*rows, *events], key=lambda row: row.time))
    made = replace(made, coverage=watched(A=7200, B=7200, C=7200), standstills=stills)
    return groups.two_primaries(made, LIMITS)


def reign(host, start, end):
    return [
        (start, host, "PRIMARY_PENDING", "PRIMARY_NORMAL"), (end, host, "PRIMARY_NORMAL", "RESOLVING_NORMAL")
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("skews", "n"), [({"A": 0.0, "B": 0.0}, 1), ({"A": 0.0}, 0), ({"B": 0.0}, 0), ({}, 0)]
)
def test_clocks_are_compared_where_both_hosts_were(skews, n):
    found = reigned(*reign("A", 0, 110), *reign("B", 100, 900), skews=skews)
    assert [each.confidence for each in found] == [0.9] * n
    (found,) = reigned(*reign("A", 0, 300), *reign("B", 100, 900), skews=skews)
    assert found.confidence == (0.9 if n else 0.7)


def test_a_primary_that_outlasts_the_one_that_came_after_it_is_beside_the_next_too():
    found = reigned(*reign("A", 0, 500), *reign("B", 100, 200), *reign("C", 300, 900))
    assert [(each.facts["old"], each.facts["new"], each.facts["seconds"]) for each in found] == [
        ("A", "B", 100.0), ("A", "C", 200.0)
    ]  # fmt: skip


def test_a_primary_that_ends_later_is_the_one_that_the_next_is_beside():
    found = reigned(*reign("A", 0, 200), *reign("B", 100, 500), *reign("C", 300, 900))
    assert [(each.facts["old"], each.facts["new"], each.facts["seconds"]) for each in found] == [
        ("A", "B", 100.0), ("B", "C", 200.0)
    ]  # fmt: skip


def test_a_host_that_is_primary_again_is_beside_others_by_its_last_time():
    found = reigned(*reign("A", 0, 500), *reign("A", 550, 600), *reign("B", 520, 530), *reign("C", 590, 900))
    assert [(each.facts["old"], each.facts["new"], each.facts["seconds"]) for each in found] == [
        ("A", "C", 10.0)
    ]  # fmt: skip


def seconds_of(found):
    return [(e.label, e.value) for e in found.evidence[:3] if e.unit == "s"]


def test_times_of_two_primaries_are_told_to_the_millisecond_and_of_one_asleep_to_a_tenth():
    awake = event(100.0, "A", "dump", text="x")
    (found,) = reigned(*reign("A", 0, 110.126), *reign("B", 100, 900), events=[awake])
    assert seconds_of(found) == [("both primary", 10.126), ("both running", 10.126)]
    asleep = still("A", 100, 109.76)
    (found,) = reigned(*reign("A", 0, 110.126), *reign("B", 100, 900), events=[awake], stills=(asleep,))
    assert seconds_of(found) == [("both primary", 10.126), ("both running", 0.4)]
    assert (found.severity, found.facts["awake"]) == ("notice", 0.0)
    (found,) = reigned(*reign("A", 0, 200.126), *reign("B", 100, 900))
    assert seconds_of(found) == [
        ("both primary", 100.126), ("both running", 0.0), ("both running, at most", 100.126)
    ]  # fmt: skip
    assert (found.severity, found.facts["unknown"]) == ("critical", 100.126)


# Outages without a failover.


def stayed(*events, rows=(), looks=(), limits=LIMITS):
    made = told(list(rows), sorted(events, key=lambda row: row.time), last=900)
    losses = groups.no_primary(made, limits)
    return not_failed_over.not_failed_over(made, losses, list(looks), limits)


@pytest.mark.parametrize(
    ("seconds", "limit", "n"), [(60.0, 60, 1), (59.9, 60, 0), (None, 0.1, 0), (None, 0.05, 0), (0.1, 0.1, 1)]
)
def test_a_failover_in_place_is_an_outage_where_it_is_known_to_be_long(seconds, limit, n):
    row = failover(100, 160, to="A", seconds_without_primary=seconds)
    counted = event(90, "B", "threshold_reached", ag="AG", value=3.0, after="2", text="Not failing over")
    assert len(stayed(counted, rows=[row], limits=Thresholds(no_primary_s=limit))) == n


@pytest.mark.parametrize(("value", "labels"), [(3.0, ["failures, by the cluster"]), (None, []), (0.0, [])])
def test_a_count_of_failures_is_shown_where_the_cluster_tells_it(value, labels):
    counted = event(90, "B", "threshold_reached", ag="AG", value=value, after="2", text="Not failing over")
    (found,) = stayed(LOST, OTHER, counted)
    assert [e.label for e in found.evidence] == ["time without a primary", "threshold reached", *labels]
    assert (found.facts["count"], found.facts["most"]) == (value, "2")


def test_the_first_replica_that_could_not_be_monitored_is_told():
    failed = [
        event(110 + n, host, "monitor_failed", ag="AG", after=f"why {host}", text=f"text {host}")
        for n, host in enumerate("BC")
    ]
    (found,) = stayed(LOST, OTHER, *failed)
    assert [e.value for e in found.evidence] == [800.0, "text B"]
    assert (found.facts["failed"], found.facts["what"], found.facts["kinds"]) == ("B", "why B", ["monitor"])


def movement(seconds, kind, replica, host="A", ag="AG", database="Sales"):
    return event(seconds, host, f"database_{kind}", ag=ag, database=database, replica=replica, text=kind)


@folded(
    ("rows", "gone"),
    [
        ([movement(50, "disconnected", "B")], ["B"]),
        ([movement(50, "disconnected", "B", ag=None)], ["B"]),
        ([movement(50, "disconnected", "B", ag="OTHER")], None),
        ([movement(50, "disconnected", None)], None),
        ([movement(50, "disconnected", "A", host="B")], None),
        ([movement(50, "disconnected", "B"), movement(60, "connected", "B", host="C")], ["B"]),
        ([movement(50, "disconnected", "B"), movement(60, "connected", "B", ag="OTHER")], ["B"]),
        ([movement(50, "disconnected", "B"), movement(60, "connected", "B")], None),
        ([movement(50, "disconnected", "B"), movement(60, "connected", "C")], None),
        ([movement(50, "disconnected", "C"), movement(60, "disconnected", "B")], ["B", "C"]),
    ],
)
def test_replicas_that_the_primary_had_lost_are_those_of_its_own_last_words(rows, gone):
    found = stayed(LOST, OTHER, *rows)
    assert [each.facts["gone"] for each in found] == ([gone] if gone else [])


@pytest.mark.parametrize(("days", "seconds", "n"), [(366, 0, 1), (366, 1, 0), (0, 0, 1), (0, -1, 0)])
def test_what_a_log_said_of_connections_holds_for_a_year(days, seconds, n):
    assert len(stayed(LOST, OTHER, movement(100 - 86_400 * days - seconds, "disconnected", "B"))) == n
