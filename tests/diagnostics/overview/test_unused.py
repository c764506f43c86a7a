"""Files that were read, and that no question used."""

from __future__ import annotations

import pytest

import agtrace
from simulation.formats.query_results import ssms_csv
from simulation.formats.query_tables import TABLES

pytestmark = pytest.mark.complete


def unused(folder, *names):
    (folder / "SRV1").mkdir()
    for name in names:
        (folder / "SRV1" / f"{name}.csv").write_text(ssms_csv(TABLES[name]))
    with agtrace.open_case(folder) as case:
        found = [one for one in case.overview.findings() if one.id == "quality.unused"]
    return [measured.source for one in found for measured in one.evidence]


def test_a_view_that_a_relation_tells_of_is_used(tmp_path):
    assert unused(tmp_path, "database_replica_states", "replica_states", "listeners") == []


def test_one_snapshot_of_waits_and_a_view_without_a_rule_are_not_used(tmp_path):
    assert unused(tmp_path, "wait_stats", "backupset", "groups") == [
        "SRV1/backupset.csv",
        "SRV1/wait_stats.csv",
    ]
