"""transport.redo_blocked names who blocks redo where a look at the replica showed it."""

from __future__ import annotations

import pytest

from tests.behind import assert_facts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import one, perfmon

BLOCKED = {"recovery": "0..351562", "redone": "400000", "blocked": "3"}
LOOK = (
    "{host} | {at} | blocked_redo | redo_session_id=31; wait_type=LCK_M_SCH_M; wait_ms={ms}; "
    "session_id={session}; client=REPORTS1; program=Report server; statement=SELECT * FROM dbo.Orders"
)


def look(host="S", at=300, ms=45_000, session=88):
    return LOOK.format(host=host, at=at, ms=ms, session=session)


def finding(*looks):
    return one(case(perfmon(BLOCKED), relations="\n".join(looks)), "redo_blocked")


@pytest.mark.complete
def test_looks_at_another_time_or_server_name_nobody():
    for other in (look(at=-60), look(at=601), look(host="P")):
        found = finding(other)
        assert_facts(found, replica="S", averaged=None, gate=None)
