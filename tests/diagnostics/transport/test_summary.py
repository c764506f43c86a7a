"""The answer of the transport question: which verdicts a case gets, what stays open, what pages name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agtrace.diagnostics.transport import awaiting, summary
from agtrace.diagnostics.transport import verdict as v
from agtrace.diagnostics.transport.commit import CommitDelay
from agtrace.diagnostics.transport.rows import BlockedRedo
from agtrace.diagnostics.transport.study import Study
from agtrace.history.roles.groups import Group
from agtrace.history.streams.commit_modes import Modes, ModeStatement
from agtrace.history.streams.database_looks import Look
from agtrace.history.streams.gate_waits import GateWait
from agtrace.history.streams.meeting import Apart, Shift
from agtrace.history.streams.parts import FINE, IDLE, TOO_FEW, TOO_SHORT
from agtrace.measure.gapped import Spread
from agtrace.say.said import Judged
from tests.diagnostics.asking import record
from tests.diagnostics.transport.made import (
    MB,
    both,
    known,
    link,
    look,
    node,
    part,
    primary,
    secondary,
    state,
    studied,
    study,
    verdict,
)

SPREAD = Spread(60, 1, 1, 1, 1, 1)


def verdicts(of: Study, *looks: Look) -> list[Judged]:
    return summary.verdicts(of, of.links, list(looks))


def told(of: Study, *looks: Look) -> list[str]:
    return [each.said for each in verdicts(of, *looks)]


def evidence(one: Judged) -> list[tuple[str, Any]]:
    return [(each.label, each.value) for each in one.evidence]


# Which verdicts there are.


def test_two_sides_that_were_not_captured_together_are_told():
    of = link(None, secondary())
    of.apart = Apart(primary(), slice(0, 60), 50, Shift(3600, 0.95, 60, 5))
    assert told(study(studied(of, verdict(of)))) == ["network_limited.path", "clock_skew"]


def test_a_group_without_a_link_is_told_with_the_samples_of_its_nodes():
    nodes = [primary(9), secondary(7)]
    groups = [Group(("AG",), nodes=nodes), Group((), nodes=[])]
    found = verdicts(study(groups=groups))
    assert [(each.said, each.id, each.severity, each.subject) for each in found] == [
        ("not_captured.group", "quality.not_captured", "notice", {"ag": "AG"}),
        ("not_captured.group", "quality.not_captured", "notice", {}),
    ]
    assert [(each.label, each.value, each.source) for each in found[0].evidence] == [
        ("samples of its counters", 9, "perfmon of P"), ("samples of its counters", 7, "perfmon of S"),
    ]  # fmt: skip
    assert [each.facts for each in found] == [
        {"group": "AG", "min_samples": 20}, {"group": "the availability group", "min_samples": 20}
    ]  # fmt: skip


# A replica without a verdict.


@pytest.mark.parametrize(
    ("of", "states", "severity", "gaps"),
    [
        (both(), [TOO_FEW], "notice", ["open.few"]),
        (both(), [TOO_SHORT], "notice", ["open.short"]),
        (both(), [IDLE], "info", ["open.idle"]),
        (both(), [], "notice", ["open.no_queue"]),
        (link(None, secondary()), [FINE], "notice", ["open.no_primary"]),
        (link(primary(), None), [], "notice", ["open.no_replica"]),
    ],
)
def test_why_a_replica_has_no_verdict_is_told(of, states, severity, gaps):
    (found,) = verdicts(study(studied(of, parts=[part(of, each) for each in states])))
    assert (found.said, found.id, found.severity) == ("not_captured.link", "quality.not_captured", severity)
    assert (found.subject, found.facts["gaps"]) == ({"replica": "S", "ag": "AG"}, gaps)
    side = "S" if of.secondary else "P"
    assert [(each.label, each.value, each.source) for each in found.evidence] == [
        ("samples in this window", 60, f"perfmon of {side}")
    ]


def test_a_gap_names_the_databases_and_whether_the_clocks_are_apart():
    of = both(there={"received": {"a": MB, "b": MB, "c": MB}}, databases=("a", "b", "c"))
    parts = [
        part(of, TOO_FEW, database="a"), part(of, TOO_SHORT, database="b"), part(of, IDLE, database="c"),
    ]  # fmt: skip
    (found,) = verdicts(study(studied(of, parts=parts)))
    assert found.severity == "notice"
    assert found.facts == {
        "replica": "S", "primary": "P", "few": ["a"], "short": ["b"], "min_samples": 20,
        "clocks_apart": False, "gaps": ["open.few", "open.short"],
    }  # fmt: skip
    alone = link(None, secondary())
    for shift, is_apart in ((Shift(9, 0.9, 60, 5), True), (None, False)):
        alone.apart = Apart(primary(), slice(0, 60), 5, shift)
        gaps = summary.not_captured(study(), [studied(alone, parts=[part(alone, FINE)])])
        assert [(name, facts["clocks_apart"]) for name, facts in gaps] == [("open.no_primary", is_apart)]


# Looks beside the counters.

QUEUED = state(send_queue=7, redo_queue=3)


def test_a_replica_without_a_verdict_tells_of_its_looks_too():
    of = both()
    beside = known(looks=[look(2.0, QUEUED, replica="s", ag="ag")])
    (found,) = verdicts(study(studied(of, parts=[part(of, IDLE)]), beside=beside))
    assert [value for _, value in evidence(found)][:3] == [60, 7, 3]


def test_looks_at_a_replica_without_counters_are_a_verdict_of_their_own():
    waits = [
        GateWait("P", "HADR_DATABASE_FLOW_CONTROL", 60, 60, 5, 600),
        GateWait("X", "OTHER", 60, 60, 5, 600),
    ]
    lossless = state(state="SYNCHRONIZED")
    looks = [
        look(1.0, QUEUED, replica="T"),
        look(2.0, lossless, replica="T"),
        look(1.0, QUEUED, replica="U", host="X", is_of_primary=False),
    ]
    found = verdicts(study(beside=known(looks=looks, gate_waits=waits)), *looks)
    assert [(each.said, each.subject["replica"]) for each in found] == [
        ("not_captured.looked", "T"), ("rpo.looked", "T"), ("not_captured.looked", "U"),
    ]  # fmt: skip
    assert [label for label, _ in evidence(found[0]) if "all replicas, mean" in label] == [
        "HADR_DATABASE_FLOW_CONTROL on P, all replicas, mean"
    ]
    assert not [label for label, _ in evidence(found[2]) if "all replicas" in label]


# Waits for the gate, and who blocks redo.


@pytest.mark.parametrize(
    ("end", "series", "is_local", "is_told"),
    [
        (295, {"gate": 5}, False, True), (295.5, {"gate": 5}, False, False), (60, {"gate": 5}, False, True),
        (59.5, {"gate": 5}, False, False), (295, {}, False, False), (295, {"gate": 5}, True, False),
    ],
)  # fmt: skip
def test_waits_for_flow_control_stand_beside_a_gate_in_utc(end, series, is_local, is_told):
    of = both(series)
    assert of.primary is not None
    of.primary.is_local = is_local
    beside = known(gate_waits=[GateWait("P", "HADR_DATABASE_FLOW_CONTROL", end, 60, 5, 600)])
    (found,) = verdicts(study(studied(of, verdict(of, beside)), beside=beside))
    assert any("HADR_DATABASE" in label for label, _ in evidence(found)) == is_told


BLOCKER = record(
    BlockedRedo,
    host_id="S",
    at=50.0,
    waited_s=20.0,
    session_id=88,
    program="Report server",
    client="REPORTS1",
    statement="SELECT 1",
    place="a look line 3",
)


def blocked(*rows: BlockedRedo, kind: v.VerdictKind = v.REDO_BLOCKED, is_local: bool = False) -> Judged:
    of = both()
    assert of.secondary is not None
    of.secondary.is_local = is_local
    one = verdict(of, kind=kind, rows=slice(10, 21))
    (found,) = verdicts(study(studied(of, one), blocked_redo=list(rows)))
    return found


def test_who_held_the_lock_that_redo_waited_for_longest_is_named():
    longer = BLOCKER._replace(waited_s=30.0, session_id=71, program=None, statement=None)
    found = blocked(BLOCKER, longer, BLOCKER._replace(waited_s=None))
    assert found.facts["blocker"] == longer._asdict()
    assert [(each.label, each.value, each.source) for each in found.evidence][-1:] == [
        ("blocked by", "session 71, REPORTS1", "a look line 3")
    ]
    assert [(each.label, each.value, each.source) for each in blocked(BLOCKER).evidence][-2:] == [
        ("blocked by", "session 88, Report server, REPORTS1", "a look line 3"),
        ("its statement", "SELECT 1", "a look line 3"),
    ]
    assert (
        blocked(BLOCKER._replace(waited_s=None), BLOCKER._replace(waited_s=0.5)).facts["blocker"]["waited_s"]
        == 0.5
    )


@pytest.mark.parametrize(
    ("changed", "more", "is_told"),
    [
        ({}, {}, True), ({"at": 100.0}, {}, True), ({"at": 100.1}, {}, False), ({"at": 49.9}, {}, False),
        ({"host_id": "P"}, {}, False), ({}, {"kind": v.REDO_LIMITED}, False), ({}, {"is_local": True}, False),
    ],
)  # fmt: skip
def test_a_look_names_who_blocks_redo_of_its_server_and_time(changed, more, is_told):
    found = blocked(BLOCKER._replace(**changed), **more)
    assert (found.facts["blocker"] is not None) == is_told
    assert any(each.label == "blocked by" for each in found.evidence) == is_told


def test_a_primary_alone_knows_nothing_of_who_blocks_redo():
    of = link(primary(), None)
    (found,) = verdicts(study(studied(of, verdict(of, kind=v.REDO_BLOCKED)), blocked_redo=[BLOCKER]))
    assert found.facts["blocker"] is None


# Verdicts that share a replica.


def among(*windows: tuple[str, str], **more: Any) -> list[Any]:
    own = [
        Judged(said="x", id="x", severity="info", evidence=(), subject={"replica": "S", **more},
               window={"start": start, "end": end})
        for start, end in windows
    ]  # fmt: skip
    return [each.facts.get("among") for each in summary._among_others(own)]


def test_verdicts_that_share_a_replica_name_their_time_and_the_day_where_there_are_several():
    one, two = (
        ("2024-03-05T12:00:00Z", "2024-03-05T12:10:00Z"),
        ("2024-03-05T13:00:00Z", "2024-03-05T13:10:00Z"),
    )
    assert among(one) == [None]
    assert among(one, two) == [
        {"first": "12:00:00", "last": "12:10:00", "is_local": False, "database": None},
        {"first": "13:00:00", "last": "13:10:00", "is_local": False, "database": None},
    ]
    night = ("2024-03-05T23:00:00Z", "2024-03-06T01:00:00Z")
    assert [each["first"] for each in among(night, night)] == ["2024-03-05 23:00:00"] * 2
    assert [each["last"] for each in among(one, night)] == ["2024-03-05 12:10:00", "2024-03-06 01:00:00"]


def test_verdicts_on_replicas_of_other_groups_stand_alone():
    window = {"start": "2024-03-05T12:00:00", "end": "2024-03-05T12:10:00", "local": True}
    one = Judged(said="x", id="x", severity="info", evidence=(), window=window,
                 subject={"replica": "S", "ag": "AG", "database": "Sales"})  # fmt: skip
    other = replace(one, subject={"replica": "S", "ag": "AG2"})
    third = replace(one, subject={"replica": "T", "ag": "AG"})
    assert [each.facts for each in summary._among_others([one, other, third])] == [{}, {}, {}]
    assert summary._among_others([one, one])[0].facts["among"] == {
        "first": "12:00:00", "last": "12:10:00", "is_local": True, "database": "Sales",
    }  # fmt: skip


# Commit modes.


def delayed(**more: Any) -> dict[str, str]:
    """Return the modes in the texts on a commit wait, for a stream whose mode a statement set."""
    of = both()
    other = replace(of.group) if more.get("of_another_group") else of.group
    host = node("X") if more.get("of_another_host") else of.primary
    rows = slice(0, 30) if more.get("of_another_time") else slice(0, 60)
    assert host is not None
    delay = CommitDelay(other, host, rows, 20, SPREAD, {}, 1, [], None)
    said = [] if more.get("unknown") else [ModeStatement(-5.0, "AG", "S", "asynchronous", "a statement")]
    found = awaiting.modes(study(studied(of), beside=known(modes=Modes(said))), delay)
    return {replica: mode.mode for replica, mode in found.items()}


def test_the_commit_modes_of_the_replicas_that_a_commit_may_wait_for_are_told():
    assert delayed() == {"S": "asynchronous"}
    for other in ("of_another_group", "of_another_host", "of_another_time", "unknown"):
        assert delayed(**{other: True}) == {}


def test_a_mode_says_what_shows_it():
    of = both()
    delay = CommitDelay(of.group, of.primary, slice(0, 60), 20, SPREAD, {}, 1, [], None)  # type: ignore[arg-type]
    beside = known(modes=Modes([ModeStatement(-5.0, "AG", "S", "synchronous", "a statement")]))
    (found,) = verdicts(study(studied(of, parts=[part(of, FINE)]), delays=[delay], beside=beside))
    assert ("commit mode of S", "synchronous") in evidence(found)


@pytest.mark.parametrize(("ag", "told_of"), [("", []), ("ag", []), ("other", ["not_captured.looked"])])
def test_looks_tell_nothing_of_a_replica_that_counters_judge_be_its_group_known_or_not(ag, told_of):
    looks = [look(2.0, QUEUED, replica="S", ag=ag)]
    of = both()
    judged_link = studied(of, verdict(of))
    found = verdicts(study(judged_link, beside=known(looks=looks)), *looks)
    assert [each.said for each in found if each.said.startswith("not_captured")] == told_of
