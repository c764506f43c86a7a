"""The timeline of a case, and what every axis of time marks."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from agtrace.diagnostics import Evidence, Finding
from agtrace.report.marks import marks
from agtrace.report.timeline import Marked, Told, draw

T0 = datetime(2024, 3, 5, 12, tzinfo=UTC)


def at(minutes):
    return T0 + timedelta(minutes=minutes)


def capture(host="A", kind="perfmon text log", start=0, end=60, *, local_only=False):
    return {
        "host": host,
        "kind": kind,
        "shown_first": at(start),
        "shown_last": at(end),
        "local_only": local_only,
    }


def finding(start, end, severity="warning", **window):
    given = {"start": at(start).isoformat(), "end": at(end).isoformat()} | window
    return Finding("a.b", severity, "<b>It", "n", window=given, evidence=(Evidence("n", 1, "s", "l"),))


def bars(drawn, style):
    return re.findall(rf'class="{style}" x="([\d.]+)%" width="([\d.]+)%"', str(drawn))


def test_captures_roles_events_and_findings_share_one_axis():
    roles = [{"host_id": "A", "role": "PRIMARY", "start": None, "end": at(30)}]
    events = [{"host_id": "A", "kind": "lease_expired", "time": at(30)}]
    told = Told([capture()], roles, events, [Marked(finding(15, 30), "health.html#finding-1")])
    drawn = draw(told)
    assert bars(drawn, "capture perfmon") == [("0.000", "100.000")]
    assert bars(drawn, "role primary") == [("0.000", "50.000")]
    assert bars(drawn, "band") == [("25.000", "25.000")]
    assert 'cx="50.000%"' in drawn
    assert 'href="health.html#finding-1" aria-label="&lt;b&gt;It"' in drawn


def test_a_log_of_months_does_not_hide_a_failover():
    told = Told(
        [capture(kind="SQL Server ERRORLOG", start=-100_000), capture(start=0, end=60)],
        [], [], [Marked(finding(20, 30), "#f")],
    )  # fmt: skip
    assert bars(draw(told), "mark") == [("25.000", "50.000")]


def test_without_a_time_in_utc_there_is_no_timeline():
    assert draw(Told([capture(local_only=True)], [], [], [])) is None


def test_host_names_are_text():
    drawn = draw(Told([capture(host="<img src=x>")], [], [], []))
    assert "<img" not in drawn
    assert "&lt;img" in drawn


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
