"""Topics of the facts of cluster settings."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

MILLISECONDS = frozenset(
    {"HealthCheckTimeout", "LeaseTimeout", "SameSubnetDelay", "CrossSubnetDelay", "CrossSiteDelay"}
)
"""Settings that are times in milliseconds."""

TOPICS = (
    facts(
        "cluster_setting",
        "cluster, member, group or resource, with its settings",
        Value("scope", "cluster, member, group or resource"),
        Value("name", "name of the cluster, node, availability group or resource"),
        *(Value(name, "time as configured", "ms") for name in sorted(MILLISECONDS)),
        Value("quorum_type", "type of the quorum"),
        Value("quorum_votes", "votes of a member (NodeWeight)", "votes"),
        Value("dynamic_votes", "votes that it has at the moment (DynamicWeight)", "votes"),
        Value("member_state", "state of a member"),
        Value("resource_type", "type of a resource: availability group, IP address, DTC, SQL Server, ..."),
        Value("owner_group", "role that a resource belongs to"),
        Value("state", "state of a resource"),
        Value("owner_nodes", "nodes that may own a resource"),
        Value("FailoverThreshold", "failures of a role that the cluster allows within its period"),
        Value("FailoverPeriod", "how long it counts them", "h"),
        Value("RestartPeriod", "how long it counts restarts of a resource on one node", "ms"),
        Value("ProbePort", "port of an address that Azure's load balancer probes"),
        Value("*", "any other property, under its own name"),
    ),
)
