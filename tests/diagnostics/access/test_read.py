"""From the bytes of logs: what both ends write of a login that is denied, and what a cluster lists."""

from __future__ import annotations

import pytest

import agtrace
from tests.diagnostics.access.cases import denied

HEAD = (
    "2024-03-05 10:00:00.00 Server      Microsoft SQL Server 2019 (RTM) - 15.0.2000.5 (X64) \n"
    "\tEnterprise Edition (64-bit) on Windows Server 2019 Standard 10.0 <X64> (Build 17763: ) (Hypervisor)\n"
    "2024-03-05 10:00:00.00 Server      UTC adjustment: 1:00\n"
    "2024-03-05 10:00:01.00 spid10s     Server name is '{}'. This is an informational message only. No user "
    "action is required.\n"
    "2024-03-05 10:00:05.00 spid10s     The state of the local availability replica in availability group "
    "'AG' "
    "has changed from 'RESOLVING_NORMAL' to '{}'.  The state changed because the availability group is "
    "coming online.\n"
)
RESOURCES = """-- Windows Cluster Name --
WSFC1

-- Cluster Resources --
Name         State  OwnerGroup    ResourceType
----         -----  ----------    ------------
AG_LSN       Failed AG            Network Name
Cluster Name Failed Cluster Group Network Name

"""


def both_ends(folder):
    """Write the ERRORLOGs of two hosts, of which the first denies the other its endpoint, and a cluster's "
    "list."""
    own, theirs = HEAD.format("SQLA", "PRIMARY_NORMAL"), HEAD.format("SQLB", "SECONDARY_NORMAL")
    for minute in range(0, 60, 2):
        at = f"2024-03-05 11:{minute:02d}:"
        own += f"{at}00.00 Logon       {denied('CONTOSO' + chr(92) + 'SQLB$')}\n"
        theirs += (
            f"{at}10.00 spid30s     Error: 1474, Severity: 16, State: 1.\n"
            f"{at}10.00 spid30s     Database mirroring connection error 4 'An error occurred while "
            f"receiving data: "
            "'10054(An existing connection was forcibly closed by the remote host.)'.' for "
            "'TCP://sqla.contoso.com:5022'.\n"
            f"{at}20.00 spid30s     A connection timeout has occurred while attempting to establish a "
            f"connection to "
            "availability replica 'SQLA' with id [BC9116F0-FB49-4376-9F2B-B254C6DBFA32]. Either a "
            "networking or "
            "firewall issue exists, or the endpoint address provided for the replica is not the database "
            "mirroring "
            "endpoint of the host server instance.\n"
        )
    for host, text in (("SQLA", own), ("SQLB", theirs)):
        (folder / host).mkdir()
        (folder / host / "ERRORLOG").write_text(text, "utf-16")
    (folder / "SQLA" / "ClusterInfo.out").write_text(RESOURCES)


@pytest.mark.complete
def test_a_denied_login_and_a_failed_name_are_told_from_the_files(tmp_path):
    (tmp_path / "case").mkdir()
    both_ends(tmp_path / "case")
    with agtrace.open_case(tmp_path / "case", tmp_path / "store") as case:
        endpoint, listener = case.access.findings()
    assert endpoint.subject == {"host": "SQLA", "replica": "SQLB", "kind": "login"}
    assert (endpoint.severity, endpoint.confidence, endpoint.evidence[0].value) == ("warning", 0.95, 30)
    assert endpoint.window == {"start": "2024-03-05T10:00:00+00:00", "end": "2024-03-05T10:58:00+00:00"}
    assert [one.label for one in endpoint.evidence[2:]] == ["SQLB wrote, 30 x", "SQLB wrote, 30 x"]
    assert (listener.subject, listener.severity) == ({"ag": "AG", "listener": "LSN"}, "warning")
