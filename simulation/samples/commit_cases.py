"""The sample cases of what commits wait for: four stories, the same bytes every time.

The log blocks are those of `simulation.commits`; counters and wait statistics beside them say the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from simulation.commits.events import Told, told
from simulation.commits.model import (  # fmt: skip
    AG,
    AG_ID,
    HOPS,
    IDS,
    PRIMARY,
    REPLICA,
    START,
    Setting,
    Way,
    database_id,
    way,
)
from simulation.formats import rowsets
from simulation.formats.errorlog import Log
from simulation.formats.pdh_text import Cell, write_pdh
from simulation.formats.xel import XelFile, filetime
from simulation.formats.xel_data_movement import SCHEMAS, event
from simulation.formats.xel_sessions import ALWAYSON_HEALTH
from simulation.groups.cast import guid

SEED = 2024
DATABASE = "Sales"
ZONE_MINUTES, HEADER = -300, " (Eastern Standard Time)(300)"
BEFORE_S, UNTIL_S, STEP_S = -240, 360, 5
"""From when to when the counters were captured, seconds from the begin of the session."""
SOURCE = (
    "Made up: log blocks of a simulation, with the events in the order and with the fields in which two "
    "servers of a real "
    "capture told theirs. No names, addresses or times of a real case."
)
NAMES = {schema.name: schema for schema in ALWAYSON_HEALTH}


@dataclass
class Truth:
    """What a sample shows, for the manifest."""

    facts: dict[str, Any]
    hops: dict[str, float]
    files: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Story:
    """A sample.

    Parameters
    ----------
    hops_ms
        Medians of the hops that are not usual.
    skew_ms
        How far the replica's clock is ahead.
    redone
        Share of the log that redo keeps up with.
    dominant
        The hop that commits wait for.
    """

    shows: str
    notes: tuple[str, ...]
    hops_ms: Mapping[str, float]
    skew_ms: float
    dominant: str
    redone: float = 1.0


STORIES = {
    "commit_remote_disk": Story(
        "Commits take 20 ms, and the replica's log disk is why: of every hop that a log block takes to the "
        "synchronous replica and "
        "back, writing it there takes longest.",
        ("The clock of the replica is 0.9 s behind: naive differences between the hosts would be negative.",),
        {"remote harden": 18.0},
        -900,
        "remote harden",
    ),
    "commit_network": Story(
        "Commits take 28 ms, and the wire is why: both ways together take 26 ms, while both log disks "
        "write within 2 ms.",
        ("The clock of the replica is 0.53 s ahead, twenty times the latency of interest.",),
        {"network": 24.0},
        530,
        "network",
    ),
    "commit_redo": Story(
        "Redo of the synchronous replica is far behind and falls back further, and commits take no longer "
        "for it: they wait "
        "until the log is hard on the replica, not until it is redone.",
        (
            "The recovery queue grows for ten minutes. A failover now would take long (transport.rto); a "
            "commit does not.",
        ),
        {},
        45,
        "remote harden",
        redone=0.4,
    ),
    "commit_local_disk": Story(
        "Commits take 31 ms although the synchronous replica has acknowledged after 3: the primary's own "
        "log disk is the slow one. "
        "Asynchronous commit would gain nothing.",
        ("HADR_SYNC_COMMIT shows next to no waits: it begins when the local flush ends.",),
        {"local harden": 30.0},
        1250,
        "local harden",
    ),
}  # fmt: skip


class _Dice:
    """Draws as numpy's generators do, and the same numbers from every version of it."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    def lognormal(self, mean: float, sigma: float, n: int) -> np.ndarray:
        return np.array([self._random.lognormvariate(mean, sigma) for _ in range(n)])

    def exponential(self, mean: float, n: int) -> np.ndarray:
        return np.array([self._random.expovariate(1 / mean) for _ in range(n)])

    def integers(self, low: int, high: int, n: int) -> np.ndarray:
        return np.array([self._random.randrange(low, high) for _ in range(n)])

    def random(self, n: int) -> np.ndarray:
        return np.array([self._random.random() for _ in range(n)])

    def near(self, value: float) -> float:
        return value * self._random.uniform(0.92, 1.08)


