"""The timeline of a case, and what every axis of time marks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from agtrace.diagnostics import Evidence, Finding
from agtrace.history.reference_clock import ReferenceClock
from agtrace.report.marks import marks
from agtrace.report.timeline import MOST_EVENTS, Marked, TimelineRows, chosen, drawn

T0 = datetime(2024, 3, 5, 12, tzinfo=UTC)


def at(minutes):
    return T0 + timedelta(minutes=minutes)


def ms(minutes):
    return round(at(minutes).timestamp() * 1000)


def capture(host="A", kind="perfmon text log", start=0, end=60, *, local_only=False):
    return {
        "host": host,
        "kind": kind,
        "shown_first": at(start),
        "shown_last": at(end),
        "local_only": local_only,
    }


def event(minutes, kind="lease_expired", host="A", **given):
    told = dict.fromkeys(("before", "after", "ag", "replica", "database")) | given
    return {"host_id": host, "kind": kind, "time": at(minutes), **told}


def finding(start, end, severity="warning", subject=None, **window):
    given = {"start": at(start).isoformat(), "end": at(end).isoformat()} | window
    numbers = (Evidence("n", 1, "s", "l"),)
    return Finding("health.failover", severity, "<b>It", "n", subject or {}, given, numbers)


def marked(*given, **more):
    return [Marked(finding(*given, **more), "health.html#finding-1")]


def test_a_lane_of_a_host_has_its_captures_roles_and_events():
    roles = [{"host_id": "A", "role": "PRIMARY", "start": None, "end": at(30)}]
    told = drawn(TimelineRows([capture()], roles, [event(30, ag="AG")], marked(15, 30)))
    assert told["hosts"] == ["A"]
    assert told["spans"] == [[0, 0, ms(0), ms(60)]]
    assert told["lanes"][0] == "counters"
    assert told["roles"] == [[0, "primary", None, ms(30)]]
    assert told["marks"] == [[0, "leases", ms(30) * 1000, "lease expired (AG)"]]
    assert told["findings"] == [[ms(15), ms(30), "warning", "<b>It", "health.html#finding-1"]]
    assert list(told["looks"]) == ["leases"]


def test_the_reference_clock_is_named_beside_how_far_each_host_is_ahead_of_it():
    roles = [{"host_id": "A", "role": "PRIMARY", "start": at(10), "end": at(20)}]
    clock = ReferenceClock("B", {"A": timedelta(minutes=1), "B": timedelta()})
    told = drawn(TimelineRows([capture()], roles, [], [], clock))
    assert told["roles"] == [[0, "primary", ms(10), ms(20)]]
    assert (told["clock"], told["apart"]) == ("B", [60_000])


def test_what_changed_is_told_from_and_to():
    told = drawn(
        TimelineRows([capture()], [], [event(1, "replica_state", before="A", after="B", replica="R")], [])
    )
    assert told["marks"][0][1:] == ["role changes", ms(1) * 1000, "replica state: A to B (R)"]


def test_it_opens_a_minute_around_what_the_headline_is_about():
    told = drawn(TimelineRows([capture(end=6000)], [], [], marked(3000, 3000.1)))
    assert told["shown"] == [ms(2999), ms(3001.1)]
    assert drawn(TimelineRows([capture()], [], [], []))["shown"] == [ms(0), ms(60)]


def test_the_host_of_the_headline_comes_first():
    told = TimelineRows(
        [capture("A"), capture("B")], [], [], marked(1, 2, subject={"ag": "AG", "from": "B", "to": "A"})
    )
    assert drawn(told)["hosts"] == ["B", "A"]


def test_a_log_of_months_does_not_hide_a_failover():
    told = TimelineRows(
        [capture(kind="SQL Server ERRORLOG", start=-100_000), capture()], [], [], marked(20, 30)
    )
    assert drawn(told)["whole"] == [ms(15), ms(35)]


def test_without_a_time_in_utc_there_is_no_timeline():
    assert drawn(TimelineRows([capture(local_only=True)], [], [], [])) is None


def test_of_very_many_events_the_rare_ones_are_all_kept():
    events = [event(n / 100, "connected") for n in range(5000)] + [event(1), event(2)]
    kept = chosen(events)
    assert MOST_EVENTS * 0.8 < len(kept) <= MOST_EVENTS
    assert [row["kind"] for row in kept].count("lease_expired") == 2
    assert kept == sorted(kept, key=lambda row: row["time"])


def test_the_moments_of_the_headline_come_first():
    told = TimelineRows([capture()], [], [event(5), event(30.5), event(50)], marked(30, 31))
    assert told.moments == [at(30), at(30.5), at(5), at(50)]
    assert told.about_first == 2


def test_changes_of_the_primary_and_warnings_are_marked():
    def role(host, minutes, role="PRIMARY"):
        return {"ag": "AG", "host_id": host, "role": role, "start": at(minutes)}

    roles = [role("A", 0), role("B", 10), role("A", 10, "SECONDARY"), role("A", 20)]
    found = [finding(5, 6), finding(1, 2, "notice"), finding(1, 2, local=True)]
    start = round(T0.timestamp() * 1000)
    assert [((m["start"] - start) / 60_000, m["text"], m["tone"]) for m in marks(found, roles)] == [
        (10, "B becomes primary", "role"),
        (20, "A becomes primary", "role"),
        (5, "&lt;b&gt;It", "warning"),
    ]
