"""The simulator of a group's life: what it writes is one truth, whoever tells it."""

from __future__ import annotations

import re
from random import Random

import pytest

from simulation.groups import calm, failures
from simulation.groups.cast import Group, Node, Zone
from simulation.groups.draw import SCENARIOS, draw
from simulation.groups.files import errorlog, write_group
from simulation.groups.journal import Still
from simulation.groups.life import Life
from simulation.groups.pace import MINUTE, keep_pace
from simulation.groups.together import Twin, live_together
from tests.folded import folded

STATE = re.compile(r"in availability group '(\w+)' has changed from '(\w+)' to '(\w+)'")
DRAWN = 44
"""So many have every scenario; every other one is looked at."""


def changes(life: Life, name: str, ag: str = "") -> list[tuple[float, str, str]]:
    """Return the state changes that a node logged of a group, by default the life's own, in order."""
    return [
        (said.t, match[2], match[3])
        for run in life.journals[name].runs
        for said in sorted(run.said, key=lambda one: one.t)
        if (match := STATE.search(said.text)) and match[1] == (ag or life.group.name)
    ]


def _groups(case, life):
    """Return the groups that share a life with its first."""
    return {one.ag for one in case.truths} if life is case.life and not life.beside else set()


def drawn_lives():
    return [draw(number, Random(f"fixed-{number}")) for number in range(0, DRAWN, 2)]


def test_every_scenario_is_drawn_in_fifty_cases():
    told = {t.scenario for n in range(50) for t in draw(n, Random(f"all-{n}")).truths}
    assert told >= {scenario.name for scenario in SCENARIOS}


@folded("case", drawn_lives())
def test_a_replica_goes_on_from_the_state_it_had(case):
    for life in case.lives:
        for name in life.journals:
            state = "NOT_AVAILABLE"
            for _, old, new in changes(life, name):
                assert old in (state, "NOT_AVAILABLE"), (name, old, state)
                state = new


@folded("case", drawn_lives())
def test_a_new_primary_is_in_place_at_the_end_of_each_failover_and_never_else(case):
    groups = {(life, ag) for life in case.lives for ag in {life.group.name, *_groups(case, life)}}
    for life, ag in groups:
        online = [
            (t, name)
            for name in life.journals
            for t, _, new in changes(life, name, ag)
            if new == "PRIMARY_NORMAL"
        ]
        first, *others = sorted(online)
        truths = [one.failover for one in case.truths if one.ag == ag]
        assert others == [(one.end, one.target) for one in truths]
        assert all(first[0] < one.start <= one.end for one in truths)


@folded("case", drawn_lives())
def test_the_health_session_tells_the_same_changes_as_the_log(case):
    for name, journal in case.life.journals.items():
        kept = [
            t for run in journal.runs for t, event, _ in run.health
            if event == "availability_replica_state_change"
        ]  # fmt: skip
        logged = [
            t
            for ag in {case.life.group.name, *_groups(case, case.life)}
            for t, _, _ in changes(case.life, name, ag)
        ]
        assert sorted(kept) == pytest.approx(sorted(logged), abs=0.01)


@folded("case", drawn_lives())
def test_nothing_is_written_while_a_node_is_paused(case):
    for life in case.lives:
        for journal in life.journals.values():
            for one in journal.stills:
                written = [said.t for run in journal.runs for said in run.said]
                written += [t for run in journal.runs for t, _, _ in (*run.health, *run.system)]
                if one.is_paused:
                    written += [t for t, *_ in (*journal.cluster, *journal.resource)]
                assert [t for t in written if one.start < t < one.end] == []


def test_samples_keep_the_pace_of_the_machines_own_ticks():
    nodes = (Node("A", 1), Node("B", 2))
    life = Life(Group("AG", nodes, ("D",), draw(0, Random(1)).life.group.start), Random(1))
    life.founded(nodes[0], 0.0)
    life.journals["A"].stills = [Still("A", 100.0, 400.0, True), Still("A", 600.0, 700.0, False)]
    keep_pace(life, 0.0, 900.0)
    (run,) = life.journals["A"].runs
    found = [round(t, 2) for t, name, _ in run.system if name == MINUTE]
    late = [50.6, 410.75, 470.9, 531.05, 591.2, 700.02, 760.17, 820.32, 880.47]
    assert found == late


def test_the_clock_of_a_paused_machine_gains_on_its_ticks():
    nodes = (Node("A", 1), Node("B", 2))
    life = Life(Group("AG", nodes, ("D",), draw(0, Random(1)).life.group.start), Random(1))
    journal = life.journals["A"]
    journal.stills = [Still("A", 100.0, 400.0, True), Still("A", 600.0, 700.0, False)]
    assert journal.ticks(800.0) - journal.ticks(90.0) == 410_000


def test_groups_that_live_together_write_the_same_in_their_own_words():
    life = Life(
        Group("AG1", (Node("A", 1), Node("B", 2)), ("D",), draw(0, Random(1)).life.group.start), Random(1)
    )
    life.founded(life.group.nodes[0], 0.0)
    made = failures.health_timeout(life, 900.0, life.group.nodes[1])
    live_together(life, (Twin("AG2", ("E",), 0.5),))
    for name in ("A", "B"):
        own, other = changes(life, name), changes(life, name, "AG2")
        assert [(t + 0.5, *states) for t, *states in own] == other
    assert (made.end + 0.5, "PRIMARY_PENDING", "PRIMARY_NORMAL") in changes(life, "B", "AG2")
    assert not [
        said
        for run in life.journals["A"].runs
        for said in run.said
        if "AG2" in said.text and '"D"' in said.text
    ]


def test_clocks_are_applied_where_a_file_is_written():
    node = Node("A", 1, 3000)
    group = Group("AG", (node, Node("B", 2)), ("D",), draw(0, Random(1)).life.group.start,
                  Zone(120, step_at=100.0, step_minutes=-60))  # fmt: skip
    life = Life(group, Random(1))
    life.founded(node, 0.0)
    calm.disconnected(life, 200.0, group.nodes[1])
    text = errorlog(life[node], life[node].run, 1e9).decode("utf-16")
    (line,) = [line for line in text.split("\r\n") if "previously established" in line]
    assert line[:22] == f"{group.local(node, 200.0):%Y-%m-%d %H:%M:%S}.00"
    assert (group.local(node, 200.0) - group.utc(node, 200.0)).total_seconds() == 3600
    assert (group.utc(node, 200.0) - group.start).total_seconds() == 203


def test_a_starved_primary_writes_late_and_does_not_move_the_start():
    nodes = (Node("A", 1), Node("B", 2))
    life = Life(Group("AG", nodes, ("D",), draw(0, Random(1)).life.group.start), Random(1))
    life.founded(nodes[0], 0.0)
    happened = failures.lease_expired(life, 900.0, nodes[1], late=20.0)
    left = [t for t, old, _ in changes(life, "A") if old == "PRIMARY_NORMAL"]
    assert left == pytest.approx([920.01])
    assert happened.start == pytest.approx(900.2)
    assert happened.end < 920


def test_only_what_was_taken_is_written(tmp_path):
    case = draw(3, Random("taken"))
    names = [node.name for node in case.life.group.nodes]
    taken = type(case.taken)((names[0],), ("ERRORLOG",), flat=True)
    written = write_group(tmp_path, case.life, taken)
    assert {name.split("_")[0] for name in written} == {names[0]}
    assert all("_ERRORLOG" in name for name in written)
