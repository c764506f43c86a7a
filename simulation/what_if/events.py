"""What two servers' sessions of events would have told of blocks that travelled: files of Extended Events."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np

from simulation.commits.events import told
from simulation.commits.model import IDS, PRIMARY, REPLICA, START, Setting, Way
from simulation.formats.xel import XelFile, filetime
from simulation.formats.xel_data_movement import SCHEMAS, event
from simulation.formats.xel_sessions import ALWAYSON_HEALTH
from simulation.what_if.model import Happened

NAMES = ("Sales", "Stock", "Web", "Log")
HEALTH = {schema.name: schema for schema in ALWAYSON_HEALTH}
SESSIONS = (("AlwaysOn_Data_Movement_Tracing", SCHEMAS), ("AlwaysOn_health", HEALTH))
SECTOR = 512


def write_sessions(folder: Path, happened: Happened) -> None:
    """Write the sessions of both servers; the replica is called `REPLICA`."""
    load = happened.load
    databases = NAMES[: int(load.database.max()) + 1]
    setting = Setting(compressed=bool((load.packed < 1.0).any()), databases=databases)
    ways = [_way(happened, place, name) for place, name in enumerate(databases)]
    events = told(setting, ways, np.random.default_rng(1))
    for host in (PRIMARY, REPLICA):
        for session, schemas in SESSIONS:
            own = [one for one in events if one.host == host and one.event in schemas]
            base = filetime(START + timedelta(seconds=-2)) + IDS[host].encode()[0] * 10_000
            epoch = filetime(START) - int(START.timestamp()) * 10_000_000
            data = XelFile(base=base, schemas=tuple(schemas.values())).write(
                [event(schemas[one.event], one.at_us * 10 + epoch - base, one.fields) for one in own]
            )
            path = folder / host / f"{session}_0_{base}.xel"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _way(happened: Happened, place: int, name: str) -> Way:
    """Return the blocks of one database, in the order of its log, microseconds since the start."""
    rows = happened.load.database == place

    def at(values: np.ndarray, more: float = 0.0) -> np.ndarray:
        times: np.ndarray = np.maximum.accumulate(np.round(1e6 * values[rows])) + more
        return times

    sizes = happened.load.bytes[rows]
    sectors = np.maximum(np.ceil(sizes / SECTOR), 1).astype(np.int64)
    ids = (51 << 32) + 16 + np.concatenate([[0], np.cumsum(sectors)[:-1]])
    begun = at(happened.load.begun)
    times = {
        "begun": begun,
        "flush_start": begun,
        "flushed": np.maximum(np.round(1e6 * happened.flushed[rows]), begun),
        "captured": at(happened.captured),
        "compressed": at(happened.compressed),
        "sent": at(happened.started),
        "received": at(happened.received),
        "receive_done": at(happened.received, 30),
        "decompressed": at(happened.decompressed, 60),
        "hardened": at(happened.hardened),
        "ack_sent": at(happened.ack_sent),
        "ack_received": at(happened.ack_received),
        "ack_processed": at(happened.ack_received, 6),
    }
    packed = np.minimum(np.round(sectors * SECTOR * happened.load.packed[rows]), sectors * SECTOR)
    return Way(name, ids, sectors, times, {}, packed.astype(np.int64))
