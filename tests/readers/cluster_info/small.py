"""A small ClusterInfo.out: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

TEXT = """-- Cluster Nodes --

Name     State Type
----     ----- ----
CONTOSO1 Up    Node
CONTOSO2 Down  Node



-- Windows Cluster Name --
CONTOSOCLU

-- Cluster Network Interfaces --

Name                     Node     Network
----                     ----     -------
CONTOSO1 - Ethernet      CONTOSO1 Cluster Network 1

-- Cluster Cluster Quorum --


Cluster        : CONTOSOCLU
QuorumResource : Cloud Witness
QuorumType     : Majority

-- Cluster Info--


CrossSubnetDelay        : 1000
CrossSubnetThreshold    : 20
Domain                  : contoso
                          .lan
Name                    : CONTOSOCLU
SameSubnetDelay         : 1000
SameSubnetThreshold     : 10
WitnessDynamicWeight    : 1
Description             :

-- cluster Node Details --


Cluster       : CONTOSOCLU
DynamicWeight : 1
Name          : CONTOSO1
NodeWeight    : 1
State         : Up

DynamicWeight : 0
Name          : CONTOSO2
NodeWeight    : 1
State         : Down

-- Availability Group timeout settings --
Availability Group               timeout_setting_name     timeout_value
-------------------------------- ------------------------ -------------
AG1                              HealthCheckTimeout       30000
AG1                              LeaseTimeout             20000
AG with a name                   LeaseTimeout             10000
""".replace("\n", "\r\n")


def captures() -> Iterator[tuple[str, bytes]]:
    yield "A_20260301T1015509010_ClusterInfo.out", TEXT.encode()


def said() -> Iterator[tuple[str, bytes]]:
    more = "CrossSiteDelay          : 1000\r\nSameSubnetDelay"
    yield "ClusterInfo.out", TEXT.replace("SameSubnetDelay", more).encode()
