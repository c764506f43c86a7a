"""What real servers noted: counts that were read by eye in their files."""

from __future__ import annotations

import shutil

import pytest

import agtrace
from tests.shared import CAPTURES, needs_captures

DOCUMENTED = {
    "MarioCSan+DemoCopernicus": {("health.logins", "info", 107)},
    "arvindshmicrosoft+SQLCallStackResolver": {("health.memory", "info", 18), ("health.spn", "info", 2)},
    "koonst+Appki-w-.NET-i-Java": {("health.memory", "info", 279), ("health.spn", "info", 7)},
    "desarrollo789+dabases": {("health.memory", "info", 26), ("health.spn", "info", 14)},
    "danielbarczynski+dockub": set(),
}
"""Id, severity and entries by repository; none of these servers has a group."""


def noted(path):
    with agtrace.open_case(path) as case:
        found = case.health.findings()
    kinds = [f for f in found if "kind" in f.subject and f.id != "health.restart"]
    return {(f.id, f.severity, f.evidence[0].value) for f in kinds}


@pytest.mark.complete
@needs_captures
@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_a_server_noted_is_an_info_where_it_has_no_group(name, tmp_path):
    for path in (CAPTURES / "errorlog").glob(f"{name}__*"):
        shutil.copy(path, tmp_path / path.name.rpartition("__")[2])
    assert noted(tmp_path) == DOCUMENTED[name]


@pytest.mark.complete
@needs_captures
def test_waits_of_a_file_alone_are_told(tmp_path):
    for path in (CAPTURES / "xel").glob("orders_api__*"):
        shutil.copy(path, tmp_path)
    with agtrace.open_case(tmp_path) as case:
        (found,) = [f for f in case.health.findings() if f.id == "health.waits"]
    assert found.severity == "info"


@pytest.mark.complete
@needs_captures
def test_a_replica_that_failed_after_its_cluster_was_gone_is_told_in_the_real_group(tmp_path):
    for host in ("ze-2016-v1", "ze-2016-v2"):
        shutil.copytree(CAPTURES / "failover_2017" / host, tmp_path / host)
    with agtrace.open_case(tmp_path) as case:
        found = [f for f in case.health.findings() if f.id == "health.quorum"]
    told = {(f.subject["host"], f.subject["kind"]): (f.severity, f.evidence[0].value) for f in found}
    # 22:25:16 to :24, 6 minutes after a failover, on the old primary; 21:53:54 was 12 s after one.
    # One of the five (41161) is written without its number.
    assert told.pop(("ZE-2016-V2", "replica_failed")) == ("warning", 5)
    # The node of the secondary left at 21:20:16 and 21:24:21, and that of the old primary at 22:25:13.
    assert told.pop(("ZE-2016-V2", "node_offline")) == ("warning", 3)
    assert {kind for _host, kind in told} == {"node_offline"}
