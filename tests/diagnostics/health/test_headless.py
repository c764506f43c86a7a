"""ERRORLOGs without their head, and files of strangers beside them: what they tell is told, and of nobody
else.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

import agtrace
from simulation.formats.errorlog import Log
from tests.behind import assert_facts

NOON = datetime(2024, 3, 5, 12)
EXPIRED = (
    "The lease between availability group 'AG' and the Windows Server Failover Cluster has expired. A "
    "connectivity issue "
    "occurred between the instance of SQL Server and the Windows Server Failover Cluster. To determine "
    "whether the "
    "availability group is failing over correctly, check the corresponding availability group resource in "
    "the Windows "
    "Server Failover Cluster."
)
CONNECTED = (
    "A connection for availability group 'AG' from availability replica 'SQL1' with id  "
    "[377C9F54-E247-4741-A8A1-3DA0C814AE51] "
    "to 'SQL2' with id [BC9116F0-FB49-4376-9F2B-B254C6DBFA32] has been successfully established.  This is an "
    "informational "
    "message only. No user action is required."
)
BANNER = "Microsoft SQL Server 2022 (RTM-CU11) (KB5032679) - 16.0.4105.2 (X64) "
READY = (
    "SQL Server is now ready for client connections. This is an informational message; no user action is "
    "required."
)
SHUTDOWN = (
    "SQL Server is terminating because of a system shutdown. This is an informational message only. No user "
    "action is required."
)


def cycled(name_inside: bool = False) -> Log:
    """Return a log that sp_cycle_errorlog began: its banner has the offset, and no server's name.

    A lease expires, the group fails over in place, and the instance is started again.
    """
    log = Log(NOON, timedelta(0))
    log.add("Server", BANNER)
    log.add("Server", "UTC adjustment: 0:00")
    if name_inside:
        log.add("spid9s", CONNECTED)
    log.time += timedelta(minutes=10)
    log.replica_state("AG", "PRIMARY_PENDING", "PRIMARY_NORMAL")
    log.time += timedelta(minutes=10)
    log.add("spid9s", EXPIRED)
    log.replica_state("AG", "PRIMARY_NORMAL", "RESOLVING_NORMAL")
    log.time += timedelta(seconds=5)
    log.replica_state("AG", "RESOLVING_NORMAL", "PRIMARY_PENDING")
    log.replica_state("AG", "PRIMARY_PENDING", "PRIMARY_NORMAL")
    log.time += timedelta(minutes=10)
    log.add("spid9s", SHUTDOWN)
    log.time += timedelta(minutes=2)
    log.add("Server", BANNER)
    return log.add("spid9s", READY)


def found(folder, *ids: str):
    with agtrace.open_case(folder) as case:
        findings = [*case.health.findings(), *case.overview.findings()]
    return [f for f in findings if f.id in ids]


TOLD = ("health.failover", "health.lease", "health.restart")


@pytest.mark.complete
def test_one_finding_says_that_the_log_has_no_name(tmp_path):
    (tmp_path / "ERRORLOG.3").write_bytes(cycled().windows())
    (unknown,) = found(tmp_path, "quality.host_unknown")
    assert unknown.severity == "info"
    assert [e.source for e in unknown.evidence] == ["ERRORLOG.3"]


@pytest.mark.complete
def test_a_log_that_its_connections_name_is_told_of_that_host(tmp_path):
    (tmp_path / "ERRORLOG.3").write_bytes(cycled(name_inside=True).windows())
    assert {f.subject.get("host", "SQL1") for f in found(tmp_path, *TOLD)} == {"SQL1"}
    assert found(tmp_path, "quality.host_unknown") == []


@pytest.mark.complete
def test_two_logs_without_a_name_are_two_hosts(tmp_path):
    (tmp_path / "ERRORLOG.3").write_bytes(cycled().windows())
    later = cycled()
    for number, entry in enumerate(later.entries):
        later.entries[number] = type(entry)(entry.time + timedelta(days=1), entry.source, entry.text)
    (tmp_path / "ERRORLOG.2").write_bytes(later.windows())
    hosts = {f.subject["host"] for f in found(tmp_path, "health.restart")}
    assert hosts == {"an unnamed host (ERRORLOG.2)", "an unnamed host (ERRORLOG.3)"}
    (unknown,) = found(tmp_path, "quality.host_unknown")
    assert unknown.severity == "warning"


@pytest.mark.complete
def test_a_stranger_beside_a_host_tells_nothing_of_it(tmp_path):
    own = Log(NOON, timedelta(0)).start("SQL1", utc="0:00", os="Linux (Ubuntu 22.04.3 LTS) <X64>")
    (tmp_path / "ERRORLOG").write_bytes(own.windows())
    stranger = cycled()
    stranger.entries[0] = type(stranger.entries[0])(
        NOON,
        "Server",
        stranger.entries[0].text,
        ("\tDeveloper Edition (64-bit) on Windows Server 2022 Standard 10.0 <X64>",),
    )
    (tmp_path / "ERRORLOG.9").write_bytes(stranger.windows())
    assert {f.subject.get("host") for f in found(tmp_path, "health.restart", "health.lease")} == {
        "an unnamed host (ERRORLOG.9)"
    }
    (unknown,) = found(tmp_path, "quality.host_unknown")
    assert unknown.severity == "warning"
    assert_facts(unknown, n=1, kept=1, strange=1)
