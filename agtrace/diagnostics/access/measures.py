"""Measures of the access to endpoints, listeners and readable secondaries."""

from __future__ import annotations

from agtrace.measures import Measure

ENTRIES = Measure(
    "entries", "entries", "", "messages and events, counted once where several captures keep them"
)
ADDRESSES = Measure("addresses", "addresses of the listener", "")
REFUSALS = Measure("refusals", "connections that failed", "")
ROUTES = Measure("routes", "read-only routes of {replica}", "")

HOST, REPLICA, KIND = Measure("host"), Measure("replica"), Measure("kind")
FIRST, LAST = Measure("first"), Measure("last")
STATE = Measure("state", meaning="how it stood at the end of the captures")
AG, LISTENER = Measure("ag"), Measure("listener")
FAILURES = (
    *(HOST, REPLICA, KIND, ENTRIES, FIRST, LAST),
    Measure("ended", "how it ended"),
    Measure("text", meaning="the entry that was written most"),
)
LISTENERS = (
    *(AG, LISTENER, Measure("port"), Measure("ip_address", "address"), Measure("subnet_mask", "mask"), STATE),
    Measure("time", "looked at"),
)
ROUTED = (
    *(AG, REPLICA, Measure("priority"), Measure("routed_to", "routed to")),
    Measure("connections_allowed", "connections allowed"),
    Measure("routing_url", "routing URL"),
)
SEEN = Measure("seen", meaning="the last that was written, or looked at, of the connection")
CONNECTIONS = (HOST, REPLICA, AG, SEEN, Measure("time"))
MEASURES = tuple(dict.fromkeys((*CONNECTIONS, *FAILURES, *LISTENERS, *ROUTED)))
