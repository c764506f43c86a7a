"""What the facts of cluster settings say."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

MILLISECONDS = frozenset(
    {"HealthCheckTimeout", "LeaseTimeout", "SameSubnetDelay", "CrossSubnetDelay", "CrossSiteDelay"}
)
"""Settings that are times in milliseconds."""

TOPICS = (
    facts(
        "cluster_setting",
        "cluster, member or group, with its settings",
        Value("scope", "cluster, member or group"),
        Value("name", "name of the cluster, node or availability group"),
        *(Value(name, "time as configured", "ms") for name in sorted(MILLISECONDS)),
        Value("quorum_type", "type of the quorum"),
        Value("quorum_votes", "votes of a member (NodeWeight)", "votes"),
        Value("dynamic_votes", "votes that it has at the moment (DynamicWeight)", "votes"),
        Value("member_state", "state of a member"),
        Value("*", "any other property, under its own name"),
    ),
)
