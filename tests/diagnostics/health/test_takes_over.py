"""Whether a replica would take over, by rows of looks: how, and what forbids it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import readiness
from agtrace.diagnostics.health.allowed import Cluster
from agtrace.diagnostics.health.rows import ReadinessMembers
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, setting, told
from tests.diagnostics.health.standings import LOOKED, database, row, standing
from tests.folded import folded

LIMITS = Thresholds()
MANUAL = {"failover_mode": "MANUAL"}
LATE = {"availability_mode": "ASYNCHRONOUS_COMMIT", "failover_mode": "MANUAL"}
UNKNOWN_MODE = {"availability_mode": None}


def ready(*standings, events=(), failovers=(), cluster=None, **more):
    made = replace(told(list(failovers), sorted(events, key=lambda each: each.time)), **more)
    return readiness.ready(made, standings, cluster or Cluster(), LIMITS)


def how(one, primary=None, **more):
    found = ready(primary or standing("A", [database()]), one, **more)[-1]
    return found.how, [each.kind for each in found.obstacles]


@folded(
    ("databases", "more", "expected"),
    [
        ([database()], {}, "itself"),
        ([database()], MANUAL, "asked"),
        ([database()], LATE, "forced"),
        ([database()], UNKNOWN_MODE, "unknown"),
        ([database()], {"role": "RESOLVING"}, "unknown"),
        ([database()], {"knows": False}, "unknown"),
        ([], {}, "itself"),
        ([], {"synchronization_health": None}, "unknown"),
        ([database()], {"synchronization_health": None}, "itself"),
        ([database()], {"synchronization_health": "NOT_HEALTHY"}, "itself"),
        ([database()], {"primary": row("C")}, "unknown"),
        ([database()], {"primary": None}, "unknown"),
        ([database(synchronization_state=None)], {}, "itself"),
    ],
)
def test_how_a_replica_would_take_over_goes_by_its_modes_and_what_is_known(databases, more, expected):
    assert how(standing("B", databases, **more)) == (expected, [])


def test_a_primary_takes_over_nothing_and_costs_nothing():
    (one,) = ready(standing("A", [database(is_suspended=True, log_send_queue_kb=9)]))
    assert (one.how, one.obstacles, one.unsent_kb, one.behind_s, one.redo_s) == ("", [], None, None, None)


def test_the_primary_is_that_of_its_own_group():
    found = ready(standing("A", [database()], ag="AH"), standing("B", [database()]))
    assert found[1].how == "unknown"
    found = ready(standing("a.contoso.com", [database()], primary=row("a")), standing("B", [database()]))
    assert found[1].how == "itself"


# What the databases of a look tell.


@pytest.mark.parametrize(
    ("value", "obstacles"),
    [("SYNCHRONIZED", []), ("SYNCHRONIZING", []), (None, []), ("NOT SYNCHRONIZING", ["not_synchronised"]),
     ("REVERTING", ["not_synchronised"])],
)  # fmt: skip
def test_an_asynchronous_database_has_to_keep_up(value, obstacles):
    databases = [database(synchronization_state=value, is_failover_ready=False)]
    assert how(standing("B", databases, **LATE)) == ("forced", obstacles)


def test_databases_that_forbid_it_are_named_with_their_states_five_of_many():
    rows = [database(f"D{n}", synchronization_state="SYNCHRONIZING", line=n) for n in range(6)]
    paused = [
        database("P1", is_suspended=True, suspend_reason="SUSPEND_FROM_USER"),
        database("P2", is_suspended=True, suspend_reason=None, synchronization_state=None),
        database("P3", is_suspended=True, suspend_reason="SUSPEND_FROM_REDO"),
        database("P4", is_suspended=True, suspend_reason="SUSPEND_FROM_USER"),
    ]
    _, one = ready(standing("A"), standing("B", [*rows, *paused]))
    suspended, behind = one.obstacles
    assert suspended.facts == {
        "suspended": ["P1", "P2", "P3", "P4"], "of": 10, "reasons": ["SUSPEND_FROM_REDO", "SUSPEND_FROM_USER"]
    }  # fmt: skip
    assert [e.value for e in suspended.evidence] == ["SYNCHRONIZED", "not known", *["SYNCHRONIZED"] * 2]
    assert behind.facts == {"not_synchronised": [f"D{n}" for n in range(6)], "of": 10}
    assert [(e.label, e.value, e.source) for e in behind.evidence] == [
        (f"state of D{n}", "SYNCHRONIZING", f"A/ERRORLOG line {n}") for n in range(5)
    ]


# What the look or a log tells of its connection.

CUT = {"connected_state": "DISCONNECTED"}


def test_a_replica_that_was_not_connected_is_told_with_its_error():
    _, one = ready(
        standing("A"), standing("B", [database(is_suspended=True)], last_connect_error="10060", **CUT)
    )
    (reason,) = one.obstacles
    assert (one.how, reason.kind, dict(reason.facts)) == ("forced", "not_connected", {})
    assert [(e.label, e.value, e.source) for e in reason.evidence] == [
        ("connected_state", "DISCONNECTED", "A/ERRORLOG line 4"),
        ("last connect error", "10060", "A/ERRORLOG line 4")
    ]  # fmt: skip
    _, one = ready(standing("A"), standing("B", [database()], **CUT))
    assert [[e.label for e in each.evidence] for each in one.obstacles] == [["connected_state"]]


def back(seconds=601, host="A", replica="B", kind="connected"):
    return event(seconds, host, kind, replica=replica, ag="AG")


@folded(
    ("row", "is_back"),
    [
        (back(), True), (back(600), False), (back(599), False), (back(600.1), True),
        (back(host="B", replica="A"), True),
        (back(replica=None), True), (back(replica="b.contoso.com"), True), (back(replica="C"), False),
        (back(host="C", replica="A"), False), (back(host="C", replica=None), False),
        (back(kind="database_connected"), True), (back(kind="movement_resumed"), True),
        (back(kind="dump"), False),
    ],
)  # fmt: skip
def test_what_a_log_tells_later_of_both_ends_is_not_of_the_look(row, is_back):
    cut = standing("B", [database()], **CUT)
    behind = standing("B", [database(synchronization_state="SYNCHRONIZING")])
    assert how(cut, events=[row]) == (("unknown", []) if is_back else ("forced", ["not_connected"]))
    assert how(behind, events=[row]) == (("unknown", []) if is_back else ("forced", ["not_synchronised"]))


def test_a_look_whose_time_or_primary_is_not_known_is_held_against_no_log():
    assert how(standing("B", [database()], time=None, **CUT), events=[back()])[0] == "forced"
    unknown = standing("B", [database(is_suspended=True)], primary=None, **CUT)
    assert how(unknown, events=[back()]) == ("unknown", [])


# What the cluster tells.


def member(value="DOWN", seconds=LOOKED, node="B", host="A"):
    local = at(seconds).replace(tzinfo=None)
    return ReadinessMembers(host, node, value, local, "log-A", 8)


def test_the_node_of_a_replica_is_the_one_that_the_look_names_else_its_host():
    for more, n in (({"node": "N1"}, 1), ({"node": None}, 0)):
        _, found = ready(
            standing("A"), standing("B", [database()], **more), cluster=Cluster(members=[member(node="N1")])
        )
        assert len(found.obstacles) == n


def failed(seconds=500, kind="monitor_failed", host="B", ag="AG", after="permission"):
    return event(seconds, host, kind, ag=ag, after=after, text="its text")


WEEK = 7 * 86_400


@folded(
    ("one", "kind"),
    [
        (failed(), "unmonitored"), (failed(ag=None), "unmonitored"), (failed(ag="AH"), None),
        (failed(after="login"), "unmonitored"), (failed(after="encryption"), "unmonitored"),
        (failed(after="driver"), "unmonitored"), (failed(after="protocol"), "unmonitored"),
        (failed(after="delay"), None), (failed(host="C"), None), (failed(host="N1"), "unmonitored"),
        (failed(LOOKED - WEEK), None), (failed(LOOKED - WEEK + 1), "unmonitored"),
        (failed(900), "unmonitored"),
        (failed(kind="online_failed", after=None), "not_online"),
        (failed(kind="online_failed", ag=None), None),
        (failed(kind="online_failed", ag="AH"), None), (failed(kind="dump"), None),
    ],
)  # fmt: skip
def test_what_keeps_a_group_from_coming_online_on_a_host_lasts_a_week(one, kind):
    _, found = ready(
        standing("A"), standing("B", [database()], node="N1"), events=[one], platforms={"B": "Linux"}
    )
    assert (found.how, [each.kind for each in found.obstacles]) == (
        ("not", [kind]) if kind else ("itself", [])
    )
    for reason in found.obstacles:
        assert reason.facts == {
            "what": one.after, "then": one.time, "text": "its text", "platform": "Linux",
        }  # fmt: skip
        assert [e.value for e in reason.evidence] == ["its text"]


def online(seconds, kind="resource_online", ag="AG", host="B", after=None):
    return event(seconds, host, kind, ag=ag, after=after, before=None)


@folded(
    ("since", "n"),
    [
        (online(500.1), 0), (online(500), 0), (online(499), 1), (online(550, ag="AH"), 1),
        (online(550, host="C"), 1),
        (online(550, host="N1"), 0), (online(550, "replica_state", after="PRIMARY_NORMAL"), 0),
        (online(550, "replica_state", after="RESOLVING_NORMAL"), 1),
        (online(550, "replica_state", ag="AH", after="PRIMARY_NORMAL"), 1),
    ],
)  # fmt: skip
def test_a_group_that_came_online_there_since_can(since, n):
    _, found = ready(standing("A"), standing("B", [database()], node="N1"), events=[failed(), since])
    assert len(found.obstacles) == n


def test_the_last_failure_is_told_and_what_the_cluster_could_not_monitor_before_the_other():
    rows = [failed(400, after="login"), failed(450, host="N1"), failed(480, "online_failed")]
    _, found = ready(standing("A"), standing("B", [database()], node="N1"), events=rows)
    assert [(each.kind, each.facts["then"]) for each in found.obstacles] == [("unmonitored", at(450))]
    _, found = ready(standing("A"), standing("B", [database()], time=None), events=rows)
    assert found.obstacles == []


def test_what_forbids_it_by_itself_leaves_it_to_who_asks():
    reached = event(500, "B", "threshold_reached", ag="AG", value=3.0, text="Not failing over")
    owners = setting("resource", "AG", "owner_nodes", "A")
    assert how(standing("B", [database()]), events=[reached]) == ("asked", ["threshold"])
    assert how(standing("B", [database()], **MANUAL), events=[reached]) == ("asked", [])
    owned = Cluster(settings=[owners])
    assert how(standing("B", [database()]), cluster=owned) == ("unknown", ["not_owner"])
    both = standing("B", [database(is_suspended=True)])
    assert how(both, events=[reached]) == ("forced", ["suspended", "threshold"])
