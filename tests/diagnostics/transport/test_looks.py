"""What a single look at a server says: commit modes, states, queues, waits."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from agtrace.say.wording import value_of
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import one, perfmon

VERSION = "P | 0 | startup | 17069 | product_version=13.0.5026.0"
MODE = "P | {at} | replicas | ag=AG; replica=S; role=SECONDARY; availability_mode={mode}_COMMIT"
DDL = (
    "P | {at} | alwayson_ddl_executed | statement=ALTER AVAILABILITY GROUP [AG] MODIFY REPLICA ON N'S' WITH "
    "(AVAILABILITY_MODE = {mode}_COMMIT)"
)


def mode_of(made):
    transport = Transport(made)
    [studied] = transport.links()
    found = transport.study.known.modes.of(studied.link, transport.study.limits)
    return None if found is None else found.mode


def looks(*pairs):
    return "\n".join(MODE.format(at=at, mode=mode) for at, mode in pairs)


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([(300, "SYNCHRONOUS")], "synchronous"),
        ([(-900, "ASYNCHRONOUS")], "asynchronous"),
        ([(9000, "ASYNCHRONOUS")], "asynchronous"),
        ([("-", "ASYNCHRONOUS")], "asynchronous"),
        ([(-900, "ASYNCHRONOUS"), (9000, "SYNCHRONOUS")], None),
        ([(-900, "ASYNCHRONOUS"), (-800, "SYNCHRONOUS")], "synchronous"),
        ([(300, "CONFIGURATION_ONLY")], None),
    ],
)
def test_a_look_tells_the_commit_mode(told, expected):
    assert mode_of(case(perfmon(), relations=looks(*told))) == expected


def test_a_look_after_a_statement_after_the_window_says_nothing():
    made = case(
        perfmon(), relations=looks((9000, "ASYNCHRONOUS")), events=DDL.format(at=8000, mode="ASYNCHRONOUS")
    )
    assert mode_of(made) is None


def test_a_statement_before_and_a_look_that_agree():
    made = case(
        perfmon(), relations=looks((9000, "SYNCHRONOUS")), events=DDL.format(at=-60, mode="SYNCHRONOUS")
    )
    assert mode_of(made) == "synchronous"


def test_commits_that_waited_outweigh_a_look():
    made = case(perfmon(mirrored="50", delay="100"), relations=looks((9000, "ASYNCHRONOUS")))
    assert mode_of(made) == "synchronous"


def test_the_look_is_evidence_where_commits_waited():
    found = one(
        case(perfmon(mirrored="50", delay="100"), relations=looks((9000, "SYNCHRONOUS"))), "commit_delay"
    )
    assert [(e.value, e.source) for e in found.evidence if e.label == "commit mode of S"] == [
        ("synchronous", "look-P, line 1")
    ]
    assert_facts(found, delay=True, synchronous=["S"])


def delays(made):
    return [f for f in Transport(made).findings() if f.id == "transport.commit_delay"]


def test_nobody_waits_for_a_replica_that_was_set_to_commit_asynchronously():
    asynchronous = DDL.format(at=-60, mode="ASYNCHRONOUS")
    waited = perfmon(mirrored="50", delay="100")
    assert delays(case(waited, events=asynchronous)) == []
    # Another replica of the group, which was not captured, may be the one that is awaited.
    other = "\n" + r"P | \SQLServer:Availability Replica(AG:Q)\Bytes Sent to Replica/sec | 1000000"
    assert len(delays(case(waited + other, events=asynchronous))) == 1


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


SYNC = look(("Sales", "SYNCHRONIZED", 12))
WAITS = "P | 120 | waits | wait_type=HADR_DATABASE_FLOW_CONTROL; seconds=60; waiting_tasks=3; wait_ms=45\n"


def evidence(finding):
    return [(e.label, e.value, e.unit) for e in finding.evidence]


def test_a_look_alone_shows_queues_and_no_trend():
    [queues, loss] = sorted(Transport(case(relations=SYNC)).findings(), key=lambda f: f.id)
    assert (queues.id, queues.severity) == ("quality.not_captured", "notice")
    assert queues.subject == {"replica": "S", "ag": "AG"}
    assert queues.window == {"start": "2024-03-05T12:01:00Z", "end": "2024-03-05T12:01:00Z"}
    at = "at 2024-03-05 12:01:00 UTC"
    assert evidence(queues) == [
        (f"log send queue of 1 database {at}", 12, "KB"),
        (f"redo queue of 1 database {at}", 40960, "KB"),
        (f"Sales: log send queue {at}", 12, "KB"),
        (f"Sales: log send rate, the server's own average {at}", 18233, "KB/s"),
        (f"Sales: redo queue {at}", 40960, "KB"),
        (f"Sales: redo rate, the server's own average {at}", 20480, "KB/s"),
    ]
    assert_facts(queues, looks=1, n=1, waiting=["to_send", "to_redo"])
    assert (loss.id, loss.severity) == ("transport.rpo", "info")
    assert evidence(loss) == [(f"databases SYNCHRONIZED {at}", 1, "of 1")]
    assert_facts(loss, looks=1, last=True)


def test_a_database_that_is_not_synchronised_claims_nothing():
    found = Transport(case(relations=look(("Sales", "SYNCHRONIZING", 12)))).findings()
    assert [f.id for f in found] == ["quality.not_captured"]


def test_a_look_counts_only_the_databases_that_were_synchronised():
    made = case(relations=look(("Sales", "SYNCHRONIZED", 0), ("Stock", "NOT SYNCHRONIZING", 0)))
    assert_facts(one(made, "rpo"), replica="S", looks=1, last=True)


def test_a_suspended_database_is_a_warning():
    made = look(("Sales", "NOT SYNCHRONIZING", 12)).replace(
        "is_suspended=false", "is_suspended=true; suspend_reason=SUSPEND_FROM_USER"
    )
    [found] = Transport(case(relations=made)).findings()
    assert found.severity == "warning"
    assert ("Sales: data movement suspended at 2024-03-05 12:01:00 UTC", "SUSPEND_FROM_USER", "") in (
        evidence(found)
    )


def test_a_look_beside_perfmon_is_evidence_of_its_findings():
    alone = Transport(case(perfmon())).findings()
    both = Transport(case(perfmon(), relations=SYNC)).findings()
    assert [(f.id, f.title, f.severity) for f in both] == [(f.id, f.title, f.severity) for f in alone]
    told = {f.id: f for f in both}
    at = "at 2024-03-05 12:01:00 UTC"
    (synchronized,) = [e for e in told["transport.rpo"].evidence if "SYNCHRONIZED" in e.label]
    assert (synchronized.label, value_of(synchronized)) == (f"databases SYNCHRONIZED {at}", "1 of 1")
    assert (f"Sales: log send queue {at}", 12, "KB") in evidence(told["transport.healthy"])


def test_local_times_stay_local():
    found = Transport(case(relations=SYNC, zone_unknown=("P",))).findings()
    assert {f.window["start"] for f in found} == {"2024-03-05T12:01:00"}
    assert all(f.window["local"] for f in found)


def test_a_look_without_a_time():
    found = Transport(case(relations=SYNC.replace("P | 60", "P | -"))).findings()
    assert [f.window for f in found] == [{}, {}]


def test_only_a_window_or_a_replica():
    made = Transport(case(relations=SYNC))
    assert made.only(start="2024-03-05T12:02:00Z").findings() == []
    assert len(made.only(end="2024-03-05T12:02:00Z").findings()) == 2
    assert made.only(replica="T").findings() == []


def test_the_same_look_collected_twice_counts_once():
    twice = SYNC + SYNC.replace("P |", "P@again |")
    assert len(Transport(case(relations=twice)).tbl_looks()) == 1


def test_waits_for_flow_control_stand_beside_a_look_and_a_verdict():
    label = "HADR_DATABASE_FLOW_CONTROL on P, all replicas, mean"
    [queues] = [
        f for f in Transport(case(relations=SYNC + "\n" + WAITS)).findings() if f.id.startswith("quality")
    ]
    assert (label, 0.75, "ms/s") in evidence(queues)
    [verdict] = [
        f for f in Transport(case(perfmon(), relations=WAITS)).findings() if f.id == "transport.healthy"
    ]
    assert (label, 0.75, "ms/s") in evidence(verdict)


def test_waits_of_another_time_are_no_evidence():
    made = case(perfmon(), relations=WAITS.replace("120", "9000"))
    labels = [e.label for f in Transport(made).findings() for e in f.evidence]
    assert not [label for label in labels if label.startswith("HADR_")]


def test_the_summary_of_a_look_claims_no_health():
    said = Transport(case(relations=SYNC)).say_summary()
    assert_facts(
        texts(Transport(case(relations=SYNC)).say_summary)["summary.md"],
        found=2,
        is_counted=False,
        is_told=True,
        worst=[],
    )
    assert "No replica falls behind" not in said


def test_a_look_alone_can_be_shown_as_every_case():
    made = Transport(case(relations=SYNC))
    assert made.missing() == []
    shown = [name for name in dir(made) if name.startswith(("say_", "tbl_", "fig_"))]
    for name in shown:
        if name != "fig_sent_received":  # of one replica; figs_sent_received draws those there are
            getattr(made, name)()
    assert made.figs_sent_received() == []


def test_outputs_of_one_moment_are_one_look():
    more = SYNC.replace("P |", "P@more |").replace("Sales", "Stock")
    assert_facts(one(case(relations=SYNC + more), "rpo"), looks=1, last=True)
