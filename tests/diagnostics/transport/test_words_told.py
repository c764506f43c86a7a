"""What is said of clocks that are off, of what holds a stream or its redo back, and of what stays open."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import pytest

from agtrace.diagnostics.transport.apart import of_apart
from agtrace.diagnostics.transport.summary import SAID
from agtrace.history.streams.meeting import LEAST_CELLS, Apart, Shift
from tests.diagnostics.transport.made_shown import ALL, LIMITS, link, primary, secondary


def skewed(seconds: float, overlap: int = LEAST_CELLS) -> Any:
    met = Apart(primary(), ALL, overlap, Shift(seconds, 0.98765, 99, 5.0))
    return SAID.finding(of_apart([link(None, secondary(), apart=met)], LIMITS)[0])


def test_two_clocks_that_are_apart_are_told_with_what_to_check():
    found = skewed(1000.0)
    assert found.title == "The perfmon of P is 16 min 40 s ahead of that of S"
    assert found.narrative == (
        "What P flushed fits what S received and had in its send queue 16 min 40 s apart (correlation 0.99, "
        "n = 99), and not as their clocks have it. The two are not compared; the verdict on the replica "
        "rests on its own counters."
    )
    assert found.recommendation == (
        "Check the clock of both hosts (w32tm /query /status), and the offset from UTC that their logs "
        "state. Then capture both at the same time. Compare the two captures here with 16 min 40 s between "
        "them."
    )


def test_a_shift_may_be_one_of_a_zone_or_of_another_run():
    of_zone, of_run = skewed(-3600.0), skewed(1000.0, 0)
    assert of_zone.title == "The perfmon of S is 1 h ahead of that of P"
    assert of_zone.narrative.endswith(
        "That is a whole number of quarter hours: a wrong offset from UTC is likelier than a wrong clock."
    )
    assert of_run.narrative.endswith(
        "Or the same load ran twice, and each host was captured during another run of it."
    )


@pytest.mark.parametrize(
    ("name", "facts", "words"),
    [
        ("sender.free_network", {"copy_ratio": None}, ""),
        ("sender.free_network", {"copy_ratio": 5, "signs": Facts(copy=1e6, top=2e5)},
         "A bulk copy to the same replica ran at 1.0 MB/s (8 Mb/s), 5 times the stream's 200 KB/s (1.6 Mb/s, "
         "p95): the network is free."),
        ("redo_limited.do", {"replica": "S", "signs": Facts(processors=None)},
         "Look at CPU and data-file latency on S, and whether redo runs in parallel there."),
        ("redo_limited.do", {"replica": "S", "signs": Facts(processors=Facts(percent=20))},
         "Look at data-file latency on S, and whether redo runs in parallel there."),
        ("suspended.do", {"replica": "S"},
         "Find out why movement to S stopped. Then run there what this gives: `SELECT N'ALTER DATABASE ' + "
         "QUOTENAME(d.name) + N' SET HADR RESUME;' FROM sys.databases d JOIN "
         "sys.dm_hadr_database_replica_states r ON r.database_id = d.database_id WHERE r.is_local = 1 AND "
         "r.is_suspended = 1`. The log on the primary cannot be truncated until then, and what was written "
         "meanwhile is sent at once: expect the network and the redo of the replica to be busy. The same "
         "with SUSPEND in place of RESUME undoes it."),
    ],
)  # fmt: skip
def test_a_remedy_is_said(name, facts, words):
    assert SAID.text(name, facts) == words


def test_what_stays_open_is_a_list():
    assert SAID.page("missing", {"open": ["one", "two"]}) == "- one\n- two"
    assert SAID.page("missing", {"open": []}) == ""
