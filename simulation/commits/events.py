"""What two hosts write of log blocks that travel: data-movement events and names, by clocks of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from simulation.commits.model import (
    AG,
    AG_ID,
    COUNTER_US,
    IDS,
    PRIMARY,
    REPLICA,
    START_US,
    Setting,
    Way,
    database_id,
)

RESOLVING, PRIMARY_PENDING, PRIMARY_NORMAL, SECONDARY_NORMAL = 0, 2, 3, 4
"""Roles, as `simulation.formats.xel_sessions.REPLICA_ROLE` numbers them."""


@dataclass(frozen=True)
class Told:
    """One event as a host writes it: its time in microseconds since 1970 by the host's own clock."""

    host: str
    event: str
    at_us: int
    fields: dict[str, Any]


@dataclass(frozen=True)
class Column:
    """Many events of a kind: their times as in `Told`, and fields that are one value or one for each."""

    host: str
    event: str
    at_us: np.ndarray
    fields: dict[str, Any]

    def one_by_one(self) -> Iterator[Told]:
        listed = {
            name: value.tolist() if isinstance(value, np.ndarray) else [value] * len(self.at_us)
            for name, value in self.fields.items()
        }
        for at_us, *values in zip(self.at_us.tolist(), *listed.values(), strict=True):
            yield Told(self.host, self.event, at_us, dict(zip(listed, values, strict=True)))


def told(setting: Setting, ways: list[Way], rng: np.random.Generator) -> list[Told]:
    """Return the events of the captured hosts, ordered by time."""
    events = [one for each in ways for column in columns(setting, each, rng) for one in column.one_by_one()]
    kept = rng.random(len(events)) >= setting.lost
    found = [event for event, keep in zip(events, kept, strict=True) if keep]
    found += names(setting)
    return sorted((event for event in found if event.host in setting.sides), key=lambda e: (e.host, e.at_us))


