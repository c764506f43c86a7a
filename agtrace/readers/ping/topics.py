"""Topics of the facts of a ping."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "ping",
        "run of ping",
        Value("target", "pinged host, as written"),
        Value("target_host", "the same as a host: first DNS label, upper case, or an address"),
        Value("address", "its address"),
        Value(
            "payload_bytes", "bytes of a packet as announced: its payload; ping6 of BSD adds its headers", "B"
        ),
        Value("sent", "packets sent"),
        Value("received", "replies"),
        Value("lost", "packets without a reply"),
        Value("duplicates", "duplicate replies, if any"),
        Value("errors", "packets that a router refused, if any"),
        Value("rtt_min_ms", "shortest round trip; `<1ms` is 0", "ms"),
        Value("rtt_avg_ms", "mean round trip", "ms"),
        Value("rtt_max_ms", "longest round trip", "ms"),
        Value("rtt_deviation_ms", "deviation of the round trips, if printed", "ms"),
        Value("computed", "true if computed from the replies, without a summary"),
    ),
)
