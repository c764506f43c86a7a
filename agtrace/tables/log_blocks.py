"""The Arrow schema of `log_blocks`: the way of the log from a primary to its replicas.

It is a relation as those of `agtrace.tables.history`, where all of them are listed.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.tables import UTC_TIME, column, relation

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()
_BLOCK_ID = pa.decimal128(20, 0)


def _instant(name: str, meaning: str, host: str) -> pa.Field:
    """Declare an instant of a log block."""
    return column(name, UTC_TIME, f"{meaning}, by the {host}'s clock; NULL if not seen")


LOG_BLOCKS = relation(
    "log block and replica, for each time that it was sent, with the instant of every hop",
    [
        column("ag", _TEXT, "group; NULL if only ids are known"),
        column("database", _TEXT, "database; NULL if only its id is known"),
        column("group_database_id", _TEXT, "its id in the group, lower case", nullable=False),
        column("primary_host", _TEXT, "host_id of the primary; NULL if not captured"),
        column("replica_host", _TEXT, "host_id of the replica; NULL if not captured"),
        column("replica", _TEXT, "name of the replica; NULL if only its id is known"),
        column("replica_id", _TEXT, "id of the replica, lower case"),
        column("commit_mode", _TEXT, "synchronous or asynchronous; NULL if unknown"),
        column("log_block_id", _BLOCK_ID, "id of the block", nullable=False),
        column("next_log_block_id", _BLOCK_ID, "id of the block after it"),
        column("attempt", pa.int32(), "number of the attempt, from 1", nullable=False),
        column("bytes", _COUNT, "size of the log in it", "B"),
        column("compressed_bytes", _COUNT, "its size when compressed", "B"),
        column("commits", _COUNT, "commits that waited for it; NULL without any"),
        _instant("t_first", "earliest of capture, log pool and local flush", "primary"),
        _instant("t_flush_start", "start of the local flush", "primary"),
        _instant("t_flushed", "end of the local flush", "primary"),
        _instant("t_captured", "captured for the replica", "primary"),
        _instant("t_compressed", "compressed", "primary"),
        _instant("t_sent", "handed to the network", "primary"),
        _instant("t_ack_received", "acknowledgement came in", "primary"),
        _instant("t_ack_processed", "acknowledgement was processed", "primary"),
        _instant("t_committed", "last commit that waited for it was over", "primary"),
        _instant("t_received", "came in", "replica"),
        _instant("t_receive_done", "reception was over", "replica"),
        _instant("t_decompressed", "decompressed", "replica"),
        _instant("t_replica_flush_start", "start of the remote flush", "replica"),
        _instant("t_hardened", "on the replica's disk", "replica"),
        _instant("t_ack_sent", "acknowledgement was handed to the network", "replica"),
        column(
            "skew_ms",
            _NUMBER,
            "replica's clock less the primary's at that moment: an upper bound that includes the usual "
            "time to the replica",
            "ms",
        ),
        column(
            "skew_spread_ms",
            _NUMBER,
            "how far below that it can be: the share of the wire, the error of the median",
            "ms",
        ),
        column("capture_ms", _NUMBER, "t_first to t_captured", "ms"),
        column("compression_ms", _NUMBER, "t_captured to t_compressed", "ms"),
        column("send_ms", _NUMBER, "t_compressed (t_captured when uncompressed) to t_sent", "ms"),
        column(
            "network_ms",
            _NUMBER,
            "both directions of the wire with the transport's queues, without skew",
            "ms",
        ),
        column("receive_ms", _NUMBER, "t_received to t_receive_done", "ms"),
        column("decompression_ms", _NUMBER, "t_receive_done to t_decompressed", "ms"),
        column("remote_harden_ms", _NUMBER, "t_decompressed to t_hardened", "ms"),
        column(
            "acknowledgement_ms", _NUMBER, "t_hardened to t_ack_sent, t_ack_received to t_ack_processed", "ms"
        ),
        column("local_harden_ms", _NUMBER, "the local flush, beside the others", "ms"),
        column("commit_ms", _NUMBER, "t_first to the later of t_ack_processed, t_flushed", "ms"),
        column(
            "commit_wait_ms", _NUMBER, "mean time_to_commit, which begins when the local flush ends", "ms"
        ),
        column("network_forward_ms", _NUMBER, "t_sent to t_received, skew removed", "ms"),
        column("network_return_ms", _NUMBER, "t_ack_sent to t_ack_received, skew removed", "ms"),
        column("remote_ms", _NUMBER, "t_sent to t_ack_received: all that the primary can measure", "ms"),
        column("joined", pa.bool_(), "seen on both hosts", nullable=False),
        column("why_not", _TEXT, "why it is not joined: not captured, outside session, or event lost"),
    ],
)
