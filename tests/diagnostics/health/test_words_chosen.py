"""Which of two wordings is chosen: each where it holds, and not the other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import connections, failed_over, noted, servers, story, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.near import Near
from agtrace.thresholds import Thresholds
from tests.behind import assert_facts
from tests.diagnostics.health.cases import at, event, failover, findings, reason, restart, told, watched
from tests.diagnostics.health.test_words import still
from tests.folded import folded

LIMITS = Thresholds()
LINUX = {"replica_failed": "pcs cluster start", "node_offline": "pcs quorum status",
         "not_notified": "journalctl -u pacemaker", "paged_out": "vm.swappiness",
         "out_of_memory": "memory.memorylimitmb", "not_opened": "chown", "not_registered": "adutil",
         "written": "/var/opt/mssql/log"}  # fmt: skip
WINDOWS = {"replica_failed": "Get-ClusterLog", "node_offline": "Get-ClusterLog",
"not_notified": "System event log",
           "paged_out": "Lock pages in memory", "out_of_memory": "DBCC MEMORYSTATUS",
           "not_opened": "anti-virus",
           "not_registered": "NTLM", "written": "beside the ERRORLOG"}  # fmt: skip


@folded("kind", LINUX)
@folded("platform", ["Linux", "Windows"])
def test_what_to_do_about_a_message_is_what_its_system_has(kind, platform):
    row = {"host_id": "A", "n": 1, "explained": 0, "busiest": 100, "first": at(1), "last": at(1),
           "is_local": False, "source": "ERRORLOG", "kind": kind,
           "texts": [{"text": "one text", "n": 1, "content_id": "log-A", "line": 7}]}  # fmt: skip
    systems = {"A": platform, "B": platform}
    (found,) = findings(noted.noted, told(platforms=systems), [row], [], LIMITS)
    assert_facts(found, n=1, texts=1)


@pytest.mark.parametrize("kind", ["machine paused", "SQL Server silent", "open"])
def test_a_cause_tells_what_stood_still(kind):
    made = replace(told([failover(100, 108, cause="standstill")]), standstills=(still(kind),))
    (found,) = findings(failed_over.failovers, made, LIMITS)
    assert_facts(found, primary="A", mode="automatic", trigger="lease_expired", low=300.0)


def lines(row, *events, **more):
    made = replace(told([row], list(events)), coverage=watched(B=7200), **more)
    (shown,) = summary.told(story.stories(made, failed_over.failovers(made, LIMITS)), None, SAID).told
    return [line.what for line in shown.lines]


IN_PLACE = reason(108, "B", "replica_state", "in place")
ALIKE = {"seconds_high": 300.0, "kept_running": ["B", "C"]}


def role(seconds, name, after="PRIMARY"):
    return event(seconds, "B", "database_role", database=name, before="RESOLVING", after=after)


@pytest.mark.parametrize("skew_ms", [2000.0, -2000.0])
def test_a_clock_that_differs_is_ahead_or_behind(skew_ms):
    row = restart("died", None, 100, gone=150, ready=160, missed_by="B", missed_since=at(110))
    nodes = tuple(
        {"host_id": "A", "sql_instance": "MSSQLSERVER", "time": at(time), "node": name, "content_id": "log-A",
         "line": 1}
        for time, name in ((-3000, "NODE1"), (151, "NODE2"))
    )  # fmt: skip
    made = told([], [event(0, "A", "ready", skew_ms=skew_ms)], restarts=(row,), nodes=nodes)
    (found,) = findings(servers.restarts, made)
    assert_facts(found, platform="", asked_for=["stopped", "shutdown"])


@pytest.mark.parametrize(
    ("by", "percent", "words"),
    [
        ("system_health", 12.0, {"times": 1, "ruled_out": 4, "ends_by": "back", "most": 20}),
        ("perfmon", 12.0, {"times": 1, "ruled_out": 4, "ends_by": "back", "most": 20}),
        ("system_health", 97.0, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
        ("perfmon", 97.0, {"short_of": 1, "ends_by": "back", "times": 1, "most": 20}),
    ],
)
def test_a_lost_connection_names_what_measured_the_processors(by, percent, words):
    rows = [event(100, "A", "connection_timeout", replica="B", ag="AG"),
            event(900, "A", "connected", replica="B", ag="AG")]  # fmt: skip
    made = told(events=rows, watched={"A": 7200, "B": 7200})
    near = Near(processors=12.0, processors_by=by, disk_ms=3.0, tasks=0)
    seen = {("A", at(100)): replace(near, processors=percent), ("B", at(100)): near}
    (found,) = findings(connections.lost_connections, made, LIMITS, lambda _moments: seen)
    assert_facts(found, **words)
