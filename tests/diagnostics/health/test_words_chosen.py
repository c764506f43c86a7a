"""Which of two wordings is chosen: each where it holds, and not the other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agtrace.diagnostics.health import connections, failed_over, groups, noted, servers, story, summary
from agtrace.diagnostics.health.analysis import SAID
from agtrace.diagnostics.health.near import Near
from agtrace.thresholds import Thresholds
from tests.diagnostics.health.cases import (
    at,
    event,
    failover,
    findings,
    reason,
    restart,
    state,
    told,
    watched,
)
from tests.diagnostics.health.test_words import still

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


@pytest.mark.parametrize("kind", LINUX)
@pytest.mark.parametrize(
    ("platform", "own", "others"), [("Linux", LINUX, WINDOWS), ("Windows", WINDOWS, LINUX)]
)
def test_what_to_do_about_a_message_is_what_its_system_has(kind, platform, own, others):
    row = {"host_id": "A", "n": 1, "explained": 0, "busiest": 100, "first": at(1), "last": at(1),
           "is_local": False, "source": "ERRORLOG", "kind": kind,
           "texts": [{"text": "one text", "n": 1, "content_id": "log-A", "line": 7}]}  # fmt: skip
    systems = {"A": platform, "B": platform}
    (found,) = findings(noted.noted, told(platforms=systems), [row], [], LIMITS)
    assert own[kind] in found.recommendation
    assert others[kind] not in found.recommendation


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("machine paused", "the machine of A was paused for 5 min to 5 min 20 s"),
        (
            "SQL Server silent",
            "SQL Server on A stood still for 5 min to 5 min 20 s while its machine went on",
        ),
        ("open", "A stood still for 5 min to 5 min 20 s"),
    ],
)
def test_a_cause_tells_what_stood_still(kind, words):
    made = replace(told([failover(100, 108, cause="standstill")]), standstills=(still(kind),))
    (found,) = findings(failed_over.failovers, made, LIMITS)
    assert found.title.endswith(f": {words}")


def lines(row, *events, **more):
    made = replace(told([row], list(events)), coverage=watched(B=7200), **more)
    (shown,) = summary.told(story.stories(made, failed_over.failovers(made, LIMITS)), None, SAID).told
    return [line.what for line in shown.lines]


IN_PLACE = reason(108, "B", "replica_state", "in place")
ALIKE = {"seconds_high": 300.0, "kept_running": ["B", "C"]}


@pytest.mark.parametrize(
    ("kind", "more", "words"),
    [
        ("machine paused", {}, "the machine is paused"),
        ("machine paused", ALIKE, "the machine is paused; B and C keep running"),
        ("SQL Server silent", {}, "last sign of life of SQL Server, its machine goes on"),
        ("SQL Server silent", ALIKE, "SQL Server stands still, its machine goes on; B and C keep running"),
        ("open", {}, "last sign of life of the host"),
        ("open", ALIKE, "no sign of life any more; B and C keep running"),
    ],
)
def test_a_story_tells_what_stands_still_and_who_keeps_running(kind, more, words):
    row = failover(100, 108, cause="standstill", reasons=[IN_PLACE])
    assert lines(row, standstills=(still(kind, **more),))[0] == words


def role(seconds, name, after="PRIMARY"):
    return event(seconds, "B", "database_role", database=name, before="RESOLVING", after=after)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([role(109, "X")], "the only database is back as primary"),
        ([role(109, "X"), role(109, "Y")], "all 2 databases are back as primary"),
        ([role(109, "X"), role(109, "Y", "RESOLVING")], "1 of 2 databases is back as primary"),
        (
            [role(109, "X"), role(109, "Y"), role(109, "Z", "RESOLVING")],
            "2 of 3 databases are back as primary",
        ),
    ],
)
def test_a_story_counts_the_databases_that_are_back(rows, words):
    assert lines(failover(100, 108, reasons=[IN_PLACE]), *rows)[-1] == words


@pytest.mark.parametrize(("skew_ms", "words"), [(2000.0, "2 s ahead of that"), (-2000.0, "2 s behind that")])
def test_a_clock_that_differs_is_ahead_or_behind(skew_ms, words):
    row = restart("died", None, 100, gone=150, ready=160, missed_by="B", missed_since=at(110))
    nodes = tuple(
        {"host_id": "A", "sql_instance": "MSSQLSERVER", "time": at(time), "node": name, "content_id": "log-A",
         "line": 1}
        for time, name in ((-3000, "NODE1"), (151, "NODE2"))
    )  # fmt: skip
    made = told([], [event(0, "A", "ready", skew_ms=skew_ms)], restarts=(row,), nodes=nodes)
    (found,) = findings(servers.restarts, made)
    assert f"Times are of its own clock, which is {words} of the others." in found.narrative


@pytest.mark.parametrize(
    ("by", "percent", "words"),
    [
        ("system_health", 12.0, "processors of A and B (system_health, at most 12 %)"),
        ("perfmon", 12.0, "processors of A and B (perfmon, at most 12 %)"),
        ("system_health", 97.0, "A showed load, as system_health has it: processors at most 97 %."),
        ("perfmon", 97.0, "A showed load, as perfmon has it: processors at most 97 %."),
    ],
)
def test_a_lost_connection_names_what_measured_the_processors(by, percent, words):
    rows = [event(100, "A", "connection_timeout", replica="B", ag="AG"),
            event(900, "A", "connected", replica="B", ag="AG")]  # fmt: skip
    made = told(events=rows, watched={"A": 7200, "B": 7200})
    near = Near(processors=12.0, processors_by=by, disk_ms=3.0, tasks=0)
    seen = {("A", at(100)): replace(near, processors=percent), ("B", at(100)): near}
    (found,) = findings(connections.lost_connections, made, LIMITS, lambda _moments: seen)
    assert words in found.narrative


def test_an_incident_of_two_primaries_is_called_so():
    states = [(0, "A", "PRIMARY_PENDING", "PRIMARY_NORMAL"), (100, "B", "PRIMARY_PENDING", "PRIMARY_NORMAL"),
              (110, "A", "PRIMARY_NORMAL", "RESOLVING_NORMAL")]  # fmt: skip
    rows = [state(*each) | {"skew_ms": 0.0} for each in states]
    made = replace(told(events=rows), coverage=watched(A=7200, B=7200))
    found = story.stories(made, groups.two_primaries(made, LIMITS))
    (shown,) = summary.told(found, None, SAID).told
    assert shown.title == "AG with two primaries, 2024-03-05 12:01:40 UTC"
