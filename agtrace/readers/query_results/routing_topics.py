"""Topics of the facts of routing lists."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "read_only_routing_list",
        "look at the routing lists",
        Value("routes", "routes in them; 0: none is configured", "n"),
    ),
    facts(
        "read_only_route",
        "route of a list",
        Value("ag", "availability group"),
        Value("replica", "replica while it is the primary, or its id"),
        Value("priority", "order in its list, from 1"),
        Value("routed_to", "replica that gets the connections, or its id"),
        Value("connections_allowed", "NO, READ_ONLY or ALL: what it allows as a secondary"),
        Value("routing_url", "its read-only routing URL"),
    ),
)
