"""Which finding a case opens with."""

from __future__ import annotations

from dataclasses import replace

from agtrace.say.finding import Evidence, Finding
from agtrace.say.headline import headline, read_first
from tests.folded import folded


def finding(words: str) -> Finding:
    """Make one of its id, severity and confidence."""
    name, severity, confidence = words.split()
    return Finding(
        name, severity, "t", "n", evidence=(Evidence("x", 1, "", "s"),), confidence=float(confidence)
    )


@folded(
    ("first", "other"),
    [
        ("workload.routing notice 0.9", "quality.case_settings warning 1"),
        ("seeding.network_limited notice 0.8", "health.disconnect warning 0.9"),
        ("health.failover warning 0.7", "seeding.completed info 0.9"),
        ("health.failover warning 0.7", "commit.hop notice 0.9"),
        ("commit.hop notice 0.9", "health.failover info 0.9"),
        ("transport.redo_limited critical 0.7", "commit.hop notice 0.9"),
        ("compare.difference notice 0.5", "seeding.disk_limited notice 0.8"),
        ("seeding.disk_limited notice 0.8", "seeding.contradiction warning 0.8"),
        ("transport.rpo warning 0.8", "transport.healthy notice 0.9"),
        ("health.flapping critical 0.9", "health.two_primaries critical 0.5"),
        ("health.restart notice 0.9", "transport.healthy info 0.9"),
        ("health.failover critical 0.6", "health.two_primaries critical 0.9"),
        ("compare.no_difference info 0.7", "seeding.compression notice 0.9"),
        ("workload.routing warning 0.9", "compare.no_difference info 0.9"),
        ("health.lease info 0.9", "compare.contradiction warning 0.9"),
        ("health.disconnect warning 0.9", "compare.no_difference info 0.9"),
        ("health.long_io warning 0.5", "health.failover info 0.9"),
        ("compare.no_difference info 0.5", "quality.case_settings warning 1"),
    ],
)
def test_the_answer_leads(first, other):
    one, two = finding(first), finding(other)
    assert headline([one, two]) is one
    assert headline([two, one]) is one


def test_of_equals_the_first_leads():
    both = [finding("health.restart notice 0.9"), finding("health.restart notice 0.9")]
    assert headline(both) is both[0]


def test_no_findings_have_no_headline():
    assert headline([]) is None


def test_what_is_read_after_it_keeps_its_order():
    found = [finding(f"{name} warning 0.9") for name in ("quality.gap", "health.long_io", "health.restart")]
    told = read_first(found, lambda each: each)
    assert [each.id for each in told] == ["health.long_io", "quality.gap", "health.restart"]


def at(one, start, end, replica="B"):
    return replace(one, subject={"ag": "AG", "replica": replica}, window={"start": start, "end": end})


def test_a_limit_of_a_stream_that_keeps_up_later_does_not_lead():
    limit = at(
        finding("transport.window_limited critical 0.9"), "2024-03-05T12:00:00Z", "2024-03-05T12:30:00Z"
    )
    healthy = at(finding("transport.healthy info 0.9"), "2024-03-05T12:40:00Z", "2024-03-05T13:00:00Z")
    asked = finding("compare.difference notice 0.5")
    assert headline([limit, healthy, asked]) is asked
    assert headline([limit, at(healthy, "2024-03-05T12:10Z", "2024-03-05T12:20Z"), asked]) is limit
    assert headline([limit, replace(healthy, subject={"ag": "AG", "replica": "C"}), asked]) is limit
    assert headline([limit, healthy]) is limit
