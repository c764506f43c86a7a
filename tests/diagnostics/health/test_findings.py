"""What the health findings say of what the relations tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import (
    connections,
    failed_over,
    groups,
    servers,
    settings,
    standing,
    two_primaries,
)
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.figures import lanes, stays
from agtrace.diagnostics.health.summary import key_figures, stories, summary
from agtrace.history.coverage import Coverage, Stretch
from agtrace.say import words
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import at, event, failover, findings, iso, reason, restart, told

LIMITS = Thresholds()


def state(seconds, host, before, after, ag="AG"):
    return event(
        seconds, host, "replica_state", ag=ag, before=before, after=after, text=f"{before} to {after}"
    )


# Failovers


def test_a_failover_names_its_subject_window_and_time_without_a_primary():
    (found,) = findings(failed_over.failovers, told([failover(100, 108.4)]), LIMITS)
    assert found.id == "health.failover"
    assert found.subject == {"ag": "AG", "from": "A", "to": "B", "mode": "automatic",
                             "trigger": "lease_expired", "cause": "lease_expired"}  # fmt: skip
    assert found.window == {"start": iso(100), "end": iso(108.4)}
    assert (found.evidence[0].label, found.evidence[0].unit) == ("time without a primary", "s")
    assert found.evidence[0].value == pytest.approx(8.4)
    assert found.confidence == 0.8


def test_a_failover_whose_begin_is_not_known_has_no_time_and_no_span():
    (found,) = findings(failed_over.failovers, told([failover(None, 50, from_="")]), LIMITS)
    assert found.window == {"start": iso(50), "end": iso(50)}
    assert found.evidence[0].value is None
    assert found.subject["from"] == ""
    assert "not captured" in found.narrative


@pytest.mark.parametrize(
    ("mode", "seconds", "severity"),
    [
        ("planned", 3, "info"), ("planned", 61, "notice"), ("automatic", 3, "warning"),
        ("automatic", 61, "critical"),
        ("forced", 3, "critical"), ("open", 3, "warning"),
    ],
)  # fmt: skip
def test_severity_follows_mode_and_length(mode, seconds, severity):
    row = failover(100, 100 + seconds, mode=mode)
    assert failed_over.severity(row, LIMITS) == severity


def test_a_statement_that_may_have_been_forced_says_so_and_is_no_warning():
    asked = {"mode": "open", "trigger": "ddl_failover", "cause": "ddl_failover", "confidence": 0.5}
    (found,) = findings(failed_over.failovers, told([failover(100, 103, **asked)]), LIMITS)
    assert found.severity == "notice"
    assert found.title.endswith("a statement on the new primary asked for the failover, or forced it")
    assert "SUSPEND_FROM_PARTNER" in found.recommendation
    (found,) = findings(failed_over.failovers, told([failover(100, 161, **asked)]), LIMITS)
    assert found.severity == "warning"


def test_each_captured_host_of_a_failover_has_an_entry_that_names_it():
    events = [
        state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
        state(108, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        event(109, "B", "connected", replica="A", text="connected"),
    ]
    row = failover(100, 108, reasons=[reason(99, "A", "lease_lost", "the lease is gone")])
    (found,) = findings(failed_over.failovers, told([row], events), LIMITS)
    _, first, second = found.evidence
    assert first.value == "the lease is gone"
    assert first.source == "ERRORLOG of A, A/ERRORLOG line 9"
    assert second.label == "replica state on B"
    assert second.value == "PRIMARY_PENDING to PRIMARY_NORMAL"


def test_entries_of_many_kinds_come_before_many_of_one_kind():
    many = [reason(50 + n, "A", "processors_busy", f"busy {n}") for n in range(30)]
    row = failover(100, 108, reasons=[*many, reason(99, "A", "lease_lost", "gone")])
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert [e.value for e in found.evidence[1:3]] == ["busy 0", "gone"]
    assert len(found.evidence) == 1 + failed_over.MOST


def test_the_chain_goes_from_the_root_to_the_failover():
    row = failover(100, 108, cause="cpu_starvation", against=["no sample after the expiry"])
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert found.narrative.startswith(
        "The processors of the primary were busy -> the lease was not renewed in time -> failover from A to "
        "B."
    )
    assert "Against it, or unexplained: no sample after the expiry." in found.narrative


def test_a_cause_that_is_open_says_what_to_capture():
    row = failover(100, 108, cause="open", trigger="open", confidence=0.3)
    captured = {"A": {"SQL Server ERRORLOG"}, "B": {"SQL Server ERRORLOG", "AlwaysOn_health"}}
    (found,) = findings(failed_over.failovers, replace(told([row]), captured=captured), LIMITS)
    assert found.recommendation.endswith(
        "To decide it, add the session AlwaysOn_health of A; the cluster log (Get-ClusterLog) of A and B."
    )


def test_nothing_is_asked_for_that_was_captured():
    row = failover(100, 108, cause="open", trigger="open", confidence=0.3)
    captured = {host: {"SQL Server ERRORLOG", "AlwaysOn_health", "cluster log"} for host in "AB"}
    (found,) = findings(failed_over.failovers, replace(told([row]), captured=captured), LIMITS)
    assert "To decide it" not in found.recommendation


@pytest.mark.parametrize(
    ("confidence", "end"),
    [(0.6, "without a primary: the process of the primary ended without a word"),
     (0.5, "without a primary; likely cause: the process of the primary ended without a word")],
)  # fmt: skip
def test_a_cause_below_sure_is_called_likely_in_the_title(confidence, end):
    row = failover(100, 108, cause="instance_died", trigger="instance_died", confidence=confidence)
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert found.title.endswith(end)


def test_an_entry_is_told_by_the_clock_of_its_host_and_the_corrected_time_stands_in_brackets():
    one = reason(99, "A", "lease_lost", "gone") | {"own_time": at(101.8)}
    (found,) = findings(failed_over.failovers, told([failover(100, 108, reasons=[one])]), LIMITS)
    assert "What shows it: 12:01:41.8 (12:01:39.0 corrected) A: gone." in found.narrative


def moved(ag, number, start, end, **more):
    return failover(start, end, ag=ag, failover_id=number, **more)


def together(rows):
    incident = {"incident_id": 1, "start": at(90), "end": at(200), "ags": ["G1", "G2"], "hosts": ["A", "B"],
        "kind": "failover",
                "failovers": [row["failover_id"] for row in rows], "parts_n": 2, "parts": []}  # fmt: skip
    return replace(told(rows), incidents=(incident,))


def test_of_groups_that_move_together_one_carries_the_severity_and_names_all():
    rows = [moved("G1", 1, 100, 108), moved("G2", 2, 100, 111)]
    first, second = findings(failed_over.failovers, together(rows), LIMITS)
    assert (second.severity, second.subject["ag"]) == ("warning", "G2")
    assert second.title.startswith("G2 and G1: automatic failover from A to B, 11 s without a primary")
    assert (first.severity, first.subject["ag"]) == ("notice", "G1")
    assert "2 groups moved together: G2 and G1." in first.narrative


def test_groups_that_fail_over_in_place_at_once_move_together_too():
    rows = [moved("G1", 1, 100, 108, to="A"), moved("G2", 2, 100, 111, to="A")]
    assert [f.severity for f in findings(failed_over.failovers, together(rows), LIMITS)] == [
        "notice",
        "warning",
    ]


def test_a_group_that_fails_over_twice_in_an_incident_moves_with_itself_no_second_time():
    rows = [moved("G1", 1, 100, 108), moved("G1", 2, 150, 158)]
    assert [f.severity for f in findings(failed_over.failovers, together(rows), LIMITS)] == ["warning"] * 2


def watched(**hosts):
    return Coverage(Stretch(host, None, "ERRORLOG", at(0), at(until)) for host, until in hosts.items())


def test_a_group_without_a_partner_after_a_failover_is_told_with_its_length():
    events = [event(1008, "B", "connected", replica="A", ag="AG", text="established")]
    made = replace(told([failover(100, 108)], events), coverage=watched(B=7200))
    (found,) = findings(failed_over.failovers, made, LIMITS)
    assert [(e.label, e.value) for e in found.evidence[:2]] == [
        ("time without a primary", 8), ("time without a partner", 900.0),
    ]  # fmt: skip
    assert "It had no partner for 15 min after that, until 12:16:48.0" in found.narrative


@pytest.mark.parametrize("back", [112, None], ids=["soon", "nobody watched it"])
def test_a_partner_that_is_back_soon_or_that_nobody_watched_for_is_worth_no_word(back):
    events = [event(back, "B", "connected", replica="A", ag="AG")] if back else []
    hosts = {"B": 7200} if back else {"B": 120}
    made = replace(told([failover(100, 108)], events), coverage=watched(**hosts))
    (found,) = findings(failed_over.failovers, made, LIMITS)
    assert "partner" not in found.narrative


CAUSES = (
    "ddl_failover", "cluster_move", "node_drained", "ddl_forced", "lease_expired", "health_timeout",
    "health_error", "quorum_lost",
    "node_down", "instance_stopped", "instance_died", "database_failed", "standstill", "cpu_starvation",
    "long_io", "memory_pressure",
    "dump", "network",
)  # fmt: skip


@pytest.mark.parametrize("name", CAUSES)
def test_every_cause_has_words_and_a_remedy(name):
    row, undecided = failover(100, 108, cause=name), failover(100, 108, cause="open")
    found, other = findings(failed_over.failovers, told([row, undecided]), LIMITS)
    assert found.title != other.title
    assert found.recommendation != other.recommendation


def test_databases_are_usable_after_the_group_by_the_clock_of_the_events():
    events = [
        event(105.9, "B", "database_role", database="Sales", before="RESOLVING", after="PRIMARY",
            skew_ms=2000.0),
        event(108.0, "B", "database_role", database="Stock", before="RESOLVING", after="PRIMARY",
            skew_ms=2000.0),
    ]  # fmt: skip
    (found,) = findings(failed_over.failovers, told([failover(100, 107)], events), LIMITS)
    assert "2 databases took the role of the primary, the last one 3 s after the group." in found.narrative


def test_text_of_captures_is_flattened():
    row = failover(100, 108, reasons=[reason(99, "A", "lease_lost", "a\n\x1b[31mb")])
    (found,) = findings(failed_over.failovers, told([row]), LIMITS)
    assert found.evidence[1].value == "a [31mb"


# Connections


def test_a_connection_is_lost_from_the_timeout_until_it_is_established():
    events = [
        event(100, "A", "connection_timeout", replica="B", text="timed out"),
        event(100.1, "A", "database_disconnected", replica="B", database="Sales"),
        event(130, "A", "connected", replica="B", ag="AG", text="established"),
        event(130.4, "A", "database_connected", replica="B", database="Sales"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert (found.id, found.severity) == ("health.disconnect", "notice")
    assert found.subject == {"ag": "AG", "host": "A", "replica": "B"}
    assert found.window == {"start": iso(100), "end": iso(130)}
    assert found.evidence[0].value == 30


def test_a_connection_that_does_not_come_back_is_a_warning_until_the_captures_end():
    events = [event(100, "A", "connection_timeout", replica="B", ag="AG")]
    (found,) = findings(connections.lost_connections, told(events=events, last=900), LIMITS)
    assert (found.severity, found.window["end"]) == ("warning", iso(900))
    assert found.evidence[0].value is None


def look(seconds, host="A", replica="b"):
    return {"host_id": host, "replica": replica, "time": at(seconds), "content_id": "log-A", "line": 4}


@pytest.mark.parametrize(
    ("logged", "looked"), [("B", "b"), ("B", "b.contoso.com"), (r"b\Inst", r"B.CONTOSO.COM\INST")]
)
def test_a_look_that_shows_it_connected_bounds_a_loss_that_no_log_ends(logged, looked):
    events = [event(100, "A", "connection_timeout", replica=logged, ag="AG")]
    looks = tuple(look(seconds, replica=looked) for seconds in (50, 860, 880))
    made = replace(told(events=events, last=900), connected=looks)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert (found.severity, found.window["end"]) == ("notice", iso(860))
    assert (found.evidence[0].label, found.evidence[0].value) == ("time without a connection, at most", 760)
    assert "12 min 40 s at most, then a look shows it connected" in found.title


@pytest.mark.parametrize(
    "connected",
    [(look(50),), (look(160, "B", "A"),), (look(160, "A", "C"),), (look(860, "A", r"B\INST"),), (look(160),)],
    ids=[
        "before",
        "of the other end",
        "of another replica",
        "of another instance",
        "before it was lost again",
    ],
)
def test_other_looks_bound_nothing(connected):
    events = [event(seconds, "A", "connection_timeout", replica="B", ag="AG") for seconds in (100, 300)]
    (found,) = findings(
        connections.lost_connections, replace(told(events=events, last=900), connected=connected), LIMITS
    )
    assert found.window["end"] == iso(900)


LOSS = [
    event(100, "A", "connection_timeout", replica="B", ag="AG"),
    event(900, "A", "connected", replica="B", ag="AG"),
]


def test_a_lost_connection_that_belongs_to_a_failover_is_none_of_its_own():
    assert findings(connections.lost_connections, told([failover(99, 105)], LOSS), LIMITS) == []


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (event(95, "B", "restart", after="stopped", end=120), "B restarted then."),
        (event(108, "B", "node_offline", text="41049"), "B was no longer online in the cluster then."),
        (event(108, "B", "quorum_lost", "cluster log"), "B lost quorum then."),
        (event(108, "B", "node_removed", "cluster log"), "B was removed from the cluster then."),
        (state(110, "A", "SECONDARY_NORMAL", "RESOLVING_NORMAL"), "A changed its role then."),
    ],
)  # fmt: skip
def test_a_lost_connection_beside_a_restart_the_node_or_quorum_of_either_end_is_explained(more, words):
    (found,) = findings(connections.lost_connections, told(events=[*LOSS, more]), LIMITS)
    assert found.severity == "info"
    assert words in found.narrative


def test_a_lost_connection_to_a_host_that_stood_still_is_explained():
    (found,) = findings(
        connections.lost_connections, replace(told(events=LOSS), standstills=(still("B", 80, 400),)), LIMITS
    )
    assert "B stood still then." in found.narrative


def test_nothing_explains_a_loss_only_where_both_ends_were_watched():
    of_one = replace(told(events=LOSS), coverage=watched(A=7200))
    (found,) = findings(connections.lost_connections, of_one, LIMITS)
    assert "What could explain it was not captured of B for that time." in found.narrative
    of_both = replace(told(events=LOSS), coverage=watched(A=7200, B=7200))
    (found,) = findings(connections.lost_connections, of_both, LIMITS)
    assert "nor the node or quorum of either explains it." in found.narrative


def test_what_both_ends_wrote_of_one_loss_counts_once():
    other = [
        event(103, "B", "connection_timeout", replica="A", ag="AG"),
        event(899, "B", "connected", replica="A", ag="AG"),
    ]
    (found,) = findings(connections.lost_connections, told(events=[*LOSS, *other]), LIMITS)
    assert found.subject == {"ag": "AG", "host": "A", "replica": "B"}
    assert found.window == {"start": iso(100), "end": iso(900)}
    assert [e.label for e in found.evidence] == [
        "time without a connection",
        "lost",
        "lost, on B",
        "connected again",
    ]


def test_what_both_ends_wrote_counts_once_though_another_instance_of_them_lost_its_own_meanwhile():
    def of(at, host, kind, far, ag):
        return event(at, host, kind, replica=rf"{far}\{ag}", ag=ag)

    first = [of(100, "A", "connection_timeout", "B", "ONE"), of(270, "B", "connection_timeout", "A", "ONE")]
    first += [of(278, "A", "connected", "B", "ONE"), of(278, "B", "connected", "A", "ONE")]
    other = [of(135, "A", "connection_timeout", "B", "TWO"), of(190, "A", "connected", "B", "TWO")]
    found = findings(connections.lost_connections, told(events=[*first, *other]), LIMITS)
    assert [(f.subject["ag"], f.evidence[0].value) for f in found] == [("ONE", 178), ("TWO", 55)]


def test_a_database_that_is_disconnected_is_not_a_replica_that_is():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(708, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert (found.severity, found.subject["database"]) == ("info", "Sales")
    assert found.title == "Sales on A was not connected to B: 10 min 8 s"
    assert "No entry (35206, 35202) shows that the replicas themselves lost each other" in found.narrative


def test_a_database_whose_replica_connects_anew_was_lost_with_it():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(172, "A", "connected", replica="B", ag="AG"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert found.subject == {"ag": "AG", "host": "A", "replica": "B"}
    assert found.severity == "notice"


def test_a_loss_is_no_longer_for_what_ends_after_the_replicas_are_connected_again():
    events = [
        event(100, "A", "connection_timeout", replica="B", ag="AG"),
        event(104, "A", "connected", replica="B", ag="AG"),
        event(118, "B", "database_disconnected", replica="A", ag="AG", database="Sales"),
        event(119, "B", "database_connected", replica="A", ag="AG", database="Sales"),
    ]
    (found,) = findings(connections.lost_connections, told(events=events), LIMITS)
    assert found.window == {"start": iso(100), "end": iso(104)}


def test_a_database_that_is_back_within_a_minute_is_worth_no_word():
    events = [
        event(100, "A", "database_disconnected", replica="B", ag="AG", database="Sales"),
        event(130, "A", "database_connected", replica="B", ag="AG", database="Sales"),
    ]
    assert findings(connections.lost_connections, told(events=events), LIMITS) == []


def test_of_many_lost_connections_the_longest_are_told():
    events = []
    for n in range(50):
        events.append(event(100 * n, "A", "connection_timeout", replica="B", ag="AG"))
        events.append(event(100 * n + 1 + n, "A", "connected", replica="B", ag="AG"))
    found = findings(connections.lost_connections, told(events=events), LIMITS)
    assert len(found) == connections.MOST
    assert found[0].evidence[0].value == 31
    assert "50 times in all" in found[0].narrative


LEFT_OUT = ({"host_id": "A", "from_s": at(150).timestamp(), "to_s": at(5000).timestamp()},)


def lost_and_back(host="A", source="ERRORLOG"):
    return [
        event(100, host, "connection_timeout", source, replica="B", ag="AG"),
        event(6000, host, "connected", source, replica="B", ag="AG"),
    ]


def test_a_loss_does_not_last_across_what_the_log_leaves_out():
    made = replace(told(events=lost_and_back(), last=7200), left_out=LEFT_OUT)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert found.title.endswith(
        "not connected to B: 50 s at least, then the ERRORLOG leaves out what followed"
    )
    assert (found.severity, found.window["end"]) == ("notice", iso(150))
    assert (found.evidence[0].label, found.evidence[0].value) == ("time without a connection, at least", 50)
    assert len(found.evidence) == 2


def test_a_loss_behind_what_the_log_leaves_out_is_another():
    again = event(5900, "A", "connection_timeout", replica="B", ag="AG")
    made = replace(told(events=[*lost_and_back(), again]), left_out=LEFT_OUT)
    windows = [found.window for found in findings(connections.lost_connections, made, LIMITS)]
    assert windows == [{"start": iso(100), "end": iso(150)}, {"start": iso(5900), "end": iso(6000)}]


def test_a_log_that_does_not_tell_of_the_connection_again_leaves_its_end_open():
    made = replace(told(events=lost_and_back()[:1], last=7200), left_out=LEFT_OUT)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert found.window["end"] == iso(150)


@pytest.mark.parametrize(
    "events",
    [lost_and_back("C"), lost_and_back(source="Extended Events")],
    ids=["of another host", "seen by a session"],
)
def test_what_a_log_leaves_out_ends_nothing_that_others_tell(events):
    made = replace(told(events=events), left_out=LEFT_OUT)
    (found,) = findings(connections.lost_connections, made, LIMITS)
    assert found.evidence[0].value == 5900


# Servers


@pytest.mark.parametrize(
    ("kind", "severity"),
    [("stopped", "notice"), ("shutdown", "notice"), ("died", "warning"), ("open", "notice")],
)
def test_a_restart_tells_how_the_instance_ended(kind, severity):
    asked = 100 if kind in ("stopped", "shutdown") else None
    row = restart(kind, asked, 100, gone=150, ready=160)
    (found,) = findings(servers.restarts, told(restarts=(row,), grouped=frozenset("A")))
    assert (found.id, found.severity) == ("health.restart", severity)
    assert found.subject == {"host": "A", "kind": kind}
    assert found.window == {"start": iso(100), "end": iso(160)}
    assert found.evidence[0].value == 60


def test_a_death_lies_between_the_last_sign_of_life_and_the_first_proof_and_is_no_absence_from_then_on():
    row = restart("died", None, 100, gone=1900, ready=1910, last_sign_by="message 17176 of the next start")
    (found,) = findings(servers.restarts, told(restarts=(row,)))
    assert found.title == (
        "A restarted, back at 2024-03-05 12:31:50.0 UTC: the process ended without a word between "
        "2024-03-05 12:01:40.0 UTC and 2024-03-05 12:31:40.0 UTC"
    )
    assert "for 10 s at least and 30 min 10 s at most" in found.narrative
    assert "away from" not in found.narrative
    assert [(e.label, e.value) for e in found.evidence[:2]] == [
        ("time away, at most", 1810),
        ("time away, at least", 10),
    ]


def test_what_a_partner_missed_is_a_hint_beside_the_bounds():
    row = restart("died", None, 100, gone=900, ready=910, missed_since=at(110), missed_by="B")
    (found,) = findings(servers.restarts, told(restarts=(row,)))
    assert "B lost its connection to it at 2024-03-05 12:01:50.0 UTC" in found.narrative
    assert found.window == {"start": iso(100), "end": iso(910)}


@pytest.mark.parametrize(
    ("platform", "named", "absent"),
    [
        ("Linux", "journalctl -u mssql-server", "event logs"),
        ("Windows", "System and Application event logs", "journalctl"),
        (None, "logs of the operating system", "event logs"),
    ],
)
def test_what_to_do_about_a_death_names_what_exists_on_that_system(platform, named, absent):
    row = restart("died", None, 100, gone=150, ready=160)
    known = {"A": platform} if platform else {}
    (found,) = findings(servers.restarts, told(restarts=(row,), platforms=known))
    assert named in found.recommendation
    assert absent not in found.recommendation


def test_of_several_instances_on_a_host_the_one_that_restarted_is_named():
    row = restart("stopped", 100, 101, gone=150, ready=160, sql_instance="TWO")
    both = [Stretch("A", name, "ERRORLOG", at(0), at(900)) for name in ("ONE", "TWO")]
    one = replace(told(restarts=(row,)), coverage=Coverage(both))
    (found,) = findings(servers.restarts, one)
    assert found.title.startswith("A\\TWO restarted")
    assert found.subject == {"host": "A", "kind": "stopped", "instance": "TWO"}


def test_long_io_is_told_from_the_first_to_the_last_entry():
    events = [
        event(100, "A", "long_io", value=16_000.0),
        event(150, "A", "long_io", value=39_000.0, text="longest"),
        event(90, "A", "long_io", "Extended Events", value=4.0),
        event(400, "A", "long_io", value=17_000.0),
    ]
    (found,) = findings(servers.long_io, told(events=events))
    assert (found.id, found.subject) == ("health.long_io", {"host": "A"})
    assert found.window == {"start": iso(100), "end": iso(400)}
    assert [e.value for e in found.evidence] == [3, 39_000.0, "longest"]


def test_what_is_slow_because_its_host_stood_still_is_no_storage():
    events = [event(401, "A", "long_io", value=320_000.0), event(900, "A", "long_io", value=17_000.0)]
    (found,) = findings(servers.long_io, replace(told(events=events), standstills=(still("A", 80, 400),)))
    assert found.evidence[0].value == 1
    assert "1 more entry came when it resumed after it had stood still" in found.narrative


def test_a_host_whose_slow_reads_are_all_of_its_standstill_is_not_told():
    events = [event(401, "A", "long_io", value=320_000.0)]
    assert findings(servers.long_io, replace(told(events=events), standstills=(still("A", 80, 400),))) == []


def test_a_lease_that_expires_because_the_machine_woke_up_late_belongs_to_the_failover_before_it():
    events = [event(420, "A", "lease_expired", ag="AG", text="19407")]
    rows = [failover(100, 108, trigger="standstill", cause="standstill")]
    incident = {
        "incident_id": 1,
        "start": at(80),
        "end": at(430),
        "failovers": [1],
        "hosts": ["A", "B"],
        "parts": [],
    }
    made = replace(told(rows, events), incidents=(incident,))
    assert findings(servers.leases, made) == []


def test_a_lease_that_had_run_out_before_it_was_noted_led_to_the_failover():
    events = [event(306, "A", "lease_expired", ag="AG", text="19407", value=206.0)]
    (found,) = findings(servers.leases, told([failover(101, 108)], events))
    assert found.severity == "info"
    assert "It had run out 3 min 26 s before. The group failed over from A to B" in found.narrative


def departs(seconds, host="A"):
    return reason(seconds, host, "replica_state", "PRIMARY_NORMAL to RESOLVING_NORMAL")


def test_a_lease_that_is_noted_as_the_old_primary_leaves_late_is_not_without_a_failover():
    events = [event(306, "A", "lease_expired", ag="AG", text="19407")]
    row = failover(100, 108, trigger="open", cause="open", reasons=[departs(306)])
    (found,) = findings(servers.leases, told([row], events))
    assert found.severity == "info"
    assert "The group failed over from A to B then; the captures do not tell" in found.narrative


def test_a_lease_says_by_when_the_group_was_back_where_the_new_primary_was_not_captured():
    events = [event(306, "A", "lease_expired", ag="AG", text="19407", value=206.0)]
    row = failover(306, 310, reasons=[departs(306)]) | {"seconds_without_primary": None}
    (found,) = findings(servers.leases, told([row], events))
    assert f"back by {words.instant(at(310))} at the latest." in found.narrative


def test_an_old_primary_of_whom_nothing_tells_that_it_was_awake_is_not_said_to_have_been(compared):
    (found,) = findings(
        two_primaries.two_primaries, replace(compared, coverage=watched(A=7200, B=7200)), Thresholds()
    )
    assert found.title.endswith("whether A was awake is not shown")
    shown = {one.label: one.value for one in found.evidence}
    assert (shown["both running"], shown["both running, at most"]) == (0.0, 376.0)


def test_a_replica_that_only_starts_again_does_not_say_until_when_it_was_primary(compared):
    events = [
        row | {"before": "NOT_AVAILABLE"}
        if row["host_id"] == "A" and row["after"] == "RESOLVING_NORMAL"
        else row
        for row in compared.events
    ]
    started = replace(compared, events=events, coverage=watched(A=7200, B=7200))
    assert findings(two_primaries.two_primaries, started, Thresholds()) == []


def test_a_lease_is_told_with_what_strained_its_host_before():
    events = [
        event(40, "A", "processors_busy", value=99.0, unit="%", text="processors 99 %"),
        event(60, "B", "processors_busy", value=97.0, unit="%"),
        event(100, "A", "lease_expired", ag="AG", text="19407"),
    ]
    (found,) = findings(servers.leases, told([failover(99, 108)], events))
    assert (found.id, found.subject) == ("health.lease", {"ag": "AG", "host": "A"})
    assert found.window == {"start": iso(100), "end": iso(100)}
    assert [e.value for e in found.evidence] == ["19407", 99.0]
    assert "failed over from A to B" in found.narrative


# Standstills and two primaries


def still(host, start, end, kind="machine paused", **more):
    return {
        "host_id": host,
        "sql_instance": None,
        "start": at(start),
        "end": at(end),
        "seconds_low": float(end - start),
        "seconds_high": float(end - start),
        "kind": kind,
        "clock_gained_s": None,
        "kept_running": [],
        "witnesses": [],
    } | more


def test_a_paused_machine_is_told_with_what_its_clock_gained_and_who_kept_running():
    row = still("A", 100, 461.2, clock_gained_s=361.2, kept_running=["B"])
    (found,) = findings(standing.standstills, replace(told(), standstills=(row,)), LIMITS)
    assert (found.id, found.subject) == ("health.standstill", {"host": "A"})
    assert found.window == {"start": iso(100), "end": iso(461.2)}
    assert [(e.label, e.value) for e in found.evidence] == [
        ("stood still", 361.2), ("stood still, at most", 361.2),
        ("wall clock gained on the tick count", 361.2), ("kept running", "B"),
    ]  # fmt: skip
    assert "the machine itself was paused" in found.narrative


def test_a_silent_server_on_busy_processors_may_have_been_starved():
    busy = [
        event(50, "A", "processors_busy", value=95.0, unit="%"),
        event(90, "A", "processors_busy", value=100.0, unit="%"),
    ]
    row = still("A", 100, 340, "SQL Server silent", seconds_low=206.0, clock_gained_s=0.0)
    (found,) = findings(standing.standstills, replace(told(events=busy), standstills=(row,)), LIMITS)
    assert "Its tick count ran on meanwhile: the machine was not paused" in found.narrative
    assert "95 to 100 % busy before it: they may have been starved to a standstill." in found.narrative


REIGNS = [
    state(0, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    state(100, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
    state(476, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
]


@pytest.fixture
def compared():
    return told(events=[row | {"skew_ms": 0.0} for row in REIGNS])


@pytest.mark.parametrize(
    ("stills", "awake", "severity"),
    [
        ((), 0.0, "critical"),
        ((still("A", 90, 453),), 23.0, "critical"),
        ((still("A", 90, 476),), 0.0, "notice"),
    ],
)
def test_two_primaries_are_told_with_how_long_the_old_one_was_awake(compared, stills, awake, severity):
    (found,) = findings(
        two_primaries.two_primaries,
        replace(compared, standstills=stills, coverage=watched(A=7200, B=7200)),
        Thresholds(),
    )
    assert (found.id, found.subject, found.severity) == ("health.two_primaries", {"ag": "AG"}, severity)
    assert found.window == {"start": iso(100), "end": iso(476)}
    assert [(e.label, e.value) for e in found.evidence[:2]] == [
        ("both primary", 376.0),
        ("both running", awake),
    ]


@pytest.mark.parametrize(("of", "n"), [("INST2", 1), ("INST1", 0)])
def test_another_instance_of_the_host_that_is_stopped_ends_no_primary(compared, of, n):
    stop = event(50, "A", "stop_requested", skew_ms=0.0)
    stop["witnesses"] = [stop["witnesses"][0] | {"content_id": "log-other"}]
    instances = {"log-A": "INST1", "log-other": of}
    rows = sorted([*compared.events, stop], key=lambda row: row["time"])
    case = replace(compared, events=rows, coverage=watched(A=7200, B=7200), instances=instances)
    assert len(findings(two_primaries.two_primaries, case, Thresholds())) == n


def test_who_resigns_before_the_other_is_in_place_is_no_second_primary():
    rows = [REIGNS[0], state(90, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"), REIGNS[1]]
    assert (
        findings(
            two_primaries.two_primaries,
            replace(told(events=rows), coverage=watched(A=7200, B=7200)),
            Thresholds(),
        )
        == []
    )


def test_an_old_primary_that_never_says_that_it_resigned_claims_no_two():
    assert (
        findings(
            two_primaries.two_primaries,
            replace(told(events=REIGNS[:2]), coverage=watched(A=7200, B=7200)),
            Thresholds(),
        )
        == []
    )


def test_clocks_that_nobody_compared_tell_no_two_primaries_of_a_few_seconds():
    rows = [*REIGNS[:2], state(104, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]
    assert (
        findings(
            two_primaries.two_primaries,
            replace(told(events=rows), coverage=watched(A=7200, B=7200)),
            Thresholds(),
        )
        == []
    )


# Groups


def test_three_unplanned_failovers_in_a_row_are_flapping():
    rows = [failover(t, t + 10) for t in (100, 4000, 9000)]
    (found,) = findings(groups.flapping, told(rows), LIMITS)
    assert (found.id, found.severity, found.subject) == ("health.flapping", "warning", {"ag": "AG"})
    assert found.window == {"start": iso(100), "end": iso(9010)}
    assert found.evidence[0].value == 3


def test_planned_failovers_and_those_far_apart_are_not_flapping():
    planned = [failover(t, t + 10, mode="planned") for t in (100, 200, 300)]
    apart = [failover(t * 36_000, t * 36_000 + 10) for t in (1, 2, 3)]
    assert findings(groups.flapping, told([*planned, *apart]), LIMITS) == []


def test_the_last_failed_attempt_ends_flapping():
    rows = [failover(t, t + 10) for t in (100, 400, 900, 1300, 1700)]
    late = event(1900, "B", "online_failed", ag="AG", text="no")
    (found,) = findings(groups.flapping, told(rows, [late]), LIMITS)
    assert (found.severity, found.window["end"]) == ("critical", iso(1900))


def test_a_group_that_lost_its_primary_and_got_none_says_so():
    events = [
        state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"),
        state(101, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL"),
        event(110, "B", "failover_refused", ag="AG", text="not synchronised"),
    ]
    (found,) = findings(groups.no_primary, told(events=events, last=900), LIMITS)
    assert (found.id, found.severity, found.subject) == ("health.no_primary", "critical", {"ag": "AG"})
    assert found.window == {"start": iso(100), "end": iso(900)}
    assert "not synchronised" in found.narrative


@pytest.mark.parametrize(
    "later",
    [
        state(120, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(120, "A", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
    ],
)
def test_a_new_primary_here_or_on_a_host_not_captured_is_a_primary(later):
    events = [state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL"), later]
    assert findings(groups.no_primary, told(events=events, last=900), LIMITS) == []


LOST = state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")


def test_what_others_captured_later_does_not_prolong_the_claim():
    """A log that ends at 22:06 says nothing about 22:19, and a stranger's file of another year extends
    nobody's.
    """
    events = [LOST, state(101, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL")]
    one = told(events=events, last=86_400, watched={"A": 900, "B": 600, "STRANGER": 9e7})
    (found,) = findings(groups.no_primary, one, LIMITS)
    assert found.window == {"start": iso(100), "end": iso(600)}
    assert found.evidence[0].value == 500


def test_a_log_that_ends_with_the_loss_claims_nothing_of_what_came_after():
    events = [LOST, state(101, "B", "SECONDARY_NORMAL", "RESOLVING_NORMAL")]
    one = told(events=events, last=86_400, watched={"A": 101, "B": 102})
    assert findings(groups.no_primary, one, LIMITS) == []


def test_a_replica_that_was_not_watched_is_named_and_may_be_the_primary():
    members = tuple({"ag": "AG", "replica": name} for name in ("A", "B\\I"))
    (found,) = findings(groups.no_primary, told(events=[LOST], last=900, members=members), LIMITS)
    assert (found.severity, found.confidence) == ("warning", 0.5)
    assert found.title == (
        "No watched replica is primary of AG from 2024-03-05 12:01:40.0 UTC on, for 13 min 20 s; B was not "
        "watched"
    )
    assert "it may have taken over" in found.narrative
    assert [e.value for e in found.evidence if e.label == "not watched then"] == ["B"]


def test_a_secondary_alone_that_says_nothing_does_not_show_that_there_is_no_primary():
    events = [state(10, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL"), LOST]
    one = told(events=events, watched={"A": 100, "B": 5000})
    assert findings(groups.no_primary, one, LIMITS) == []


def test_captures_that_end_soon_after_say_nothing_of_a_primary():
    events = [state(100, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]
    assert findings(groups.no_primary, told(events=events, last=130), LIMITS) == []


# Settings


def setting(scope, item, name, value):
    return {"scope": scope, "item": item, "setting": name, "value": value, "content_id": "log-A", "line": 3,
            "host_id": "A"}  # fmt: skip


@pytest.fixture
def left():
    """A group that left node A, by its cluster log alone."""
    return event(
        600,
        "A",
        "resource_left",
        "cluster log",
        ag="AG",
        after="ProcessingFailure",
        text="Online-->ProcessingFailure",
    )


LOGS = [{"host": "A"}]


def test_a_group_that_left_a_node_and_is_nowhere_seen_again_is_not_decided(left):
    noted = event(599, "A", "lease_lost", "cluster log", ag="AG", text="lease is no longer valid")
    (found,) = findings(groups.left, told([], [noted, left]), LOGS, LIMITS)
    assert (found.id, found.severity) == ("quality.not_captured", "notice")
    assert found.subject == {"ag": "AG", "host": "A"}
    assert found.window == {"start": iso(600), "end": iso(600)}
    assert [e.label for e in found.evidence] == ["resource left", "lease lost"]
    assert "Whether the group failed over, and where to, is not decided." in found.narrative


@pytest.mark.parametrize(
    ("failovers", "more"),
    [
        ([failover(600, 606)], []),
        ([], [state(601, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]),
        ([], [event(630, "A", "resource_online", "cluster log", ag="AG")]),
    ],
    ids=["a failover tells it", "a replica tells it", "it comes back at once"],
)  # fmt: skip
def test_nothing_is_said_of_a_node_where_something_else_tells_it(left, failovers, more):
    assert findings(groups.left, told(failovers, [left, *more]), LOGS, LIMITS) == []


def test_many_departures_from_a_node_are_one_finding(left):
    many = [left | {"time": at(600 * n)} for n in range(1, 9)]
    (found,) = findings(groups.left, told([], many), LOGS, LIMITS)
    assert found.window == {"start": iso(600), "end": iso(4800)}
    assert len(found.evidence) == groups.SHOWN


@pytest.mark.parametrize(("lease", "n"), [("20000", 0), ("40000", 1), ("x", 0)])
def test_half_a_lease_must_be_shorter_than_the_heartbeats(lease, n):
    rows = [
        setting("cluster", "CLU", "SameSubnetDelay", "1000"),
        setting("cluster", "CLU", "SameSubnetThreshold", "20"),
        setting("group", "AG", "LeaseTimeout", lease),
    ]
    found = findings(settings.settings, told(), rows, [], [], LIMITS)
    assert len(found) == n
    assert all(f.subject == {"ag": "AG"} and f.evidence[0].value == 40_000 for f in found)


@pytest.mark.parametrize(
    ("kind", "votes", "n"),
    [("NODE_MAJORITY", 2, 1), ("NODE_MAJORITY", 3, 0), ("NODE_AND_FILE_SHARE_MAJORITY", 2, 0)],
)
def test_even_votes_without_a_witness_are_told(kind, votes, n):
    rows = [setting("member", f"N{k}", "quorum_votes", "1") for k in range(votes)]
    rows.append(setting("cluster", "CLU", "quorum_type", kind))
    assert len(findings(settings.settings, told(), rows, [], [], LIMITS)) == n


@pytest.mark.parametrize(
    ("modes", "n"), [("AUTOMATIC AUTOMATIC", 0), ("AUTOMATIC MANUAL", 1), ("MANUAL MANUAL", 1), ("MANUAL", 0)]
)
def test_a_group_without_two_automatic_replicas_does_not_fail_over_by_itself(modes, n):
    rows = [
        {"ag": "AG", "replica": name, "failover_mode": mode, "session_timeout_s": 10, "content_id": "log-A",
         "line": 4, "host_id": "A"}
        for name, mode in zip("AB", modes.split(), strict=False)
    ]  # fmt: skip
    assert len(findings(settings.settings, told(), [], [], rows, LIMITS)) == n


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # What the nodes of another subnet are given must not be less than what those near by are.
        ({"SameSubnetDelay": 1000, "CrossSubnetDelay": 1000, "SameSubnetThreshold": 10,
         "CrossSubnetThreshold": 20}, []),
        ({"SameSubnetDelay": 2000, "CrossSubnetDelay": 1000},
         [("notice", {"host": "A"}, ["SameSubnetDelay", "CrossSubnetDelay"])]),
        ({"SameSubnetThreshold": 20, "CrossSubnetThreshold": 5},
         [("notice", {"host": "A"}, ["SameSubnetThreshold", "CrossSubnetThreshold"])]),
        ({"SameSubnetThreshold": 20}, []),
    ],
)  # fmt: skip
def test_heartbeats_between_subnets_are_given_no_less_time_than_within_one(rows, expected):
    found = findings(
        settings.settings, told(), [setting("cluster", "CLU", *pair) for pair in rows.items()], [], [], LIMITS
    )
    assert [(f.severity, f.subject, [e.label for e in f.evidence]) for f in found] == expected


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        ({"LeaseTimeout": "20000", "HealthCheckTimeout": "30000"}, []),
        ({"LeaseTimeout": "10000", "HealthCheckTimeout": "30000"}, ["LeaseTimeout"]),
        ({"LeaseTimeout": "20000", "HealthCheckTimeout": "15000"}, ["HealthCheckTimeout"]),
        ({"LeaseTimeout": "5000", "HealthCheckTimeout": "15000"}, ["LeaseTimeout", "HealthCheckTimeout"]),
    ],
)  # fmt: skip
def test_timeouts_of_a_group_below_the_usual_ones_are_told_together(rows, labels):
    found = findings(
        settings.settings, told(), [setting("group", "AG", *pair) for pair in rows.items()], [], [], LIMITS
    )
    assert [e.label for f in found for e in f.evidence] == labels
    assert all((f.severity, f.subject) == ("notice", {"ag": "AG"}) for f in found)


@pytest.mark.parametrize(("shown", "n"), [(30_000, 0), (60_000, 1), (None, 0)])
def test_the_health_check_timeout_of_the_cluster_is_the_one_that_sql_server_shows(shown, n):
    look = {"ag": "AG", "health_check_timeout_ms": shown, "content_id": "log-A", "line": 5}
    rows = [setting("group", "AG", "HealthCheckTimeout", "30000")]
    found = findings(settings.settings, told(), rows, [look], [], LIMITS)
    assert len(found) == n
    assert [e.value for f in found for e in f.evidence] == [30_000, 60_000] * n


@pytest.mark.parametrize(("seconds", "n"), [(10, 0), (5, 1), (None, 0)])
def test_a_session_timeout_below_ten_seconds_is_told_of_its_replica(seconds, n):
    row = {"ag": "AG", "replica": "B", "failover_mode": "MANUAL", "session_timeout_s": seconds,
           "content_id": "log-A", "line": 4, "host_id": "A"}  # fmt: skip
    found = findings(settings.settings, told(), [], [], [row], LIMITS)
    assert [f.subject for f in found] == [{"ag": "AG", "replica": "B"}] * n


# Words and figures


def test_a_case_without_events_says_so():
    assert SAID.page("summary", summary(told(), [])) == "Nothing that happened to a group was captured."
    assert SAID.page("failovers", stories(told(), [])) == "The captures show no failover."


def test_each_failover_is_a_story_with_its_confidence():
    one = told([failover(100, 108)])
    text = SAID.page("failovers", stories(one, findings(failed_over.failovers, one, LIMITS)))
    assert text.count("failover from A to B") >= 1
    assert "Confidence 0.8." in text


def test_the_lanes_show_roles_marks_and_who_tells():
    events = [
        state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(20, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
        event(100, "A", "lease_expired", ag="AG", text="19407 <b>"),
        event(105, "A", "long_io", text="833"),
    ]
    one = told([failover(100, 108)], events)
    assert [(s.host, s.role) for s in stays(one)] == [("A", "primary"), ("B", "secondary")]
    fig = lanes(one, [], "title", {})
    assert list(fig.layout.yaxis.ticktext) == ["A", "B"]
    marks = {trace.name: trace for trace in fig.data if trace.type == "scatter"}
    (hover,) = marks["leases"].customdata
    assert "lease expired" in hover[0]
    assert "ERRORLOG of A" in hover[0]
    assert "&lt;b&gt;" in hover[0]
    assert len(fig.layout.shapes) == 1


def test_the_last_role_lasts_for_as_long_as_its_host_was_watched():
    events = [
        state(10, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
        state(10, "B", "RESOLVING_NORMAL", "SECONDARY_NORMAL"),
    ]
    one = told(events=events, last=9000, watched={"A": 600, "B": 5})
    assert [(s.host, s.end) for s in stays(one)] == [("A", at(600)), ("B", at(10))]


def test_little_that_happened_is_told_in_one_sentence():
    one = told([], [event(10, "A", "connection_timeout", ag="AG"), event(70, "B", "connected")])
    assert SAID.page("quiet", summary(one, [])) == "No failover of AG in 1 min."
    figures = [(e.label, e.value) for e in key_figures(one, [])]
    assert figures[:2] == [("failovers in all", 0), ("expired leases", 0)]


def test_the_time_without_a_primary_is_told_in_all_and_the_longest():
    one = told([failover(10, 14.5), failover(100, 166.6), failover(None, 300)], [event(0, "A", "connected")])
    assert [(e.label, e.value, e.unit) for e in key_figures(one, [])][:3] == [
        ("failovers in all", 3, ""),
        ("without a primary in all", 71.1, "s"),
        ("longest without a primary", 66.6, "s"),
    ]
