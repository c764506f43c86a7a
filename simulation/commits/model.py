"""Log blocks that travel from a primary to a replica, with their true times.

Every hop is drawn by itself; blocks stay in order, as in a log. `log_block_events` is what two hosts write
of them. Nothing here knows how the diagnostic joins or judges them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import NAMESPACE_OID, uuid5

import numpy as np

PRIMARY, REPLICA = "SQL1", "SQL2"
START = dt.datetime(2024, 3, 5, 12, 0, 0, tzinfo=dt.UTC)
START_US = int(START.timestamp()) * 1_000_000
COUNTER_US = {PRIMARY: 149_702_000_000, REPLICA: 88_000_000_000}
"""What the hosts' own counters of microseconds show at the start."""
AG, AG_ID = "Sales AG", str(uuid5(NAMESPACE_OID, "Sales AG"))
IDS = {host: str(uuid5(NAMESPACE_OID, host)) for host in (PRIMARY, REPLICA)}
HOPS = (
    "capture", "compression", "send", "network", "receive", "decompression", "remote harden",
    "acknowledgement",
    "local harden",
)  # fmt: skip
USUAL_MS = {
    "capture": 0.01, "compression": 0.25, "send": 0.15, "network": 1.0, "receive": 0.05, "decompression": 0.1,
    "remote harden": 1.5, "acknowledgement": 0.3, "local harden": 1.2,
}  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """One stretch of a database's log.

    Parameters
    ----------
    hops_ms
        Median of each hop that is not usual.
    spread
        Sigma of the lognormal around the medians.
    apart_ms
        Mean time between two blocks.
    forward
        Share of the wire's time that the way there takes.
    skew_ms, drift_ms_per_h
        How far the replica's clock is ahead at the start, and by how much that grows.
    lost
        Share of events that a session drops.
    redo_queue
        Blocks that wait for redo on the replica, as its events tell; commits do not care.
    """

    blocks: int = 1500
    hops_ms: Mapping[str, float] = field(default_factory=dict)
    spread: float = 0.25
    apart_ms: float = 20.0
    forward: float = 0.5
    skew_ms: float = 0.0
    drift_ms_per_h: float = 0.0
    lost: float = 0.0
    compressed: bool = False
    databases: tuple[str, ...] = ("Sales",)
    sides: tuple[str, ...] = (PRIMARY, REPLICA)
    redo_queue: int = 0


@dataclass(frozen=True)
class Way:
    """True times of all blocks of a database, in microseconds since the start."""

    database: str
    ids: np.ndarray
    sectors: np.ndarray
    times: dict[str, np.ndarray]
    hops: dict[str, np.ndarray]
    """Duration of each hop, ms."""
    packed: np.ndarray | None = None
    """Bytes of each block on the wire, where they are not a third of compressed ones."""

    @property
    def commit_ms(self) -> np.ndarray:
        done = np.maximum(self.times["ack_processed"], self.times["flushed"])
        return (done - self.times["begun"]) / 1e3


def way(setting: Setting, database: str, rng: np.random.Generator) -> Way:
    """Run the blocks of one database along the chain."""
    n = setting.blocks
    took = {
        hop: rng.lognormal(0, setting.spread, n) * (setting.hops_ms.get(hop, USUAL_MS[hop])) * 1e3
        for hop in HOPS
    }
    if not setting.compressed:
        took["compression"] = took["compression"] * 0
    sectors = rng.integers(2, 121, n)
    ids = (51 << 32) + 16 + np.concatenate([[0], np.cumsum(sectors)[:-1]])
    t: dict[str, np.ndarray] = {}
    t["begun"] = np.cumsum(rng.exponential(setting.apart_ms, n) + 0.2) * 1e3

    def follows(before: np.ndarray, ms: np.ndarray) -> np.ndarray:
        return np.maximum.accumulate(np.round(before + ms) + np.arange(n) * 1e-9).round()

    t["flush_start"] = t["begun"].round() + 40
    t["begun"] = t["begun"].round()
    t["flushed"] = follows(t["flush_start"], took["local harden"])
    t["captured"] = follows(t["begun"], took["capture"])
    t["compressed"] = follows(t["captured"], took["compression"])
    t["sent"] = follows(t["compressed"], took["send"])
    t["received"] = follows(t["sent"], took["network"] * setting.forward)
    t["receive_done"] = follows(t["received"], took["receive"])
    t["decompressed"] = follows(t["receive_done"], took["decompression"])
    t["hardened"] = follows(t["decompressed"], took["remote harden"])
    t["ack_sent"] = follows(t["hardened"], took["acknowledgement"] * 0.6)
    t["ack_received"] = follows(t["ack_sent"], took["network"] * (1 - setting.forward))
    t["ack_processed"] = follows(t["ack_received"], took["acknowledgement"] * 0.4)
    hops = {
        "capture": t["captured"] - t["begun"],
        "compression": t["compressed"] - t["captured"],
        "send": t["sent"] - t["compressed"],
        "network": (t["received"] - t["sent"]) + (t["ack_received"] - t["ack_sent"]),
        "receive": t["receive_done"] - t["received"],
        "decompression": t["decompressed"] - t["receive_done"],
        "remote harden": t["hardened"] - t["decompressed"],
        "acknowledgement": (t["ack_sent"] - t["hardened"]) + (t["ack_processed"] - t["ack_received"]),
        "local harden": t["flushed"] - t["flush_start"],
    }  # fmt: skip
    return Way(database, ids, sectors, t, {name: took / 1e3 for name, took in hops.items()})


def database_id(database: str) -> str:
    """Return the group's id of a database."""
    return str(uuid5(NAMESPACE_OID, database))
