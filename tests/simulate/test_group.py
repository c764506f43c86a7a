"""The simulator of a group's life: what it writes is one truth, whoever tells it."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.make import group_calm, group_failures
from tests.make.group_cast import Group, Node, Zone
from tests.make.group_files import errorlog, write_group
from tests.make.group_life import Life
from tests.simulate.group_draw import SCENARIOS, draw

STATE = re.compile(r"has changed from '(\w+)' to '(\w+)'")
DRAWN = 12


def changes(life: Life, name: str) -> list[tuple[float, str, str]]:
    """Give the changes of state that a node wrote, in order."""
    return [
        (said.t, *match.groups())
        for run in life.journals[name].runs
        for said in sorted(run.said, key=lambda one: one.t)
        if (match := STATE.search(said.text))
    ]


def drawn_lives():
    return [draw(number, Random(f"fixed-{number}")) for number in range(DRAWN)]


def test_every_scenario_is_drawn_in_fifty_cases():
    told = {t.scenario for n in range(50) for t in draw(n, Random(f"all-{n}")).truths}
    assert told >= {scenario.name for scenario in SCENARIOS}


@pytest.mark.parametrize("case", drawn_lives(), ids=lambda case: str(case.number))
def test_a_replica_goes_on_from_the_state_it_had(case):
    for name in case.life.journals:
        state = "NOT_AVAILABLE"
        for _, old, new in changes(case.life, name):
            assert old in (state, "NOT_AVAILABLE"), (name, old, state)
            state = new


@pytest.mark.parametrize("case", drawn_lives(), ids=lambda case: str(case.number))
def test_a_new_primary_is_in_place_at_the_end_of_each_failover_and_never_else(case):
    online = [
        (t, name)
        for name in case.life.journals
        for t, _, new in changes(case.life, name)
        if new == "PRIMARY_NORMAL"
    ]
    first, *others = sorted(online)
    assert others == [(one.failover.end, one.failover.target) for one in case.truths]
    starts = [one.failover.start for one in case.truths]
    assert all(one.failover.start <= one.failover.end for one in case.truths)
    assert all(first[0] < start for start in starts)


@pytest.mark.parametrize("case", drawn_lives(), ids=lambda case: str(case.number))
def test_the_health_session_tells_the_same_changes_as_the_log(case):
    for name, journal in case.life.journals.items():
        kept = [
            t for run in journal.runs for t, event, _ in run.health
            if event == "availability_replica_state_change"
        ]  # fmt: skip
        logged = [t for t, _, _ in changes(case.life, name)]
        assert sorted(kept) == pytest.approx(sorted(logged), abs=0.01)


def test_clocks_are_applied_where_a_file_is_written():
    node = Node("A", 1, 3000)
    group = Group("AG", (node, Node("B", 2)), ("D",), draw(0, Random(1)).life.group.start,
                  Zone(120, step_at=100.0, step_minutes=-60))  # fmt: skip
    life = Life(group, Random(1))
    life.founded(node, 0.0)
    group_calm.disconnected(life, 200.0, group.nodes[1])
    text = errorlog(life[node], life[node].run, 1e9).decode("utf-16")
    (line,) = [line for line in text.split("\r\n") if "previously established" in line]
    assert line[:22] == f"{group.local(node, 200.0):%Y-%m-%d %H:%M:%S}.00"
    assert (group.local(node, 200.0) - group.utc(node, 200.0)).total_seconds() == 3600
    assert (group.utc(node, 200.0) - group.start).total_seconds() == 203


def test_a_starved_primary_writes_late_and_does_not_move_the_start():
    nodes = (Node("A", 1), Node("B", 2))
    life = Life(Group("AG", nodes, ("D",), draw(0, Random(1)).life.group.start), Random(1))
    life.founded(nodes[0], 0.0)
    happened = group_failures.lease_expired(life, 900.0, nodes[1], late=20.0)
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
