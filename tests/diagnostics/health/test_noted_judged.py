"""What servers noted, judged by rows: which numbers are which kind, what is part of something else,
how bad."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.health import noted
from agtrace.diagnostics.health.rows import Noted, NotedText, Waits
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, iso, told
from tests.folded import folded

LIMITS = Thresholds()
GROUPED = frozenset("AB")


def test_messages_are_asked_for_by_number_or_by_how_they_begin():
    numbers = {
        "replica_failed": (41005, 41143, 41144, 41161), "node_offline": (41048, 41049),
        "not_notified": (41022,),
        "paged_out": (17890,), "out_of_memory": (701, 802), "not_started": (35217,), "failed": (18456,),
        "not_opened": (5120, 17204, 17207),
    }  # fmt: skip
    spn = "The SQL Server Network Interface library could not register the Service Principal Name"
    assert noted.parameters(told([failover(500, 508, to="A")])) == {
        "kinds": [kind for kind, own in numbers.items() for _ in own],
        "numbers": [number for own in numbers.values() for number in own],
        "head_kinds": [
            *("out_of_memory", "out_of_memory", "not_started", "not_opened", "not_opened", "not_registered"),
            "written",
        ],
        "heads": [
            *noted.NO_MEMORY, "The thread pool for Always", *noted.NOT_OPENED, spn,
            "***Stack Dump being sent to",
        ],
        "hosts": ["A"], "starts": [at(380)], "ends": [at(628)],
        "shown": 3,
        "left_out": ["replica_failed", "node_offline", "not_notified"],
    }  # fmt: skip


TEXTS = [NotedText("one", 1200, "log-A", 7), NotedText("other", 1, None, 9)]


def row(kind="out_of_memory", **more):
    return Noted(kind, "A", "ERRORLOG", 9, at(10), at(90), False, 4, TEXTS)._replace(**more)


def judged(*rows, grouped=GROUPED, limits=LIMITS, **more):
    return noted.noted(told(grouped=grouped, **more), rows, [], limits)


@folded(
    ("kind", "id_", "severity"),
    [
        ("replica_failed", "quorum", "warning"), ("node_offline", "quorum", "warning"),
        ("not_notified", "quorum", "notice"), ("out_of_memory", "memory", "warning"),
        ("not_started", "workers", "warning"), ("not_opened", "files", "warning"),
        ("not_registered", "spn", "notice"), ("written", "dump", "warning"),
    ],
)  # fmt: skip
def test_one_message_is_as_bad_as_its_kind(kind, id_, severity):
    (found,) = judged(row(kind, n=1, busiest=1))
    assert (found.id, found.said, found.severity) == (f"health.{id_}", f"noted.{kind}", severity)
    (found,) = judged(row(kind), grouped=frozenset("B"))
    assert found.severity == "info"


def test_messages_of_nobody_known_in_local_time_are_told_so():
    (found,) = judged(row(host_id="", is_local=True, n=4), grouped=frozenset(["", "A"]))
    local = [at(seconds).replace(tzinfo=None) for seconds in (10, 90)]
    assert found.subject == {"kind": "out_of_memory"}
    assert found.window == {"start": local[0].isoformat(), "end": local[1].isoformat(), "local": True}
    assert found.evidence[0].source == "ERRORLOG of an unknown host"
    assert (found.facts["host"], found.facts["busiest"]) == ("an unknown host", 0)
    assert (found.facts["first"], found.facts["last"]) == tuple(local)


# States of components.


def component(seconds, name, after, host="A"):
    text = name and f"component {name}: from x"
    return event(seconds, host, "component_state", text=text, after=after)


def components(*events, rows=(), **more):
    made = told(list(rows), sorted(events, key=lambda each: each.time), grouped=GROUPED, **more)
    return noted.noted(made, [], [], LIMITS)


def test_states_of_components_are_told_the_worst_and_the_most_first():
    (found,) = components(
        component(10, "system", "warning"), component(20, "io", "error"), component(30, "system", "warning"),
        component(40, "resource", "warning"), component(50, "io", "warning"), component(60, "query", "error"),
        component(70, "query", "error"),
    )  # fmt: skip
    assert (found.id, found.severity, found.subject, found.confidence) == (
        "health.components", "warning", {"host": "A"}, 0.9
    )  # fmt: skip
    assert found.window == {"start": iso(10), "end": iso(70)}
    states = [("query", "error", 2), ("io", "error", 1), ("system", "warning", 2), ("io", "warning", 1),
              ("resource", "warning", 1)]  # fmt: skip
    assert [(e.label, e.value, e.unit, e.source) for e in found.evidence] == [
        (f"{name}: {after}", n, "changes", "ERRORLOG of A, A/ERRORLOG line 7") for name, after, n in states
    ]
    assert found.facts == {
        "host": "A", "first": at(10), "last": at(70), "shown": 3, "states": states,
        "components": ["io", "query", "resource", "system"],
    }  # fmt: skip


def test_states_that_are_no_errors_are_a_notice_of_their_host():
    first, second = components(component(10, "system", "warning", "B"), component(5, "system", "warning"))
    assert [(each.subject["host"], each.severity) for each in (first, second)] == [
        ("A", "notice"),
        ("B", "notice"),
    ]
    (found,) = components(component(10, "system", "error", "C"))
    assert found.severity == "info"
    assert components(component(10, "system", "error", None)) == []


@pytest.mark.parametrize(
    ("seconds", "host", "n"),
    [(379, "A", 1), (380, "A", 0), (628, "A", 0), (629, "A", 1), (500, "B", 0), (500, "C", 1)],
)
def test_states_near_a_failover_are_a_part_of_it(seconds, host, n):
    assert len(components(component(seconds, "system", "error", host), rows=[failover(500, 508)])) == n


# Waits.


def wait(name, ms=60_000.0, host="A", first=10, last=90):
    return Waits(host, name, 1200, ms, 2 * ms, at(first), at(last), at(50), "log-A", 3)


def waited(*rows):
    return noted.noted(told(grouped=GROUPED), [], rows, LIMITS)


@pytest.mark.parametrize(
    ("names", "severity", "others", "locks", "memory"),
    [
        (["LCK_M_X"], "notice", False, True, False), (["RESOURCE_SEMAPHORE"], "notice", False, False, True),
        (["THREADPOOL"], "notice", False, False, False), (["PAGEIOLATCH_SH"], "info", True, False, False),
        (["PAGEIOLATCH_SH", "LCK_M_S"], "notice", True, True, False),
        (["RESOURCE_SEMAPHORE_QUERY_COMPILE", "LCK_M_S"], "notice", False, True, True),
    ],
)  # fmt: skip
def test_waits_for_others_are_a_notice(names, severity, others, locks, memory):
    (found,) = waited(*map(wait, names))
    assert (found.id, found.severity) == ("health.waits", severity)
    assert {name: found.facts[name] for name in ("others", "locks", "memory")} == {
        "others": others, "locks": locks, "memory": memory
    }  # fmt: skip


def test_waits_of_each_host_are_told_the_longest_five_with_their_span():
    rows = [wait(f"LCK_M_{n}", 1000.0 * (60 - n), first=10 - n, last=90 + n) for n in range(6)]
    first, second = waited(*rows, wait("LCK_M_X", host=""))
    assert (first.subject, first.window, first.confidence) == (
        {"host": "A"},
        {"start": iso(5), "end": iso(95)},
        0.9,
    )
    assert [(e.label, e.value, e.unit) for e in first.evidence] == [
        (f"longest LCK_M_{n}, n = 1,200", 60.0 - n, "s") for n in range(5)
    ]
    assert first.evidence[0].source == "system_health of A, A/ERRORLOG, at 2024-03-05 12:00:50.0 UTC"
    assert [each["longest"] for each in first.facts["waits"]] == [60.0, 59.0, 58.0, 57.0, 56.0]
    assert (first.facts["host"], first.facts["first"], first.facts["last"]) == ("A", at(5), at(95))
    assert (second.subject, second.severity, second.facts["host"]) == ({}, "info", "an unknown host")
