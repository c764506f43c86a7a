"""The columns of tables of estimates, in a module of their own that imports nothing of the estimation."""

from __future__ import annotations

from agtrace.measures import Measure

REPLICA = Measure("replica")
CHANGE = Measure("change", "estimate with")
QUEUE = Measure("send_queue_p95_after", "send queue, p95", "B", "had the change been made before the capture")
QUEUE_LOW = Measure("send_queue_p95_after_low", "send queue, p95: low", "B", "90 % band")
QUEUE_HIGH = Measure("send_queue_p95_after_high", "send queue, p95: high", "B", "90 % band")
GONE = Measure(
    "gone_s", "queue at the end is gone in", "s", "were the change made then; empty: never, or none"
)
NEXT = Measure("next_limit", "next limit", "", "the hop that ends first after the change")
CARRIES = Measure("carries", "log that gets through it", "log B/s")
P50 = Measure("commit_p50_after", "commit p50", "ms")
P50_LOW, P50_HIGH = (
    Measure(f"commit_p50_after_{end}", f"commit p50: {end}", "ms", "90 % band") for end in ("low", "high")
)
P99 = Measure("commit_p99_after", "commit p99", "ms")
P99_LOW, P99_HIGH = (
    Measure(f"commit_p99_after_{end}", f"commit p99: {end}", "ms", "90 % band") for end in ("low", "high")
)
ERROR = Measure(
    "replay_error", "replay off by", "ratio", "the largest share by which the replay of what was is off"
)
OPEN = Measure("open", "what is open")

STREAMS = (REPLICA, CHANGE, QUEUE, QUEUE_LOW, QUEUE_HIGH, GONE, NEXT, CARRIES, ERROR, OPEN)
COMMITS = (REPLICA, CHANGE, P50, P50_LOW, P50_HIGH, P99, P99_LOW, P99_HIGH, ERROR, OPEN)
