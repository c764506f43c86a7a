"""Groups that the cluster log puts in quotes, whatever their own names hold."""

from __future__ import annotations

from datetime import datetime

import pytest

import agtrace
from simulation.formats.cluster_log import ClusterLog


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            "failure_notified",
            "[RCM] HandleMonitorReply: FAILURENOTIFICATION for 'O'Brien AG', gen(2) result 1/0.",
        ),
        ("group_orphaned", "Group 'O'Brien AG' has transitioned from state 'Online' to state 'Orphaned'."),
        (
            "resource_failed",
            "The Cluster service failed to bring clustered role 'O'Brien AG' completely online or offline.",
        ),
    ],
)
def test_a_quote_in_the_name_of_a_group_does_not_end_it(kind, text, tmp_path):
    made = ClusterLog("SQL1", 0, utc=True)
    made.time = datetime(2024, 3, 10, 7)
    made.section("Cluster Logs")
    made.add("INFO", "[RES] SQL Server Availability Group <O'Brien AG>: [hadrag] Online")
    made.add("ERR", text)
    (tmp_path / "SQL1_cluster.log").write_bytes(made.windows())
    with agtrace.open_case(tmp_path) as case:
        assert case.sql(f"select ag from timeline where kind = '{kind}'").fetchall() == [("O'Brien AG",)]