def write_case(folder: Path, name: str) -> Truth:
    """Write a sample case; give what is true of it."""
    story = STORIES[name]
    setting = Setting(
        blocks=170,
        hops_ms=story.hops_ms,
        apart_ms=120,
        skew_ms=story.skew_ms,
        redo_queue=0 if story.redone == 1 else 900,
    )
    files, travelled = files_of(name, story, setting, f"{SEED} {name}")
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    facts = {
        "ag": AG,
        "database": DATABASE,
        "primary": PRIMARY,
        "synchronous": REPLICA,
        "skew_ms": story.skew_ms,
        "blocks": setting.blocks,
        "dominant_hop": story.dominant,
        "commit_ms": _mean(travelled.commit_ms),
        "commit_wait_ms": _mean(_waited_ms(travelled)),
    }
    hops = {hop: _mean(travelled.hops[hop]) for hop in HOPS if hop != "compression"}  # nothing is compressed
    return Truth(facts, hops, sorted(files))


def files_of(name: str, story: Story, setting: Setting, seed: str) -> tuple[dict[str, bytes], Way]:
    """Return the files of both hosts by their paths, and the log blocks that they are about."""
    dice = _Dice(seed)
    travelled = way(setting, DATABASE, dice)
    events = told(setting, [travelled], dice)
    files = {}
    for host in (PRIMARY, REPLICA):
        own = [one for one in events if one.host == host]
        files |= _sessions(name, host, own)
        files[f"{host}/ERRORLOG"] = _errorlog(host)
        files[f"{host}/perfmon.csv"] = _perfmon(host, story, travelled, dice)
    files[f"{PRIMARY}/{PRIMARY}_AlwaysOnDiagScript.out"] = _look()
    files[f"{PRIMARY}/{PRIMARY}_PerfStats.out"] = _waits(travelled)
    return files, travelled


def _mean(values: np.ndarray) -> float:
    return round(float(values.mean()), 3)


def _waited_ms(travelled: Way) -> np.ndarray:
    """Return the wait of each block's commits after their local hardening."""
    times = travelled.times
    return np.maximum(times["ack_processed"] - times["flushed"], 0) / 1e3 + 0.03


def _sessions(name: str, host: str, events: list[Told]) -> dict[str, bytes]:
    """Write the session of data movement, and the one that names group and replicas."""
    written = {}
    for session, schemas in (("AlwaysOn_Data_Movement_Tracing", SCHEMAS), ("AlwaysOn_health", NAMES)):
        own = [one for one in events if one.event in schemas]
        base = filetime(START + timedelta(seconds=-2)) + IDS[host].encode()[0] * 10_000
        known = f"{name} {host} {session}"
        file = XelFile(
            base=base, run=guid(f"{known} run"), guid=guid(f"{known} file"), schemas=tuple(schemas.values())
        )
        epoch = filetime(START) - int(START.timestamp()) * 10_000_000
        data = file.write(
            [event(schemas[one.event], one.at_us * 10 + epoch - base, one.fields) for one in own]
        )
        written[f"{host}/{session}_0_{base}.xel"] = data
    return written


def _local(seconds: float) -> Any:
    return START.replace(tzinfo=None) + timedelta(minutes=ZONE_MINUTES, seconds=seconds)


def _errorlog(host: str) -> bytes:
    return Log(time=_local(-86_400)).start(host, utc="-5:00").windows()


