"""What is measured of the hops of a distributed group."""

from __future__ import annotations

from agtrace.measures import Measure

LAG = Measure("lag_s", "behind by", "s", "log that waits, by the rate at which log is generated")
LAG_MOST = Measure("lag_max_s", "behind by, at most", "s", "the largest queue, by the same rate")
QUEUE = Measure("send_queue_bytes", "log that waits to be sent", "B", "Log Send Queue, the last value")
RATE = Measure("received_bytes_per_s", "log that arrives", "B/s", "mean")
REDO = Measure("recovery_queue_bytes", "log that waits to be redone", "B", "the last value")
COMMIT_LAG = Measure(
    "commit_lag_s", "last commit behind by", "s", "last_commit_time of the two, at one look at the sender"
)
SECONDARY_LAG = Measure("secondary_lag_s", "secondary_lag_seconds", "s", "as SQL Server shows it")
QUEUE_SEEN = Measure("log_send_queue_size", "log_send_queue_size", "B", "at the look")
RATE_SEEN = Measure("log_send_rate", "log_send_rate", "B/s", "the server's own average")
DRAINED = Measure("drained_s", "sent in", "s", "log_send_queue_size / log_send_rate")
HOP = Measure("hop", "hop")
DATABASE = Measure("database", "database")
HOPS = (HOP, DATABASE, LAG, LAG_MOST, QUEUE, RATE, REDO)
