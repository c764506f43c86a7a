"""What the facts of a ping say."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "ping",
        "run of ping",
        Value("target", "what was pinged, as written"),
        Value("target_host", "the same as a host: first DNS label, upper case, or an address"),
        Value("address", "its address"),
        Value(
            "payload_bytes", "bytes of a packet as announced: its payload; ping6 of BSD adds its headers", "B"
        ),
        Value("sent", "packets sent"),
        Value("received", "replies"),
        Value("lost", "packets without a reply"),
        Value("duplicates", "replies to packets that were answered before; where there are any"),
        Value("errors", "packets that a router refused; where there are any"),
        Value("rtt_min_ms", "shortest round trip; `<1ms` is 0", "ms"),
        Value("rtt_avg_ms", "mean round trip", "ms"),
        Value("rtt_max_ms", "longest round trip", "ms"),
        Value("rtt_deviation_ms", "deviation of the round trips, where the tool tells it", "ms"),
        Value("computed", "true where no summary was there: computed from the replies"),
    ),
)
