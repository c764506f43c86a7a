"""Two groups of one name in one folder, of other hosts and years, are reported as each is alone."""

from __future__ import annotations

import shutil
from datetime import datetime
from random import Random

import pytest

import agtrace
from simulation.groups.cast import Group, Node
from simulation.groups.files import Taken, write_group
from simulation.groups.life import Life
from simulation.samples.health_cases import EASTERN, STORIES, UNTIL_S

pytestmark = pytest.mark.complete

LIVES = {
    "one": ("failover_lease_cpu", datetime(2022, 5, 3, 14), ("HASQL1", "HASQL2"), Taken()),
    "other": ("failover_planned", datetime(2024, 2, 6, 2), ("BERLIN1", "BERLIN2"), Taken()),
    "lost": ("failover_io_stall", datetime(2023, 2, 6, 2), ("PARIS1", "PARIS2"), Taken(until=1810.0)),
}


def written(folder, name):
    story, start, hosts, taken = LIVES[name]
    nodes = tuple(Node(host, number) for number, host in enumerate(hosts, 1))
    life = Life(Group("SalesAG", nodes, ("Sales",), start, EASTERN), Random(name))
    life.founded(nodes[0], 0.0)
    STORIES[story].happens(life)
    life.healthy(20.0, UNTIL_S)
    write_group(folder, life, taken)


def findings_of(folder):
    with agtrace.open_case(folder) as case:
        return list(case.findings())


def facts_of(findings):
    return sorted((f.id, str(f.subject), str(f.window), f.severity, f.title) for f in findings)


@pytest.fixture(scope="module", params=[("one", "other"), ("lost", "other")], ids=" and ".join)
def folders(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("unrelated")
    for name in request.param:
        written(root / name, name)
        shutil.copytree(root / name, root / "both", dirs_exist_ok=True)
    return root, request.param


def test_findings_are_those_of_each_alone_and_a_warning_first(folders):
    root, names = folders
    warning, *others = sorted(
        findings_of(root / "both"), key=lambda one: one.id != "quality.unrelated_groups"
    )
    assert (warning.id, warning.severity) == ("quality.unrelated_groups", "warning")
    alone = [one for name in names for one in findings_of(root / name)]
    assert facts_of(others) == facts_of(alone)
