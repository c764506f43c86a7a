"""The Arrow schema of the streams of log between the replicas of a group."""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import LOCAL_TIME, UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()


def _queue(name: str, what: str) -> list[pa.Field]:
    return [
        column(f"{name}_first_bytes", _NUMBER, f"{what}, first value", "B"),
        column(f"{name}_last_bytes", _NUMBER, "the same, last value", "B"),
        column(f"{name}_max_bytes", _NUMBER, "the same, largest value", "B"),
        column(f"{name}_growth_bytes_per_s", _NUMBER, "slope of a straight line through it", "B/s"),
    ]


STREAMS = relation(
    "stream of log from a primary to a replica in a window between changes of role, and database of it; by "
    "perfmon of either side",
    [
        column("stream_id", _COUNT, "dense number of the stream, one for all its databases", nullable=False),
        column("ag", _TEXT, "availability group; NULL if unknown"),
        column(
            "is_distributed", pa.bool_(), "the replica is a distributed group's forwarder", nullable=False
        ),
        column("primary_replica", _TEXT, "sending replica; NULL if unknown"),
        column("replica", _TEXT, "receiving replica", nullable=False),
        column("primary_host_id", _TEXT, "server of the primary; NULL if its counters do not count here"),
        column("primary_instance", _TEXT, "its instance"),
        column("replica_host_id", _TEXT, "server of the replica; NULL if not captured"),
        column("replica_instance", _TEXT, "its instance"),
        column("start", UTC_TIME, "first sample: of the replica, or of the primary if nothing else"),
        column("end", UTC_TIME, "last sample, the same"),
        column("start_local", LOCAL_TIME, "first sample, the server's local time, where UTC is unknown"),
        column("end_local", LOCAL_TIME, "last sample, the same"),
        column("samples", _COUNT, "rows in the window", nullable=False),
        column(
            "is_aligned", pa.bool_(), "both sides are on one clock; if not, means compare", nullable=False
        ),
        column(
            "skew_s", _NUMBER, "how far the primary's clock is ahead, by entries that both hosts logged", "s"
        ),
        column("is_apart", pa.bool_(), "the primary was captured at another time or clock", nullable=False),
        column("shift_s", _NUMBER, "how far its clock is ahead then, by counters that fit each other", "s"),
        column("commit_mode", _TEXT, "synchronous or asynchronous; NULL if unknown"),
        column("sent_unit", _TEXT, "what the primary counts as sent: log B/s, wire B/s, B/s", nullable=False),
        column("sent_bytes_per_s", _NUMBER, "Bytes Sent to Replica, all databases, mean", "B/s"),
        column("transport_bytes_per_s", _NUMBER, "Bytes Sent to Transport, all databases, mean", "B/s"),
        column(
            "wire_bytes_per_s",
            _NUMBER,
            "Bytes Received from Replica, all databases, mean: on the wire",
            "B/s",
        ),
        column("flow_control_ms_per_s", _NUMBER, "time with the send gate closed, mean", "ms/s"),
        column("flow_controls_per_s", _NUMBER, "how often it closed, mean", "1/s"),
        column("resent_per_s", _NUMBER, "messages sent again, mean", "1/s"),
        column("database", _TEXT, "database; NULL if the stream was not captured"),
        column("flushed_bytes_per_s", _NUMBER, "log flushed on the primary, mean", "B/s"),
        column("received_bytes_per_s", _NUMBER, "log received by the replica, mean", "B/s"),
        column("hardened_bytes_per_s", _NUMBER, "log flushed on the replica, mean", "B/s"),
        column("redone_bytes_per_s", _NUMBER, "log redone on the replica, mean", "B/s"),
        *_queue("send_queue", "log that the replica waits for"),
        column("is_stale", pa.bool_(), "it ends with a queue that does not change although log is generated"),
        *_queue("recovery_queue", "log that waits to be redone"),
        column("redo_blocked_per_s", _NUMBER, "how often redo was blocked, mean", "1/s"),
    ],
)