def columns(setting: Setting, way: Way, rng: np.random.Generator) -> Iterator[Column]:
    """Yield all events of a way, kind by kind."""
    place = setting.databases.index(way.database)
    db = {PRIMARY: 6 + place, REPLICA: 9 - place}
    guid = database_id(way.database)
    t, block, size = way.times, way.ids, way.sectors * 512
    packed = size // 3 if setting.compressed else size
    if way.packed is not None:
        packed = way.packed
    ack = block + way.sectors

    def event(
        host: str, name: str, end: np.ndarray, begun: np.ndarray | None = None, **fields: Any
    ) -> Column:
        """Build events; the counter shows the start of each, or its end if ``begun`` is None."""
        counter = COUNTER_US[host] + (end if begun is None else begun).astype(np.int64)
        return Column(host, name, clock_us(setting, host, end), {"start_timestamp": counter, **fields})

    def took(begun: str, end: str) -> np.ndarray:
        return (t[end] - t[begun]).astype(np.int64)

    of_capture = {"availability_group_id": AG_ID, "availability_replica_id": IDS[REPLICA],
    "database_replica_id": guid,
                  "log_block_id": block, "log_block_size": way.sectors}  # fmt: skip
    yield event(
        PRIMARY, "hadr_capture_log_block", t["begun"], t["begun"], processing_time=0, mode=1, **of_capture
    )
    yield event(
        PRIMARY,
        "hadr_capture_log_block",
        t["captured"],
        t["captured"],
        processing_time=0,
        mode=2,
        **of_capture,
    )
    for host, begun, ended in (
        (PRIMARY, t["flush_start"], "flushed"),
        (REPLICA, t["decompressed"] + 30, "hardened"),
    ):
        of_flush = {"database_id": db[host], "write_size": size, "log_block_id": block}
        yield event(host, "log_flush_start", begun, **of_flush)
        yield event(host, "log_flush_complete", t[ended], **of_flush)
    sizes = {
        "compressed_size": packed,
        "uncompressed_size": size,
        "is_compressed": int(setting.compressed),
        "log_block_id": block,
    }
    if setting.compressed:
        yield event(
            PRIMARY,
            "hadr_log_block_compression",
            t["compressed"],
            t["captured"],
            processing_time=took("captured", "compressed"),
            database_id=db[PRIMARY],
            **sizes,
        )
    yield event(
        PRIMARY,
        "hadr_log_block_send_complete",
        t["sent"],
        total_processing_time=took("begun", "sent"),
        log_block_id=block,
    )
    of_receive = {"availability_group_id": AG_ID, "local_availability_replica_id": IDS[REPLICA],
    "target_availability_replica_id": IDS[PRIMARY],
                  "database_replica_id": guid, "log_block_id": block}  # fmt: skip
    yield event(
        REPLICA,
        "hadr_transport_receive_log_block_message",
        t["received"],
        t["received"],
        processing_time=0,
        mode=1,
        **of_receive,
    )
    yield event(
        REPLICA,
        "hadr_transport_receive_log_block_message",
        t["receive_done"],
        t["received"],
        processing_time=took("received", "receive_done"),
        mode=2,
        **of_receive,
    )
    yield event(
        REPLICA,
        "hadr_log_block_decompression",
        t["receive_done"],
        t["receive_done"],
        processing_time=0,
        database_id=db[REPLICA],
        **sizes,
    )
    yield event(
        REPLICA,
        "hadr_log_block_decompression",
        t["decompressed"],
        t["receive_done"],
        processing_time=took("receive_done", "decompressed"),
        database_id=db[REPLICA],
        **sizes,
    )
    yield event(
        REPLICA,
        "hadr_apply_log_block",
        t["decompressed"],
        t["receive_done"],
        processing_time=took("receive_done", "decompressed"),
        mode=2,
        log_block_id=block,
        database_replica_id=guid,
        apply_ready_queue_size=setting.redo_queue,
    )
    out = {
        "log_block_id": ack,
        "hadr_database_id": guid,
        "availability_replica_id": IDS[PRIMARY],
        "availability_group_id": AG_ID,
    }
    for mode, part in ((1, 0.2), (3, 0.5), (2, 0.5)):
        end = t["hardened"] + ((t["ack_sent"] - t["hardened"]) * part).astype(np.int64)
        yield event(REPLICA, "hadr_send_harden_lsn_message", end, end, processing_time=0, mode=mode, **out)
    yield event(
        REPLICA,
        "hadr_lsn_send_complete",
        t["ack_sent"],
        total_processing_time=took("received", "ack_sent"),
        log_block_id=ack,
    )
    back = {
        "log_block_id": ack,
        "availability_group_id": AG_ID,
        "local_availability_replica_id": IDS[PRIMARY],
        "target_availability_replica_id": IDS[REPLICA],
        "database_replica_id": guid,
    }
    yield event(
        PRIMARY,
        "hadr_receive_harden_lsn_message",
        t["ack_received"] + 4,
        t["ack_received"] + 2,
        processing_time=2,
        mode=1,
        **back,
    )
    yield event(
        PRIMARY,
        "hadr_receive_harden_lsn_message",
        t["ack_processed"],
        t["ack_received"],
        processing_time=took("ack_received", "ack_processed"),
        mode=2,
        **back,
    )
    of = np.repeat(np.arange(len(block)), rng.integers(1, 4, len(block)))
    done = (np.maximum(t["ack_processed"], t["flushed"]) + 30)[of]
    waited = (done - t["flushed"][of]).astype(np.int64)
    yield Column(
        PRIMARY,
        "hadr_db_commit_mgr_harden",
        clock_us(setting, PRIMARY, done),
        {
            "database_id": db[PRIMARY],
            "time_to_commit": waited,
            "group_id": AG_ID,
            "replica_id": IDS[PRIMARY],
            "ag_database_id": guid,
            "wait_log_block": block[of],
            "hardened_log_block": ack[of],
            "commit_policy": 2,
        },
    )


def clock_us(setting: Setting, host: str, true_us: np.ndarray) -> np.ndarray:
    """Return what a host's clock shows at true times."""
    ahead = 0.0
    if host == REPLICA:
        ahead = setting.skew_ms * 1e3 + setting.drift_ms_per_h * 1e3 * true_us / 3.6e9
    return START_US + np.round(true_us + ahead).astype(np.int64)


def names(setting: Setting) -> list[Told]:
    """Return the names of group and replicas, as an AlwaysOn_health session does."""
    begin = np.zeros(1)
    return [
        Told(host, "availability_replica_state_change", int(clock_us(setting, host, begin)[0]),
             {"previous_state": before, "current_state": after, "availability_group_id": AG_ID,
             "availability_group_name": AG,
              "availability_replica_id": IDS[host], "availability_replica_name": host})
        for host, before, after in ((PRIMARY, PRIMARY_PENDING, PRIMARY_NORMAL), (REPLICA, RESOLVING,
        SECONDARY_NORMAL))
    ]  # fmt: skip
