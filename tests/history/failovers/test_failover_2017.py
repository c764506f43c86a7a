"""A day of provoked failovers on two real nodes: every change of role, every failover, every restart.

What is expected was read from the logs themselves: for each failover the entries of both ERRORLOGs about the
group, its lease and connections, restarts and the node, the SQLDIAG events beside them, and an excerpt of the
cluster logs that the test does not use. docs/failovers.md tells what they say.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import agtrace
from tests.shared import CAPTURES, needs_captures

pytestmark = pytest.mark.long

V1, V2 = "ZE-2016-V1", "ZE-2016-V2"
FAILOVERS = [
    (V1, V2, "automatic", "instance_stopped", "instance_stopped", "18:51:58", "18:52:01"),
    (V2, V1, "planned", "node_drained", "node_drained", "18:56:36", "18:56:40"),
    (V1, V2, "automatic", "instance_died", "instance_died", "20:16:32", "20:16:40"),
    (V2, V2, "automatic", "lease_expired", "lease_expired", "20:47:06", "20:47:07"),
    (V2, V1, "automatic", "open", "cpu_starvation", "21:01:06", "21:02:13"),
    (V1, V2, "planned", "node_drained", "node_drained", "21:32:48", "21:32:52"),
    (V2, V1, "planned", "cluster_move", "cluster_move", "21:52:24", "21:52:26"),
    (V1, V2, "automatic", "quorum_lost", "network", "21:53:39", "21:53:42"),
    (V2, V1, "automatic", "open", "open", "22:19:04", "22:19:08"),
]


WORKED = Path(__file__).resolve().parents[3] / "docs" / "failovers.md"


def test_the_worked_example_lists_the_same_failovers():
    rows = [line.strip("| ").split(" | ") for line in WORKED.read_text("utf-8").split("\n")]
    names = {V1: "NODE1", V2: "NODE2"}
    listed = [tuple(row[1:8]) for row in rows if len(row) == 9 and row[0].isdigit()]
    assert listed == [(names[one[0]], names[one[1]], *one[2:]) for one in FAILOVERS]


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    folder = tmp_path_factory.mktemp("failover_2017")
    for node in ("ze-2016-v1", "ze-2016-v2"):
        shutil.copytree(
            CAPTURES / "failover_2017" / node, folder / node, copy_function=shutil.copyfile
        )
    with agtrace.open_case(folder) as case:
        yield case


@needs_captures
def test_every_failover_with_its_cause_and_window(opened):
    query = """
        select from_host, to_host, mode, trigger, cause, strftime(start, '%H:%M:%S'), strftime("end", '%H:%M:%S')
        from failovers order by failover_id
    """
    assert opened.sql(query).fetchall() == FAILOVERS


@needs_captures
def test_every_entry_into_primary_but_the_first_is_a_failover(opened):
    entries = "select time from timeline where kind = 'replica_state' and after = 'PRIMARY_NORMAL' order by time"
    ends = 'select "end" from failovers order by failover_id'
    assert opened.sql(entries).fetchall()[1:] == opened.sql(ends).fetchall()


@needs_captures
def test_a_guess_from_absence_is_worth_no_more_than_half(opened):
    query = "select failover_id from failovers where confidence <= 0.5 order by all"
    assert opened.sql(query).fetchall() == [(3,), (5,), (9,)]


@needs_captures
@pytest.mark.parametrize(("kind", "number"), [("replica_state", 19406), ("database_role", 1480)])
def test_every_change_of_role_is_on_the_timeline_once(opened, kind, number):
    query = f"select content_id, line from messages where message_id = {number} and host_id is not null order by all"
    written = opened.sql(query).fetchall()
    told = f"""
        select w.content_id, w.line
        from (select unnest(witnesses) as w from timeline where kind = '{kind}')
        where w.source = 'ERRORLOG' order by all
    """
    assert written
    assert opened.sql(told).fetchall() == written
    rows = opened.sql(f"select count(*) from timeline where kind = '{kind}'").fetchall()
    assert rows == [(len(written),)]


@needs_captures
def test_events_and_entries_of_the_same_change_are_within_two_seconds(opened):
    query = """
        select max(epoch(list_max(list_transform(witnesses, lambda w: w.time)))
                   - epoch(list_min(list_transform(witnesses, lambda w: w.time)))) < 2, count(*)
        from timeline where kind = 'replica_state' and len(witnesses) > 1
    """
    assert opened.sql(query).fetchall() == [(True, 54)]


@needs_captures
def test_every_restart_is_found(opened):
    query = """
        select host_id, after, count(*) from timeline where kind = 'restart' group by all order by all
    """
    assert opened.sql(query).fetchall() == [
        (V1, "died", 1), (V1, "shutdown", 3), (V1, "stopped", 2),
        (V2, "shutdown", 3), (V2, "stopped", 3),
    ]  # fmt: skip


@needs_captures
def test_the_clocks_of_the_nodes_agree(opened):
    query = "select max(abs(skew_ms)) < 20 from timeline"
    assert opened.sql(query).fetchall() == [(True,)]
