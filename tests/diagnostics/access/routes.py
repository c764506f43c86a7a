"""Where connections with read intent end, and what the routing lists leave open."""

from __future__ import annotations

from tests.diagnostics.access.cases import found

NOT_READ_ONLY = (
    "The target database ('Sales') is in an availability group and currently does not allow read only "
    "connections. For more "
    "information about application intent, see SQL Server Books Online."
)
NO_SECONDARY = (
    "Unable to access the 'Sales' database because no online secondary replicas are enabled for "
    "read-only access."
)
INTENT_NEEDED = (
    "The target database ('Sales') is in an availability group and is currently accessible for connections "
    "when the "
    "application intent is set to read only."
)
IN_A_CHANGE = (
    "Unable to access availability database 'Sales' because the database replica is not in the PRIMARY "
    "or SECONDARY role."
)
ROUTE = (
    "A | 1 | routing | ag=AG; replica={}; priority={}; routed_to={}; connections_allowed={}; "
    "routing_url=TCP://x:1433"
)
EACH = "\n".join([ROUTE.format("A", 1, "B", "READ_ONLY"), ROUTE.format("B", 1, "A", "ALL")])


def routing(made):
    return found(made, "access.routing")
