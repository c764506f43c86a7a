"""Which messages and waits the queries of what servers noted count: whole rows of small tables."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from agtrace.diagnostics import health
from tests.diagnostics.asking import ask
from tests.diagnostics.health.cases import at
from tests.folded import folded

LOCAL = datetime(2024, 3, 5, 12)
ASKED = {
    "kinds": ["memory", "quorum"], "numbers": [701, 41005], "head_kinds": ["dump"], "heads": ["***Stack"],
    "hosts": ["A"], "starts": [at(1000)], "ends": [at(2000)], "shown": 2, "left_out": ["quorum"],
}  # fmt: skip
NO_MESSAGE = {"content_id": "none", "line": 0, "message_id": 0}


def line(seconds, error=701, text="text", host="A", number=1, **more):
    known = {"source": "ERRORLOG", "content_id": "log", "line": number, "host_id": host, "error": error,
             "text": text, "time": at(seconds), "time_local": LOCAL + timedelta(seconds=seconds)}  # fmt: skip
    return known | more


def noted(*lines, messages=()):
    return ask(health, "noted", ASKED, log_entries=list(lines), log_messages=[NO_MESSAGE, *messages])


def counts(*lines, **more):
    return [(row["kind"], row["host_id"], row["source"], row["n"]) for row in noted(*lines, **more)]


def test_messages_of_a_kind_are_counted_with_their_hours_and_most_frequent_texts():
    (found,) = noted(
        line(10, number=4), line(20, text="other", number=5), line(3700, number=6), line(3800,
        text="third", number=7),
        line(3900, text="third", number=8), line(3950, text="third", number=9),
    )  # fmt: skip
    assert found == {
        "kind": "memory", "host_id": "A", "source": "ERRORLOG", "n": 6, "first": at(10), "last": at(3950),
        "is_local": False, "busiest": 4,
        "texts": [{"text": "third", "n": 3, "content_id": "log", "line": 7},
                  {"text": "text", "n": 2, "content_id": "log", "line": 4}],
    }  # fmt: skip


@pytest.mark.complete
@folded(
    ("one", "kinds"),
    [
        (line(10), ["memory"]), (line(10, 702), []), (line(10, None), []),
        (line(10, None, "***Stack Dump"), ["dump"]),
        (line(10, 702, "***Stack Dump"), []), (line(10, None, "a ***Stack"), []),
        (line(10, 41005), ["quorum"]),
        (line(999, 41005), ["quorum"]), (line(1000, 41005), []), (line(2000, 41005), []),
        (line(2001, 41005), ["quorum"]),
        (line(1500, 41005, host="B"), ["quorum"]), (line(1500), ["memory"]),
    ],
)  # fmt: skip
def test_a_message_is_known_by_its_number_or_its_begin_unless_it_is_part_of_something_else(one, kinds):
    assert [kind for kind, *_ in counts(one)] == kinds


def kept(seconds, number=701):
    return line(
        seconds, number, "kept", number=3, source="Extended Events", content_id="xel", time_local=None
    )


def test_of_what_a_log_and_a_session_keep_that_counts_which_has_more():
    events = [kept(10), kept(20), kept(30, 702)]
    assert counts(line(10), *events) == [("memory", "A", "Extended Events", 2)]
    assert counts(line(10), line(20, number=2), *events) == [("memory", "A", "ERRORLOG", 2)]
    rows = [line(10, number=n) for n in range(3)]
    assert counts(*rows, line(10, host="B"), *events) == [
        ("memory", "A", "ERRORLOG", 3), ("memory", "B", "ERRORLOG", 1)
    ]  # fmt: skip
    (found,) = noted(line(10, 1), *events)
    assert found["texts"] == [{"text": "kept", "n": 2, "content_id": "xel", "line": 3}]
