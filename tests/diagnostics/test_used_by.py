"""Which questions used a capture, by what they need."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.need import Need, used_by
from tests.diagnostics.tiny import case

PERFMON = "A | \\SQLServer:Database Replica(Sales)\\Log Send Queue | 5"
STATE = "A | 0 | replica_state | 19406 | ag=AG; old_state=PRIMARY_NORMAL; new_state=RESOLVING_NORMAL"
WAIT = "A | 5 | wait_info | wait_type=THREADPOOL; duration=1500"


def need(kind, *names, lacking=""):
    return Need(kind, names, "", "", lacking=lacking)


@pytest.mark.parametrize(
    ("needed", "contents"),
    [
        (need("topic", "replica_state"), {"errorlog-A"}),
        (need("relation", "timeline"), {"errorlog-A"}),
        (need("event", "wait_info"), {"xel-A"}),
        (need("relation", "long_waits"), {"xel-A"}),
        (need("counter", "SQLServer:Database Replica\\Log Send Queue"), {"perfmon-A"}),
        (need("counter", "*"), {"perfmon-A"}),
        (need("topic", "other"), set()),
    ],
)
def test_a_question_used_what_gave_something_that_it_needs(needed, contents):
    made = case(perfmon=PERFMON, messages=STATE, events=WAIT)
    found = used_by(made, {"Q": [needed]})
    assert {content for content, by in found.items() if by} == contents


def test_a_question_that_lacks_what_it_cannot_do_without_used_nothing():
    made = case(messages=STATE)
    needs = {"Q": [need("topic", "replica_state"), need("topic", "other", lacking="No other.")]}
    assert [by for by in used_by(made, needs).values() if by] == []
