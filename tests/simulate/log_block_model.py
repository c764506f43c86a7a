"""Log blocks that travel from a primary to a replica: true times first, then what two hosts write of them.

Every hop is drawn by itself; blocks stay in order, as in a log. Nothing here knows how the diagnostic
joins or judges them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
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
    "capture", "compression", "send", "network", "receive", "decompression", "remote harden", "acknowledgement",
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
class Told:
    """One event as a host writes it: its time in microseconds since 1970 by the host's own clock."""

    host: str
    event: str
    at_us: int
    fields: dict[str, Any]


@dataclass(frozen=True)
class Way:
    """True times of all blocks of a database, in microseconds since the start."""

    database: str
    ids: np.ndarray
    sectors: np.ndarray
    times: dict[str, np.ndarray]
    hops: dict[str, np.ndarray]
    """Duration of each hop, ms."""

    @property
    def commit_ms(self) -> np.ndarray:
        done = np.maximum(self.times["ack_processed"], self.times["flushed"])
        return (done - self.times["begun"]) / 1e3


def way(setting: Setting, database: str, rng: np.random.Generator) -> Way:
    """Let the blocks of one database travel."""
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


def told(setting: Setting, ways: list[Way], rng: np.random.Generator) -> list[Told]:
    """Give what the captured hosts write, in the order of their times."""
    events = [told for each in ways for told in _of_way(setting, each, rng)]
    kept = rng.random(len(events)) >= setting.lost
    found = [event for event, keep in zip(events, kept, strict=True) if keep]
    found += _names(setting)
    return sorted(
        (event for event in found if event.host in setting.sides), key=lambda e: (e.host, e.at_us)
    )


def clock_us(setting: Setting, host: str, true_us: float) -> int:
    """Give what a host's clock shows at a true time."""
    if host == PRIMARY:
        return START_US + int(true_us)
    ahead = setting.skew_ms * 1e3 + setting.drift_ms_per_h * 1e3 * true_us / 3.6e9
    return START_US + round(true_us + ahead)


def database_id(database: str) -> str:
    """Give the group's id of a database."""
    return str(uuid5(NAMESPACE_OID, database))


