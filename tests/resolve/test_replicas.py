"""Which host of a case a name means."""

from __future__ import annotations

import pytest

from agtrace.resolve.replicas import HostNames


def names(*hosts: str, fci: str | None = None, aliases: tuple[str, ...] = ()) -> HostNames:
    rows = [
        {"host_id": host, "display_name": host, "fci_network_name": None, "aliases": None} for host in hosts
    ]
    rows[0] |= {"fci_network_name": fci, "aliases": list(aliases)}
    return HostNames(rows)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("sql1.corp.example", "SQL1"),
        ("TCP://sql1.corp.example:5022", "SQL1"),
        ("CLUSTERNAME", "SQL1"),
        ("other", "SQL1"),
        ("sqlproduction01", "SQLPRODUCTION0123"),
        ("SQL3", "SQL3"),
    ],
)
def test_any_name_of_a_host_means_it(written, meant):
    hosts = names("SQL1", "SQLPRODUCTION0123", fci="ClusterName", aliases=("OTHER",))
    assert hosts.host_id(written) == meant


def test_a_cut_name_that_two_hosts_may_bear_means_neither():
    hosts = names("SQLPRODUCTION01A", "SQLPRODUCTION01B")
    assert hosts.host_id("SQLPRODUCTION01") == "SQLPRODUCTION01"
