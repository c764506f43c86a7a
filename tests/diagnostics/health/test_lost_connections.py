"""What of a lost connection belongs to a failover, what bounds it, and what is asked of both its ends."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import connections
from agtrace.diagnostics.health.near import Near
from agtrace.diagnostics.health.rows import Replicas
from agtrace.history.coverage import Coverage, Stretch
from agtrace.thresholds import Thresholds
from tests.diagnostics.asking import record
from tests.diagnostics.health.cases import at, event, failover, incident, iso, look, told
from tests.folded import folded

LIMITS = Thresholds()
LOST = event(1000, "A", "connection_timeout", replica="B", ag="AG", text="timed out")
BACK = event(1900, "A", "connected", replica="B", ag="AG", text="established")
BOTH = {"A": 7200, "B": 7200}


def judged(*events, rows=(), look=None, replicas=(), watched=BOTH, **more):
    made = replace(told(list(rows), list(events or (LOST, BACK)), watched=watched), **more)
    seen = look or (lambda _moments: {})
    return connections.lost_connections(made, LIMITS, seen, replicas)


@pytest.mark.parametrize(
    ("start", "end", "n"),
    [(939, 999, 1), (939, 1000, 0), (800, 1000, 0), (800, 999, 1), (940, 950, 0), (1060, 1070, 0)],
)
def test_a_loss_within_a_failover_or_near_its_begin_is_a_part_of_it(start, end, n):
    assert len(judged(rows=[failover(start, end)])) == n


@folded(
    ("start", "end", "hosts", "failovers", "n"),
    [
        (1000, 1100, ["A", "B"], [1], 0),
        (1001, 1100, ["A", "B"], [1], 1),
        (900, 940, ["A", "B"], [1], 0),
        (900, 939, ["A", "B"], [1], 1),
        (900, 1100, ["A", "B", "C"], [1], 0),
        (900, 1100, ["A", "C"], [1], 1),
        (900, 1100, ["A", "B"], [], 1),
    ],
)
def test_a_loss_between_hosts_of_an_incident_with_a_failover_is_a_part_of_it(start, end, hosts, failovers, n):
    assert len(judged(incidents=(incident(start, end, failovers, hosts),))) == n


@pytest.mark.parametrize(
    ("rows", "session"),
    [
        ([], None),
        ([("AG", "B", 15)], 15),
        ([("OTHER", "B", 15)], None),
        ([("AG", "C", 15)], None),
        ([("AG", "B", None)], None),
        ([("AG", "C", 5), ("OTHER", "B", 6), ("AG", "b", 15), ("AG", "B", 20)], 15),
    ],
)
def test_the_session_timeout_is_that_of_the_replica_that_was_lost(rows, session):
    replicas = [
        record(Replicas, ag=ag, replica=name, session_timeout_s=seconds, content_id="log-A", line=4)
        for ag, name, seconds in rows
    ]
    (found,) = judged(replicas=replicas)
    assert found.facts["session"] == session
    assert [e.value for e in found.evidence if e.label == "session_timeout"] == [session] * bool(session)


def test_heartbeats_that_were_missed_show_the_network_though_an_end_was_not_watched():
    missed = event(1010, "A", "heartbeats_missed", "cluster log", text="missed")
    (found,) = judged(LOST, missed, BACK, watched={"A": 7200})
    assert (found.facts["unseen"], found.facts["network"]) == (("B",), "shown")


@pytest.mark.parametrize(
    ("host", "network"), [("A", "shown"), ("B", "shown"), (None, "shown"), ("C", "open")]
)
def test_heartbeats_show_the_network_of_the_nodes_that_they_name(host, network):
    missed = event(1010, host, "udp_lost", "cluster log", text="lost")
    assert [each.facts["network"] for each in judged(LOST, missed, BACK)] == [network]


def test_no_task_that_waited_is_told_as_none():
    near = Near(processors=12.0, processors_by="perfmon", disk_ms=3.0, tasks=0)
    (found,) = judged(look=lambda moments: dict.fromkeys(moments, near))
    assert [(e.label, e.value, e.source) for e in found.evidence] == [
        ("time without a connection", 900.0, "ERRORLOG, AlwaysOn_health"),
        ("lost", "timed out", "ERRORLOG of A, A/ERRORLOG line 7"),
        *(
            each
            for host in "AB"
            for each in (
                (f"tasks of {host} that waited for a worker", 0, "sp_server_diagnostics"),
                (f"processors of {host}, at most", 12.0, "perfmon"),
                (f"disk reads and writes of {host}, at most", 3.0, "perfmon"),
            )
        ),
        ("connected again", "established", "ERRORLOG of A, A/ERRORLOG line 7"),
    ]
    assert (found.facts["network"], found.confidence) == ("left", 0.9)


def test_a_look_bounds_nothing_that_a_log_ends():
    (found,) = judged(connected=(look(1500),))
    assert (found.severity, found.window["end"], found.confidence) == ("warning", iso(1900), 0.9)
    assert [e.label for e in found.evidence] == ["time without a connection", "lost", "connected again"]


def test_a_look_bounds_nothing_of_which_the_log_leaves_out_the_end():
    left_out = ({"host_id": "A", "from_s": at(1100).timestamp(), "to_s": at(5000).timestamp()},)
    (found,) = judged(LOST, connected=(look(1500),), left_out=left_out)
    assert (found.severity, found.window["end"], found.confidence) == ("notice", iso(1100), 0.7)
    assert [(e.label, e.value) for e in found.evidence] == [
        ("time without a connection, at least", 100.0), ("lost", "timed out")
    ]  # fmt: skip


def test_an_end_that_was_watched_by_a_session_alone_rules_no_handshake_out():
    seen = Coverage(
        [
            Stretch("A", None, "ERRORLOG", at(0), at(7200)),
            Stretch("B", None, "AlwaysOn_health", at(0), at(7200)),
        ]
    )
    near = Near(processors=12.0, processors_by="perfmon", disk_ms=3.0, tasks=0)
    (found,) = judged(coverage=seen, look=lambda moments: dict.fromkeys(moments, near))
    assert (found.facts["unseen"], found.facts["network"]) == ((), "open")
    assert found.facts["not_seen"] == [{"what": "handshake", "how": "", "value": None, "hosts": ["B"]}]