def _of_way(setting: Setting, way: Way, rng: np.random.Generator) -> Iterator[Told]:
    place = setting.databases.index(way.database)
    db = {PRIMARY: 6 + place, REPLICA: 9 - place}
    guid = database_id(way.database)
    of_capture = {"availability_group_id": AG_ID, "availability_replica_id": IDS[REPLICA], "database_replica_id": guid}  # fmt: skip

    def event(host: str, name: str, end: float, begun: float | None = None, **fields: Any) -> Told:
        """Tell an event; the counter shows where it began, or its end where ``begun`` is None."""
        counter = COUNTER_US[host] + int(end if begun is None else begun)
        return Told(host, name, clock_us(setting, host, end), {"start_timestamp": counter} | fields)

    for k in range(len(way.ids)):
        t = {name: float(values[k]) for name, values in way.times.items()}
        block, sectors = int(way.ids[k]), int(way.sectors[k])
        ack = block + sectors
        own = {"log_block_id": block}
        size = sectors * 512
        for mode, end in ((1, t["begun"]), (2, t["captured"])):
            yield event(PRIMARY, "hadr_capture_log_block", end, end, processing_time=0, log_block_size=sectors, mode=mode, **own, **of_capture)  # fmt: skip
        for host, begun, ended in (
            (PRIMARY, "flush_start", "flushed"),
            (REPLICA, "decompressed", "hardened"),
        ):
            later = 0 if host == PRIMARY else 30
            yield event(
                host,
                "log_flush_start",
                t[begun] + later,
                database_id=db[host],
                write_size=size,
                **own,
            )
            yield event(
                host, "log_flush_complete", t[ended], database_id=db[host], write_size=size, **own
            )
        if setting.compressed:
            yield event(PRIMARY, "hadr_log_block_compression", t["compressed"], t["captured"], processing_time=int(t["compressed"] - t["captured"]), database_id=db[PRIMARY], is_compressed=1, compressed_size=size // 3, uncompressed_size=size, **own)  # fmt: skip
        yield event(PRIMARY, "hadr_log_block_send_complete", t["sent"], total_processing_time=int(t["sent"] - t["begun"]), **own)  # fmt: skip
        of_receive = {"availability_group_id": AG_ID, "local_availability_replica_id": IDS[REPLICA], "target_availability_replica_id": IDS[PRIMARY], "database_replica_id": guid}  # fmt: skip
        yield event(REPLICA, "hadr_transport_receive_log_block_message", t["received"], t["received"], processing_time=0, mode=1, **own, **of_receive)  # fmt: skip
        yield event(REPLICA, "hadr_transport_receive_log_block_message", t["receive_done"], t["received"], processing_time=int(t["receive_done"] - t["received"]), mode=2, **own, **of_receive)  # fmt: skip
        for end, done in ((t["receive_done"], 0), (t["decompressed"], int(t["decompressed"] - t["receive_done"]))):  # fmt: skip
            yield event(REPLICA, "hadr_log_block_decompression", end, end - done, processing_time=done, database_id=db[REPLICA], is_compressed=int(setting.compressed), uncompressed_size=size, compressed_size=size // 3 if setting.compressed else size, **own)  # fmt: skip
        yield event(REPLICA, "hadr_apply_log_block", t["decompressed"], t["receive_done"], processing_time=int(t["decompressed"] - t["receive_done"]), mode=2, database_replica_id=guid, apply_ready_queue_size=setting.redo_queue, **own)  # fmt: skip
        out = {"log_block_id": ack, "hadr_database_id": guid, "availability_replica_id": IDS[PRIMARY], "availability_group_id": AG_ID}  # fmt: skip
        for mode, part in ((1, 0.2), (3, 0.5), (2, 0.5)):
            end = t["hardened"] + int((t["ack_sent"] - t["hardened"]) * part)
            yield event(
                REPLICA,
                "hadr_send_harden_lsn_message",
                end,
                end,
                processing_time=0,
                mode=mode,
                **out,
            )
        yield event(REPLICA, "hadr_lsn_send_complete", t["ack_sent"], total_processing_time=int(t["ack_sent"] - t["received"]), log_block_id=ack)  # fmt: skip
        back = {"log_block_id": ack, "availability_group_id": AG_ID, "local_availability_replica_id": IDS[PRIMARY], "target_availability_replica_id": IDS[REPLICA], "database_replica_id": guid}  # fmt: skip
        yield event(PRIMARY, "hadr_receive_harden_lsn_message", t["ack_received"] + 4, t["ack_received"] + 2, processing_time=2, mode=1, **back)  # fmt: skip
        yield event(PRIMARY, "hadr_receive_harden_lsn_message", t["ack_processed"], t["ack_received"], processing_time=int(t["ack_processed"] - t["ack_received"]), mode=2, **back)  # fmt: skip
        for _ in range(int(rng.integers(1, 4))):
            done = max(t["ack_processed"], t["flushed"]) + 30
            yield Told(PRIMARY, "hadr_db_commit_mgr_harden", clock_us(setting, PRIMARY, done), {"database_id": db[PRIMARY], "time_to_commit": int(done - t["flushed"]), "group_id": AG_ID, "replica_id": IDS[PRIMARY], "ag_database_id": guid, "wait_log_block": block, "hardened_log_block": ack, "commit_policy": 2})  # fmt: skip


def _names(setting: Setting) -> list[Told]:
    """Tell the names of group and replicas, as an AlwaysOn_health session does."""
    return [
        Told(host, "availability_replica_state_change", clock_us(setting, host, 0),
             {"previous_state": 1, "current_state": 1, "availability_group_id": AG_ID, "availability_group_name": AG,
              "availability_replica_id": IDS[host], "availability_replica_name": host})
        for host in IDS
    ]  # fmt: skip
