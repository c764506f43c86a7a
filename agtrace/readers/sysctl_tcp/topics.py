"""Topics of the facts of TCP settings of Linux."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "tcp_sysctl",
        "output of `sysctl` that names TCP settings",
        Value("window_scaling", "whether windows scale (RFC 7323): 1 or 0"),
        Value("moderate_rcvbuf", "whether the receive window tunes itself: 1 or 0"),
        Value("rmem_min", "least receive buffer of a connection", "B"),
        Value("rmem_default", "receive buffer of a new connection", "B"),
        Value("rmem_max", "largest receive buffer that tuning gives", "B"),
        Value("wmem_min", "least send buffer of a connection", "B"),
        Value("wmem_default", "send buffer of a new connection", "B"),
        Value("wmem_max", "largest send buffer that tuning gives", "B"),
        Value("core_rmem_max", "largest receive buffer that a program can request", "B"),
        Value("core_wmem_max", "largest send buffer that a program can request", "B"),
        Value("congestion_control", "algorithm that limits data in flight: cubic, bbr, reno, ..."),
        Value("timestamps", "RFC 7323 timestamps: 0, 1, or 2 without a random offset"),
        Value("sack", "selective acknowledgements: 1 or 0"),
        Value("slow_start_after_idle", "whether an idle connection restarts slowly: 1 or 0"),
        Value("mtu_probing", "whether smaller packets are tried: 0, 1 after a black hole, 2 always"),
    ),
)
