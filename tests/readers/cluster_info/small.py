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

-- Cluster Resources --

Name       State  OwnerGroup    ResourceType
----       -----  ----------    ------------
AG1        Online AG1           SQL Server Availability Group
AG1_IP     Online AG1           IP Address
DTC (Apps) Failed Apps          Distributed Transaction Coordinator

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


PARAMETERS = """
PS C:\\> Get-ClusterResource AG1_IP | Get-ClusterParameter

Object Name                 Value         Type
------ ----                 -----         ----
AG1_IP Network              Cluster Net 1 String
AG1_IP Address              10.0.0.10     String
AG1_IP EnableDhcp           0             UInt32
AG1_IP ProbePort            59999         UInt32

"""

PARAMETER_LIST = """

ClusterObject : AG1_IP
Name          : Address
IsReadOnly    : False
ParameterType : String
Value         : 10.0.0.10

ClusterObject : AG1_IP
Name          : ProbePort
IsReadOnly    : False
ParameterType : UInt32
Value         : 59999

"""
"""Source: Get-ClusterParameter of Windows Server, as a table and through Format-List."""

GROUP_LIST = """
PS C:\\> Get-ClusterGroup AG1 | Format-List Name, FailoverThreshold, FailoverPeriod


Name              : AG1
FailoverThreshold : 2
FailoverPeriod    : 6


PS C:\\> Get-ClusterResource AG1 | Format-List *


Cluster          : CONTOSOCLU
IsCoreResource   : False
OwnerGroup       : AG1
ResourceType     : SQL Server Availability Group
State            : Online
Name             : AG1
Description      :
RestartPeriod    : 900000
RestartThreshold : 1

"""

OWNERS = """
PS C:\\> Get-ClusterResource | Get-ClusterOwnerNode

ClusterObject OwnerNodes
------------- ----------
AG1           {CONTOSO1, CONTOSO2}
Cluster Disk 7 {CONTOSO1}
AG2           {CONTOSO1, CONTOSO2, CONTOSO3...}
AG3           {}

"""
"""Source: Get-ClusterGroup, Get-ClusterResource and Get-ClusterOwnerNode of Windows Server."""


def captures() -> Iterator[tuple[str, bytes]]:
    yield "A_20260301T1015509010_ClusterInfo.out", TEXT.encode()
    yield "probe.txt", PARAMETERS.encode()
    yield "group.txt", (GROUP_LIST + OWNERS).encode()


def said() -> Iterator[tuple[str, bytes]]:
    more = "CrossSiteDelay          : 1000\r\nSameSubnetDelay"
    yield "ClusterInfo.out", TEXT.replace("SameSubnetDelay", more).encode()
