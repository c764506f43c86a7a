"""A day of provoked failovers on two real nodes: every change of role, every failover, every restart.

What is expected was read from the logs themselves: for each failover the entries of both ERRORLOGs about the
group, its lease and connections, restarts and the node, the events beside them, the tick counts that expired
leases carry, and an excerpt of the cluster logs. docs/failovers.md tells what they say.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import agtrace
from tests.shared import CAPTURES, needs_captures

pytestmark = pytest.mark.complete

V1, V2 = "ZE-2016-V1", "ZE-2016-V2"
FAILOVERS = [
    (V1, V2, "automatic", "instance_stopped", "instance_stopped", "18:51:58", "18:52:01"),
    (V2, V1, "planned", "node_drained", "node_drained", "18:56:36", "18:56:40"),
    (V1, V2, "automatic", "instance_died", "instance_died", "20:16:32", "20:16:40"),
    (V2, V2, "automatic", "lease_expired", "standstill", "20:47:06", "20:47:07"),
    (V2, V1, "automatic", "lease_expired", "standstill", "21:01:06", "21:02:13"),
    (V1, V2, "planned", "node_drained", "node_drained", "21:32:48", "21:32:52"),
    (V2, V1, "planned", "cluster_move", "cluster_move", "21:52:24", "21:52:26"),
    (V1, V2, "automatic", "quorum_lost", "network", "21:53:39", "21:53:42"),
    (V2, V1, "automatic", "standstill", "standstill", "22:19:04", "22:19:08"),
]


WORKED = Path(__file__).resolve().parents[3] / "docs" / "failovers.md"


def test_the_worked_example_lists_the_same_failovers():
    rows = [line.strip("| ").split(" | ") for line in WORKED.read_text("utf-8").split("\n")]
    names = {V1: "NODE1", V2: "NODE2"}
    listed = [tuple(row[1:8]) for row in rows if len(row) == 9 and row[0].isdigit()]
    assert listed == [(names[one[0]], names[one[1]], *one[2:]) for one in FAILOVERS]


EXCERPT = "cluster_log_excerpt.txt"


def copied(folder, *names):
    for name in names:
        source = CAPTURES / "failover_2017" / name
        copy = shutil.copytree if source.is_dir() else shutil.copyfile
        copy(source, folder / name)
    return agtrace.open_case(folder)


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    with copied(tmp_path_factory.mktemp("nodes"), "ze-2016-v1", "ze-2016-v2") as case:
        yield case


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    with copied(tmp_path_factory.mktemp("whole"), "ze-2016-v1", "ze-2016-v2", EXCERPT) as case:
        yield case


@needs_captures
@pytest.mark.parametrize("made", ["opened", "whole"])
def test_every_failover_with_its_cause_and_window(made, request):
    opened = request.getfixturevalue(made)
    query = """
        select from_host, to_host, mode, trigger, cause, strftime(start, '%H:%M:%S'), strftime("end", '%H:%M:%S')
        from failovers order by failover_id
    """  # noqa: E501
    assert opened.sql(query).fetchall() == FAILOVERS


@needs_captures
def test_every_entry_into_primary_but_the_first_is_a_failover(opened):
    entries = (
        "select time from timeline where kind = 'replica_state' and after = 'PRIMARY_NORMAL' order by time"
    )
    ends = 'select "end" from failovers order by failover_id'
    assert opened.sql(entries).fetchall()[1:] == opened.sql(ends).fetchall()


@needs_captures
def test_a_guess_from_absence_is_worth_no_more_than_half(opened):
    query = "select failover_id from failovers where confidence <= 0.5 order by all"
    assert opened.sql(query).fetchall() == [(3,)]


@needs_captures
def test_the_excerpt_of_the_cluster_logs_has_its_time_from_what_the_errorlogs_note(whole):
    query = f"""
        select distinct strftime(time, '%H:%M:%S.%g'), kind, host_id, value
        from timeline, unnest(witnesses) as t(w)
        where w.source = 'cluster log' and kind in ('node_removed', 'node_quarantined', 'quorum_lost', 'group_orphaned')
          and time >= '2017-10-23 21:53:50+00' and coalesce(host_id, '{V2}') in ('{V1}', '{V2}')
        order by all
    """  # noqa: E501
    assert whole.sql(query).fetchall() == [
        ("21:53:54.598", "node_removed", V2, None),
        ("21:53:54.600", "quorum_lost", V1, None),
        ("22:19:06.642", "node_removed", V2, None),
        ("22:19:06.693", "group_orphaned", None, None),
        ("22:19:06.694", "node_quarantined", V2, 3.0),
    ]


@needs_captures
def test_the_cluster_logs_make_sure_what_the_nodes_alone_leave_open(whole):
    query = "select failover_id, confidence from failovers where failover_id in (3, 7, 8, 9) order by all"
    assert whole.sql(query).fetchall() == [(3, 0.75), (7, 0.9), (8, 0.8), (9, 0.85)]


@needs_captures
@pytest.mark.parametrize("made", ["opened", "whole"])
def test_who_stood_still_of_what_and_for_how_long(made, request):
    query = """
        select host_id, kind, strftime(start, '%H:%M:%S.%g'), strftime("end", '%H:%M:%S.%g'), seconds_low, seconds_high,
               round(clock_gained_s, 1), kept_running
        from standstills order by start
    """  # noqa: E501
    assert request.getfixturevalue(made).sql(query).fetchall() == [
        (V2, "SQL Server silent", "20:46:14.604", "20:47:06.070", 19.531, 51.465, None, [V1]),
        (V2, "SQL Server silent", "21:00:32.353", "21:04:32.730", 206.484, 240.377, 0.0, [V1]),
        (V2, "machine paused", "22:18:59.752", "22:25:00.950", 361.198, 361.198, 361.2, [V1]),
    ]


@needs_captures
def test_the_three_times_with_two_primaries(whole):
    found = [f for f in whole.findings() if f.id == "health.two_primaries"]
    told = sorted((f.window["start"][11:19], *(e.value for e in f.evidence[:2])) for f in found)
    assert [(at, round(both, 1), round(awake, 1)) for at, both, awake in told] == [
        ("21:02:13", 139.3, 0.0), ("21:53:42", 22.6, 22.6), ("22:19:08", 376.1, 23.2),
    ]  # fmt: skip


@needs_captures
def test_what_quorum_explains_is_not_explained_by_nothing(whole):
    lost = [f for f in whole.findings() if f.id == "health.disconnect"]
    told = {f.window["start"][11:19]: f.narrative for f in lost}
    assert sorted(told) == ["20:55:37", "20:56:47", "20:58:10", "21:20:09", "21:24:18", "21:30:04"]
    for at in ("21:20:09", "21:24:18"):
        assert "ZE-2016-V2 was no longer online in the cluster then" in told[at]
    assert "processors of the machine" in told["20:58:10"]


@needs_captures
def test_a_group_without_a_partner_for_a_quarter_and_half_an_hour_is_told(whole):
    found = [f for f in whole.findings() if f.id == "health.failover"]
    alone = {
        f.window["end"][11:19]: e.value
        for f in found
        for e in f.evidence
        if e.label == "time without a partner"
    }
    assert {at: round(seconds / 60) for at, seconds in alone.items() if seconds > 600} == {
        "21:53:42": 15,
        "22:19:08": 31,
    }


@needs_captures
def test_the_pause_of_a_machine_is_one_incident_with_its_lease_its_node_and_its_failover(whole):
    query = """
        select kind, failovers, hosts, list_sort(list_distinct([p.kind for p in parts]))
        from incidents where list_contains(failovers, 9)
    """
    assert whole.sql(query).fetchall() == [
        ("failover", [9], [V1, V2],
         ["ag_failed", "connection_timeout", "failover", "group_orphaned", "lease_expired", "node_offline",
          "node_quarantined",
          "node_removed", "standstill", "udp_lost"]),
    ]  # fmt: skip
    # Those of 20:47:06 and 21:04:32 are parts of failovers that tell why they ran out, too.
    assert [f for f in whole.findings() if f.id == "health.lease"] == []


@needs_captures
@pytest.mark.parametrize(("kind", "number"), [("replica_state", 19406), ("database_role", 1480)])
def test_every_change_of_role_is_on_the_timeline_once(opened, kind, number):
    query = (
        f"select content_id, line from messages where message_id = {number} and host_id is not null order "
        f"by all"
    )
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
