"""Lives of endpoints, listeners and routing."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.access import Access
from tests.diagnostics.access import cases as access
from tests.diagnostics.access import routes, test_listeners, test_targets
from tests.diagnostics.lives.life import Life, Made, asked, of

TIMES = range(60, 600, 60)


def endpoint(number: int | None, text: str, times: Any = TIMES, **given: Any) -> Made:
    return asked(Access, lambda: access.life(access.every("A", times, number, text), **given))


def unread() -> Made:
    """Ask of the same replicas, whose ERRORLOGs were not captured."""
    return asked(Access, lambda: access.life(until={}))


CLUSTER_NAME = "Cluster resource 'Cluster Name' of type 'Network Name' failed."
BROKER = "Service Broker login attempt failed with error: 'Connection handshake failed. State 89.'."
LISTENER = access.PARTNERS + test_listeners.ONE
CLOSED = routes.EACH.replace("READ_ONLY;", "NO;")
ACCESS = (
    Life("access/endpoint.certificate", "access.endpoint", endpoint(None, access.EXPIRED),
         endpoint(None, BROKER), unread()),
    Life("access/endpoint.login", "access.endpoint", endpoint(None, access.denied()),
         endpoint(None, access.EXPIRED), unread()),
    Life("access/endpoint.algorithm", "access.endpoint", endpoint(None, access.NO_CIPHER),
         endpoint(None, access.denied()), unread()),
    Life("access/endpoint.refused", "access.endpoint", endpoint(1474, access.CLOSED),
         endpoint(1474, access.CLOSED, range(60, 360, 60)), unread()),
    Life("access/endpoint.timeout", "access.endpoint", endpoint(1474, access.SILENT),
         endpoint(1474, access.SILENT, range(60, 360, 60)), unread()),
    Life("access/listener.failed", "access.listener",
         asked(Access, lambda: test_listeners.with_events((60, 1196, test_listeners.DNS))),
         asked(Access, lambda: test_listeners.with_events((60, 1069, CLUSTER_NAME))),
         asked(Access, lambda: access.life(relations=LISTENER))),
    Life("access/listener.offline", "access.listener",
         asked(Access, lambda: access.life(
             relations=access.PARTNERS + test_listeners.look(("10.0.0.10", "255.255.255.0", "OFFLINE")))),
         asked(Access, lambda: access.life(relations=access.PARTNERS + test_listeners.TWO)),
         asked(Access, access.life)),
    Life("access/clients", "access.clients",
         asked(Access, lambda: access.life(relations=access.PARTNERS + test_listeners.TWO)),
         asked(Access, lambda: access.life(relations=LISTENER)), asked(Access, access.life)),
    Life("access/routing.on_primary", "access.routing", endpoint(979, routes.NOT_READ_ONLY),
         endpoint(976, routes.NOT_READ_ONLY), unread()),
    Life("access/routing.no_secondary", "access.routing", endpoint(982, routes.NO_SECONDARY),
         endpoint(988, routes.NO_SECONDARY), unread()),
    Life("access/routing.without_intent", "access.routing", endpoint(978, routes.INTENT_NEEDED),
         endpoint(976, routes.INTENT_NEEDED), unread()),
    Life("access/routing.resolving", "access.routing",
         endpoint(983, routes.IN_A_CHANGE, range(60, 361, 60)),
         endpoint(983, routes.IN_A_CHANGE, range(60, 360, 60)), unread()),
    Life("access/routing.lists", "access.routing",
         asked(Access, lambda: access.life(relations=access.PARTNERS + CLOSED)),
         asked(Access, lambda: access.life(relations=access.PARTNERS + routes.EACH)),
         asked(Access, access.life)),
    Life("access/routing.halted", "access.routing",
         of(Access, routes.EACH, test_targets.STATE.format("B", "true", "NOT SYNCHRONIZING")),
         of(Access, routes.EACH, test_targets.STATE.format("B", "false", "SYNCHRONIZING")),
         of(Access, routes.EACH)),
    Life("access/routing.port", "access.routing",
         of(Access, routes.EACH.replace("TCP://x:1433", "TCP://x:5022", 1)), of(Access, routes.EACH),
         of(Access)),
)  # fmt: skip
