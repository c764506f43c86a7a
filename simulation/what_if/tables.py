"""Blocks that travelled as rows of the relation log_blocks, by the clocks of two hosts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from simulation.what_if.model import Happened

START_US = 1_709_640_000_000_000


def block_table(happened: Happened) -> pa.Table:
    """Return what a replay reads of blocks: instants and hops, in microseconds as in events."""
    load = happened.load
    us = {
        name: np.round(1e6 * values)
        for name, values in (
            ("first", load.begun), ("flushed", happened.flushed), ("captured", happened.captured),
            ("compressed", happened.compressed), ("sent", happened.started), ("received", happened.received),
            ("decompressed", happened.decompressed), ("hardened", happened.hardened),
            ("ack_sent", happened.ack_sent), ("ack_received", happened.ack_received),
        )
    }  # fmt: skip
    n = len(load.begun)
    done = np.maximum(us["ack_received"], us["flushed"])
    forward = us["received"] - us["sent"]
    back = us["ack_received"] - us["ack_sent"]
    return pa.table(
        {
            "db": [f"db{each}" for each in load.database],
            "replica_id": ["r"] * n,
            "bytes": load.bytes,
            "compressed_bytes": np.where(load.packed == 1.0, np.nan, load.bytes * load.packed),
            "first_us": us["first"] + START_US,
            "flush_start_us": us["first"] + START_US,
            "flushed_us": us["flushed"] + START_US,
            "capture_ms": (us["captured"] - us["first"]) / 1e3,
            "compression_ms": (us["compressed"] - us["captured"]) / 1e3,
            "send_ms": (us["sent"] - us["compressed"]) / 1e3,
            "network_ms": (forward + back) / 1e3,
            "network_forward_ms": forward / 1e3,
            "receive_ms": np.full(n, 0.03),
            "decompression_ms": (us["decompressed"] - us["received"]) / 1e3 + 0.03,
            "remote_harden_ms": (us["hardened"] - us["decompressed"]) / 1e3 - 0.06,
            "acknowledgement_ms": (us["ack_sent"] - us["hardened"]) / 1e3,
            "remote_ms": (us["ack_received"] - us["sent"]) / 1e3,
            "commit_ms": (done - us["first"]) / 1e3,
            "processed_us": us["ack_received"] + START_US,
        }
    )
