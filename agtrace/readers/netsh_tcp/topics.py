"""Topics of the facts of TCP settings."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

_SHARED = (
    Value("autotuning_level", "Receive Window Auto-Tuning: disabled, ..., normal, experimental"),
    Value("congestion_provider", "congestion control provider: none, ctcp, cubic, ..."),
    Value("ecn_capability", "explicit congestion notification"),
    Value("timestamps", "RFC 1323 timestamps"),
    Value("initial_rto_ms", "first retransmission timeout", "ms"),
    Value("min_rto_ms", "shortest retransmission timeout", "ms"),
    Value("non_sack_rtt_resiliency", "round trips of peers without SACK: enabled or disabled"),
    Value("max_syn_retransmissions", "how often a SYN is sent again"),
    Value("host", "host that the command named, or the session ran on; upper case"),
    Value("setting_name", "template of Get-NetTCPSetting"),
    Value("scaling_heuristics", "whether heuristics may change the level"),
)

TOPICS = (
    facts(
        "tcp_global",
        "output of `netsh interface tcp show global`, or template Internet of Get-NetTCPSetting",
        *_SHARED,
        Value("rsc_state", "receive segment coalescing: enabled or disabled"),
        Value("rss_state", "receive-side scaling: enabled or disabled"),
        Value("chimney_state", "TCP Chimney offload"),
        Value("netdma_state", "NetDMA"),
        Value("dca_state", "direct cache access"),
        Value("fast_open", "TCP Fast Open"),
        Value("fast_open_fallback", "its fallback"),
        Value("hystart", "HyStart"),
        Value("proportional_rate_reduction", "proportional rate reduction"),
        Value("pacing_profile", "pacing profile"),
        Value("autotuning_by_heuristics", "true: the level shown was set by heuristics"),
        Value("other:*", "a line whose label (behind the colon) is not known, or came before"),
    ),
    facts("tcp_setting", "other template of Get-NetTCPSetting", *_SHARED),
)
