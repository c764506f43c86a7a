"""database.log_full before message 9002: a log that a replica holds back, and when it will be full."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.database import Databases
from tests.behind import assert_facts
from tests.diagnostics.database.test_log_full import full, happened, stream
from tests.diagnostics.tiny import case

USED = r"SQL1 | \SQLServer:Databases(Sales)\Log File(s) Used Size (KB) | "
SIZE = r"SQL1 | \SQLServer:Databases(Sales)\Log File(s) Size (KB) | "
MB = 1024 * 1024
HELD = stream("SQL2", 0, 800 * MB)
REUSE = "SQL1 | {at} | databases | database=Sales; database_id=7; log_reuse_wait={reason}"


def perfmon(used="500_000..1_000_000", size="4_000_000"):
    return "\n".join([USED + used.replace("_", ""), SIZE + size.replace("_", "")])


def found(relations=HELD, messages="", **more):
    given = {"perfmon": perfmon(), **more}
    return [
        f for f in Databases(case(relations=relations, messages=messages, **given)).findings()
        if f.id == "database.log_full"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("reason", "n"),
    [("AVAILABILITY_REPLICA", 1), ("LOG_BACKUP", 0), ("NOTHING", 1), ("ACTIVE_TRANSACTION", 0)],
)
def test_a_look_says_what_keeps_the_log_from_being_reused(reason, n):
    assert len(found("\n".join([HELD, REUSE.format(at=500, reason=reason)]))) == n


def test_a_look_alone_tells_that_a_replica_holds_it_back_and_not_which():
    (one,) = found(REUSE.format(at=500, reason="AVAILABILITY_REPLICA"))
    assert (one.subject["replica"], one.confidence) == ("", 0.8)
    assert_facts(one, looked=True)


STOCK = perfmon().replace("(Sales)", "(Stock)")
GONE = happened(10, "database_connected") + "\n" + happened(60, "database_disconnected")
STOCK_GONE = GONE.replace("Sales", "Stock")


@pytest.mark.parametrize(
    "known", [HELD, REUSE.format(at=300, reason="AVAILABILITY_REPLICA")], ids=["a stream", "a look"]
)
def test_a_database_that_only_others_of_its_server_are_replicated_beside_is_not_spoken_of(known):
    assert found(f"{known}\n{STOCK_GONE}", perfmon=STOCK) == []


@pytest.mark.parametrize(("database", "n"), [("Sales", 1), ("Stock", 2)])
def test_a_database_whose_log_was_full_is_reported_once(database, n):
    assert len(found(messages=full(300).replace("Sales", database))) == n
