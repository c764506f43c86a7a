"""What is said from a part of the captures: what must appear, how sure at most, and what must not."""

from __future__ import annotations

from random import Random

import pytest

import agtrace
from simulation.groups.cast import Group
from simulation.groups.failures import ddl_forced
from simulation.groups.files import KINDS, Taken, write_group
from simulation.groups.life import Life
from simulation.samples.health_cases import EASTERN, STORIES, UNTIL_S

pytestmark = pytest.mark.complete

OLD, NEW = Taken(nodes=("HASQL1",)), Taken(nodes=("HASQL2",))
CLUSTER, HEALTH = Taken(kinds=("cluster log",)), Taken(kinds=("AlwaysOn_health",))
ALL = Taken()


@pytest.fixture
def found(tmp_path):
    def found(name: str, taken: Taken):
        story = STORIES[name]
        life = Life(Group("SalesAG", story.nodes, ("Sales",), story.start, EASTERN), Random(name))
        life.founded(story.nodes[0], 0.0)
        story.happens(life)
        life.healthy(20.0, UNTIL_S)
        write_group(tmp_path / "case", life, taken)
        return agtrace.open_case(tmp_path / "case", store=tmp_path / "store").health.findings()

    return found


# Story, part, causes that may be named, confidence at most, other findings that must appear.
TABLE = [
    ("failover_lease_cpu", ALL, {"cpu_starvation"}, 1.0, set()),
    ("failover_lease_cpu", OLD, {"cpu_starvation"}, 0.8, set()),
    ("failover_lease_cpu", NEW, {"open"}, 0.5, set()),
    ("failover_lease_cpu", CLUSTER, {"cpu_starvation"}, 0.7, set()),
    ("failover_lease_cpu", HEALTH, {"open", "lease_expired"}, 0.8, {"health.lease"}),
    ("failover_planned", ALL, {"ddl_failover"}, 1.0, set()),
    ("failover_planned", OLD, {"cluster_move", "ddl_failover", "open"}, 0.7, set()),
    ("failover_planned", NEW, {"ddl_failover"}, 1.0, set()),
    ("failover_planned", CLUSTER, {"cluster_move"}, 0.5, set()),
    ("failover_planned", HEALTH, {"ddl_failover"}, 1.0, set()),
    ("failover_io_stall", ALL, {"long_io"}, 1.0, {"health.long_io"}),
    ("failover_io_stall", OLD, {"long_io"}, 0.8, {"health.long_io"}),
    ("failover_io_stall", NEW, {"open"}, 0.5, set()),
    ("failover_io_stall", CLUSTER, {"health_timeout"}, 0.7, set()),
    ("failover_io_stall", HEALTH, {"open"}, 0.5, set()),
]


@pytest.mark.parametrize(("name", "taken", "causes", "most", "others"), TABLE)
def test_a_part_of_the_captures_tells_so_much_and_not_more(found, name, taken, causes, most, others):
    findings = found(name, taken)
    (failover,) = [f for f in findings if f.id == "health.failover"]
    assert failover.subject["cause"] in causes
    assert failover.confidence <= most
    assert (failover.subject["from"], failover.subject["to"]) == ("HASQL1", "HASQL2")
    planned = STORIES[name].happens is STORIES["failover_planned"].happens
    assert failover.subject["mode"] in ("open", "planned" if planned else "automatic")
    ids = {f.id for f in findings}
    assert others <= ids
    assert not ids & {"health.no_primary", "health.flapping", "health.restart"}
    if taken in (CLUSTER, HEALTH):
        assert "health.long_io" not in ids
    if taken == CLUSTER:
        assert not ids & {"health.lease", "health.disconnect"}


@pytest.mark.parametrize(
    "taken", [ALL, HEALTH, CLUSTER, Taken(kinds=("ERRORLOG",))], ids=["all", "health", "cluster", "logs"]
)
def test_a_lost_secondary_is_no_failover(found, taken):
    findings = found("secondary_lost", taken)
    ids = {f.id for f in findings}
    assert not ids & {"health.failover", "health.no_primary", "health.flapping"}
    if "ERRORLOG" in taken.kinds:
        (restart,) = [f for f in findings if f.id == "health.restart"]
        assert restart.subject == {"host": "HASQL3", "kind": "died"}
        (lost,) = [f for f in findings if f.id == "health.disconnect" and f.subject["host"] == "HASQL1"]
        assert lost.subject["replica"] == "HASQL3"


def test_the_cluster_log_of_the_old_node_alone_says_what_it_cannot_show(found):
    """The other node decided the move."""
    findings = found("failover_lease_cpu", Taken(nodes=("HASQL1",), kinds=("cluster log",)))
    assert not [f for f in findings if f.id == "health.failover"]
    (limit,) = [f for f in findings if f.id == "quality.not_captured"]
    assert limit.subject == {"ag": "SalesAG", "host": "HASQL1"}


NO_SESSION = tuple(kind for kind in KINDS if kind != "AlwaysOn_health")
FORCED = {
    "without AlwaysOn_health": (Taken(kinds=NO_SESSION), "ddl_forced", "forced", 0.9),
    "old ERRORLOG": (Taken(nodes=("HASQL1",), kinds=("ERRORLOG",)), "ddl_forced", "forced", 0.75),
    "new primary": (Taken(nodes=("HASQL2",), kinds=NO_SESSION), "ddl_failover", "open", 0.5),
}


@pytest.mark.parametrize(("taken", "cause", "mode", "most"), FORCED.values(), ids=FORCED)
def test_a_forced_failover_is_told_by_what_it_does_to_databases(tmp_path, taken, cause, mode, most):
    nodes = STORIES["failover_planned"].nodes
    life = Life(Group("SalesAG", nodes, ("Sales",), STORIES["failover_planned"].start, EASTERN), Random(3))
    life.founded(nodes[0], 0.0)
    ddl_forced(life, 2400.0, nodes[1])
    life.healthy(20.0, UNTIL_S)
    write_group(tmp_path / "case", life, taken)
    findings = agtrace.open_case(tmp_path / "case", store=tmp_path / "store").health.findings()
    (failover,) = [f for f in findings if f.id == "health.failover"]
    assert (failover.subject["cause"], failover.subject["mode"]) == (cause, mode)
    assert failover.confidence <= most