def _look() -> bytes:
    """Write a look at the replicas of the group, as LogScout's script has it."""
    rows = [
        (AG, server, server, IDS[server].upper(), AG_ID.upper(), f"TCP://{server}:5022", 1,
        "SYNCHRONOUS_COMMIT", 0,
         "AUTOMATIC", 10, int(server == PRIMARY), role, role_name, "CONNECTED", "HEALTHY", None, None)
        for server, role, role_name in ((PRIMARY, 1, "PRIMARY"), (REPLICA, 2, "SECONDARY"))
    ]  # fmt: skip
    moment = f"{_local(60):%Y-%m-%d %H:%M:%S}.000"
    text = rowsets.look(moment) + rowsets.rowset("AG_hadr_ag_replica_states", rowsets.REPLICAS, rows)
    states = [
        (AG, IDS[server].upper(), database_id(DATABASE).upper(), DATABASE, 6, AG_ID.upper(),
        int(server == PRIMARY),
         "SYNCHRONIZED", "HEALTHY", 0, None, *[None] * 5, AG, server, f"TCP://{server}:5022", 1)
        for server in (PRIMARY, REPLICA)
    ]  # fmt: skip
    text += rowsets.rowset("AG_hadr_ag_database_replica_states", rowsets.STATES, states)
    return text.encode()


def _waits(travelled: Way) -> bytes:
    """Write the wait statistics of the primary, a look each minute."""
    tasks, waited, flushed = 5_000_000, 40_000_000.0, 30_000_000.0
    looks = []
    for seconds in range(BEFORE_S, UNTIL_S + 1, 60):
        figures = {"HADR_SYNC_COMMIT": (tasks, int(waited)), "WRITELOG": (tasks, int(flushed))}
        looks.append(rowsets.waits(f"{_local(seconds):%Y-%m-%dT%H:%M:%S}.220", figures))
        tasks += 1000
        waited += 1000 * _mean(_waited_ms(travelled))
        flushed += 1000 * _mean(travelled.hops["local harden"])
    return "".join(looks).encode()


def _perfmon(host: str, story: Story, travelled: Way, dice: _Dice) -> bytes:
    """Return the counters of a host; for ten minutes they match the events of twenty seconds."""
    log = travelled.sectors.sum() * 512 / (travelled.times["begun"][-1] / 1e6)
    flush_s = _mean(travelled.hops["local harden" if host == PRIMARY else "remote harden"]) / 1e3
    wait_ms, commits = _mean(_waited_ms(travelled)), 1000 / 60
    database = f"SQLServer:Database Replica({DATABASE})"
    common = (r"PhysicalDisk(1 L:)\Avg. Disk sec/Write", r"PhysicalDisk(1 L:)\Disk Write Bytes/sec",
              r"Processor(_Total)\% Processor Time", rf"SQLServer:Databases({DATABASE})\Log Bytes "
              rf"Flushed/sec")  # fmt: skip
    own = (
        (rf"{database}\Transaction Delay", rf"{database}\Mirrored Write Transactions/sec")
        if host == PRIMARY
        else (rf"{database}\Log Bytes Received/sec", rf"{database}\Log Send Queue",
              rf"{database}\Recovery Queue", rf"{database}\Redone Bytes/sec")
    )  # fmt: skip
    rows: list[list[Cell]] = []
    behind = 2_000_000.0 if story.redone < 1 else 20_000.0
    moments = range(BEFORE_S, UNTIL_S, STEP_S)
    for _ in moments:
        moved = dice.near(log)
        row: list[Cell] = [dice.near(flush_s), moved * 1.1, dice.near(21.0), moved]
        if host == PRIMARY:
            count = dice.near(commits)
            row += [count * dice.near(wait_ms), count]
        else:
            redone = moved * story.redone
            behind += (moved - redone) * STEP_S
            row += [moved, 0.0, float(int(behind / 1024)), redone]
        rows.append(row)
    for place, path in enumerate((*common, *own)):
        if path.endswith("/sec") or path.endswith("Delay"):
            rows[0][place] = None  # a rate has no first value
    times = [_local(seconds + 0.04) for seconds in moments]
    paths = [rf"\\{host}\{path}" for path in (*common, *own)]
    return write_pdh(paths, rows, zone=HEADER, times=times)
