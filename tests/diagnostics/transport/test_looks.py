"""What a single look at a server says: commit modes, states, queues, waits."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.behind import assert_facts, behind
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import one, perfmon

MODE = "P | {at} | replicas | ag=AG; replica=S; role=SECONDARY; availability_mode={mode}_COMMIT"
DDL = (
    "P | {at} | alwayson_ddl_executed | statement=ALTER AVAILABILITY GROUP [AG] MODIFY REPLICA ON N'S' WITH "
    "(AVAILABILITY_MODE = {mode}_COMMIT)"
)


def looks(*pairs):
    return "\n".join(MODE.format(at=at, mode=mode) for at, mode in pairs)


REPLICAS = """
P | {at} | replicas | ag=AG; replica=P; is_local=true; role=PRIMARY; availability_mode=SYNCHRONOUS_COMMIT
P | {at} | replicas | ag=AG; replica=S; is_local=false; role=SECONDARY; availability_mode=SYNCHRONOUS_COMMIT
P | {at} | database_states | ag=AG; replica=P; database=Sales; is_local=true; synchronization_state=SYNCHRONIZED
"""  # noqa: E501
STATE = (
    "P | {at} | database_states | ag=AG; replica=S; database={db}; is_local=false; "
    "synchronization_state={state}; is_suspended=false; log_send_queue_kb={send}; log_send_rate_kb_s=18233; "
    "redo_queue_kb=40960; redo_rate_kb_s=20480"
)


def look(*states, at=60):
    rows = [STATE.format(at=at, db=db, state=state, send=send) for db, state, send in states]
    return "\n".join([REPLICAS.format(at=at), *rows])


def test_a_look_counts_only_the_databases_that_were_synchronised():
    made = case(relations=look(("Sales", "SYNCHRONIZED", 0), ("Stock", "NOT SYNCHRONIZING", 0)))
    assert_facts(one(made, "rpo"), replica="S", looks=1, last=True)


def test_perfmon_is_used_in_place_of_a_snapshot_and_says_so():
    made = case(perfmon(), relations=look(("Sales", "SYNCHRONIZED", 12288)))
    assert behind(one(made, "healthy"))["weaker"] == {
        "looks": 1, "moment": "2024-03-05 12:01:00 UTC", "to_send": 12288 * 1024, "to_redo": 40960 * 1024,
    }  # fmt: skip


@pytest.mark.parametrize("only", ["P", "S"])
def test_without_perfmon_of_the_replica_a_snapshot_is_not_replaced(only):
    made = case(perfmon(only=only), relations=look(("Sales", "SYNCHRONIZED", 12288)))
    found = [facts for each in Transport(made).findings() if "verdict" in (facts := behind(each))]
    assert [facts["weaker"] is not None for facts in found] == [only == "S"]


def test_without_a_snapshot_nothing_is_replaced():
    assert behind(one(case(perfmon()), "healthy"))["weaker"] is None
