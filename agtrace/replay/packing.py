"""Compression of a stream: its effect on wire bytes, and its cost in processor time.

A stream to an asynchronous replica is compressed unless trace flag 1462 is on, one to a synchronous replica
only under trace flag 9592 ("Tune compression for availability groups"). Measured values take precedence: the
wire bytes per byte of log, and the time that blocks spent in compression and decompression.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from agtrace.history.base import View
from agtrace.replay.load import Load
from agtrace.tables.rows import numbers

PLAIN = 0.97
"""A stream of fewer wire bytes than this for each byte of log is compressed: headers only add to them."""


@dataclass(frozen=True)
class Packing:
    """Measured compression of this log.

    Parameters
    ----------
    ratio
        Wire bytes per byte of log.
    pack_s, unpack_s
        Thread seconds to compress and to decompress a byte of log; None if not measured.
    replica
        Replica of the stream on which it was measured.
    """

    ratio: float
    pack_s: float | None = None
    unpack_s: float | None = None
    replica: str = ""


def ratio_of(load: Load) -> float | None:
    """Return the bytes on the wire per byte of log; None if the wire was not counted."""
    if load.wire is None or load.received[-1] <= 0:
        return None
    return float(load.wire[-1] / load.received[-1])


def packed_stream(load: Load | str, replica: str) -> Packing | None:
    """Return a stream's compression; None if it is not compressed, or unknown."""
    ratio = ratio_of(load) if isinstance(load, Load) else None
    return Packing(ratio, replica=replica) if ratio is not None and ratio < PLAIN else None


def packed_blocks(table: pa.Table, replica: str = "") -> Packing | None:
    """Return the compression of blocks, from a table like `agtrace.replay.blocks.COLUMNS`."""
    sizes, packed, spent, undone = (
        numbers(table[name]).astype(np.float64)
        for name in ("bytes", "compressed_bytes", "compression_ms", "decompression_ms")
    )
    known = ~np.isnan(packed) & (packed > 0) & (packed < sizes)
    if not known.any():
        return None
    whole = float(sizes[known].sum())
    return Packing(
        float(packed[known].sum()) / whole,
        _a_byte(spent, sizes, known),
        _a_byte(undone, sizes, known),
        replica,
    )


def _a_byte(spent_ms: np.ndarray, sizes: np.ndarray, known: np.ndarray) -> float | None:
    told = known & ~np.isnan(spent_ms)
    if not told.any() or spent_ms[told].sum() <= 0:
        return None
    return float(spent_ms[told].sum() / 1e3 / sizes[told].sum())


def of_view(view: View) -> Packing | None:
    """Return the compression of a case's blocks, for the replica with most of them."""
    if not view.has_rows("log_blocks"):
        return None
    rows = view.rows(
        """select coalesce(replica, replica_host, replica_id) as replica, sum(bytes)::double as whole,
                  sum(compressed_bytes)::double as packed,
                  sum(compression_ms) / nullif(sum(bytes) filter (compression_ms is not null), 0) as pack,
                  sum(decompression_ms) / nullif(sum(bytes) filter (decompression_ms is not null), 0)
                      as unpack
           from log_blocks where compressed_bytes > 0 and compressed_bytes < bytes
           group by 1 order by count(*) desc, 1 limit 1"""
    )
    if not rows or not rows[0]["whole"]:
        return None
    row = rows[0]
    pack, unpack = (float(row[name]) / 1e3 if row[name] else None for name in ("pack", "unpack"))
    return Packing(row["packed"] / row["whole"], pack, unpack, row["replica"] or "")


def together(stream: Packing | None, blocks: Packing | None) -> Packing | None:
    """Combine the ratio of a whole stream, if known, with the cost from blocks."""
    if stream is None or blocks is None:
        return stream or blocks
    return replace(stream, pack_s=blocks.pack_s, unpack_s=blocks.unpack_s)


def changed(load: Load, compression: bool | None, packing: Packing | None) -> tuple[Load, str, str]:
    """Return a stream with its compression on or off.

    Returns
    -------
    tuple
        The stream, the key of why its effect is unknown, and the key of an assumption; "" for no key.
    """
    if compression is None:
        return load, "", ""
    ratio = ratio_of(load)
    if ratio is None:
        return load, "wire_not_counted", ""
    if compression == (ratio < PLAIN):
        return load, "", "already_compressed" if compression else "not_compressed"
    if not compression:
        return replace(load, wire=load.received), "", ""
    if packing is None:
        return load, "compression_not_seen", ""
    return replace(load, wire=load.received * packing.ratio), "", "packed_alike"


def cores(load: Load, packing: Packing | None, compression: bool | None, times_load: float) -> float | None:
    """Return the primary's extra cores for the change at the mean load; below 0 it frees some.

    None if compression is unchanged, or its cost was not measured.
    """
    ratio = ratio_of(load)
    if compression is None or ratio is None or packing is None or packing.pack_s is None:
        return None
    if compression == (ratio < PLAIN):
        return None
    return (1 if compression else -1) * packing.pack_s * load.rate * times_load


def carries(load: Load, packing: Packing | None, *, is_packed: bool) -> float | None:
    """Return the log that compression lets through, bytes per second; None if not measured.

    Each database has its own thread at either end, so the one with most of the log is the limit.
    """
    if not is_packed or packing is None:
        return None
    slowest = max(packing.pack_s or 0.0, packing.unpack_s or 0.0)
    if slowest <= 0:
        return None
    each = [float(database.flushed[-1]) for database in load.databases]
    most = max(each) / sum(each) if each and sum(each) > 0 else 1.0
    return 1 / slowest / most
