"""What two servers would have written while blocks travelled: perfmon of both, ping, settings, a copy."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import numpy as np

from simulation.formats.host_facts import NETSH_2019, netsh_text, ping_text, robocopy_text
from simulation.formats.pdh_text import Cell, write_pdh
from simulation.what_if.model import Happened, Setting, Values

PRIMARY, REPLICA, OTHER, AG = "NODEP", "NODES", "NODET", "AG"
"""The primary, the replica that is asked about, another one that keeps up."""
NAMES = ("Sales", "Stock", "Web", "Log")
START = dt.datetime(2024, 3, 5, 12, 0, 0)
ZONE = " (Coordinated Universal Time)(0)"

Column = tuple[str, list[Cell]]


def ends(seconds: float, step: float, first: float) -> Values:
    """Return the moments of a collector's samples."""
    return np.arange(first, seconds, step)


def passed(times: Values, amounts: Values, at: Values) -> Values:
    """Return how much had passed a hop at some moments."""
    order = np.argsort(times, kind="stable")
    total = np.concatenate([[0.0], np.cumsum(amounts[order])])
    return total[np.searchsorted(times[order], at, side="right")]


def send_queue(happened: Happened, at: Values, database: int | None = None) -> Values:
    """Return the log flushed but not handed to the network at some moments, bytes."""
    rows = _rows(happened, database)
    sizes = happened.load.bytes[rows]
    flushed = passed(happened.load.begun[rows], sizes, at)
    return np.maximum(flushed - passed(happened.sent[rows], sizes, at), 0.0)


def recovery_queue(happened: Happened, at: Values, database: int | None = None) -> Values:
    rows = _rows(happened, database)
    sizes = happened.load.bytes[rows]
    return np.maximum(
        passed(happened.hardened[rows], sizes, at) - passed(happened.redone[rows], sizes, at), 0.0
    )


def received(happened: Happened, at: Values) -> Values:
    return passed(happened.received, happened.load.bytes, at)


def _rows(happened: Happened, database: int | None) -> Values:
    of = happened.load.database
    return np.ones(len(of), bool) if database is None else of == database


def write_captures(
    folder: Path, setting: Setting, happened: Happened, seconds: float, step: float, *, ping: bool,
    tuning_off: bool, copy: float | None, with_primary: bool = True, shift: float = 0.4,
    elsewhere: Values | None = None,
) -> None:  # fmt: skip
    """Write the files of a case; the primary's collector takes its samples at moments of its own.

    Parameters
    ----------
    elsewhere
        Wire bytes of a byte of log on the way to another replica, block by block: its stream is compressed.
    """
    at = ends(seconds, step, 0.2)
    _perfmon(folder / REPLICA, _of_replica(setting, happened, at), at)
    if with_primary:
        own = ends(seconds, step, shift)
        _perfmon(folder / PRIMARY, _of_primary(setting, happened, own), own)
    target = REPLICA.lower()
    for host in (PRIMARY, REPLICA):
        level = "disabled" if tuning_off and host == REPLICA else "normal"
        _text(
            folder / host / "netsh.txt", netsh_text(NETSH_2019 | {"Receive Window Auto-Tuning Level": level})
        )
    if ping:
        ms = max(round(1000 * setting.round_trip), 1)
        _text(folder / PRIMARY / f"ping_{target}.txt", ping_text(target, "10.2.0.7", [ms] * 30))
    if copy is not None or elsewhere is not None:
        there = _at_once(happened)
        if elsewhere is not None:
            there = replace(there, load=replace(there.load, packed=elsewhere))
        _perfmon(folder / OTHER, _of_replica(setting, there, at), at)
    if copy is not None:
        # A copy over the same path would meet the same window: it went to the other replica.
        target = OTHER.lower()
        begun = START + dt.timedelta(seconds=seconds + 300)
        text = robocopy_text(rf"\\{target}\temp\ ", started=begun, copied=int(copy * 60), speed=int(copy))
        _text(folder / PRIMARY / f"robocopy_{target}.log", text)


def _at_once(happened: Happened) -> Happened:
    """Return what an unrestricted replica sees."""
    begun = happened.load.begun
    quick = {"started": 0.0002, "sent": 0.0004, "received": 0.001, "begun_writing": 0.0011, "hardened": 0.002,
             "ack_sent": 0.0022, "ack_received": 0.003, "redone": 0.004}  # fmt: skip
    return replace(happened, **{name: begun + later for name, later in quick.items()})


def _perfmon(folder: Path, columns: list[Column], at: Values) -> None:
    host = folder.name
    times = [START + dt.timedelta(seconds=float(t)) for t in at]
    rows = [[values[place] for _, values in columns] for place in range(len(at))]
    folder.mkdir(parents=True, exist_ok=True)
    paths = [rf"\\{host}\{path}" for path, _ in columns]
    (folder / "DataCollector01.csv").write_bytes(write_pdh(paths, rows, zone=ZONE, times=times))


def _rate(totals: Values, at: Values) -> list[Cell]:
    return [None, *(np.diff(totals) / np.diff(at)).tolist()]


def _of_primary(setting: Setting, happened: Happened, at: Values) -> list[Column]:
    found: list[Column] = []
    load = happened.load
    for place in range(setting.databases):
        rows = _rows(happened, place)
        name, sizes = NAMES[place], load.bytes[rows]
        flushed = passed(load.begun[rows], sizes, at)
        writes = passed(load.begun[rows], np.ones(int(rows.sum())), at)
        spent = passed(load.begun[rows], 1000 * (happened.flushed - load.begun)[rows], at)
        found += [
            (rf"SQLServer:Databases({name})\Log Bytes Flushed/sec", _rate(flushed, at)),
            (rf"SQLServer:Databases({name})\Log Flushes/sec", _rate(writes, at)),
            (rf"SQLServer:Databases({name})\Log Flush Write Time (ms)", _rate(spent, at)),
            (rf"SQLServer:Database Replica({name})\Log Send Queue", [0.0] * len(at)),
            (rf"SQLServer:Database Replica({name})\Log Bytes Received/sec", [None, *[0.0] * (len(at) - 1)]),
        ]
    replica = f"SQLServer:Availability Replica({AG}:{REPLICA})"
    wire = passed(happened.sent, load.bytes * load.packed, at)
    return [
        *found,
        (rf"{replica}\Bytes Sent to Replica/sec", _rate(wire, at)),
        (rf"{replica}\Bytes Sent to Transport/sec", _rate(wire, at)),
        (rf"{replica}\Flow Control Time (ms/sec)", [None, *[0.0] * (len(at) - 1)]),
        (rf"{replica}\Flow Control/sec", [None, *[0.0] * (len(at) - 1)]),
        (rf"{replica}\Resent Messages/sec", [None, *[0.0] * (len(at) - 1)]),
    ]  # fmt: skip


def _of_replica(setting: Setting, happened: Happened, at: Values) -> list[Column]:
    found: list[Column] = []
    load = happened.load
    for place in range(setting.databases):
        rows = _rows(happened, place)
        name, sizes = NAMES[place], load.bytes[rows]
        group = f"SQLServer:Database Replica({name})"
        hardened = passed(happened.hardened[rows], sizes, at)
        writes = passed(happened.hardened[rows], np.ones(int(rows.sum())), at)
        spent = passed(happened.hardened[rows], 1000 * (happened.hardened - happened.begun_writing)[rows], at)
        waiting = np.floor(send_queue(happened, at, place) / 1024)
        behind = np.floor(recovery_queue(happened, at, place) / 1024)
        found += [
            (rf"{group}\Log Send Queue", waiting.tolist()),
            (rf"{group}\Log Bytes Received/sec", _rate(passed(happened.received[rows], sizes, at), at)),
            (rf"{group}\Recovery Queue", behind.tolist()),
            (rf"{group}\Redone Bytes/sec", _rate(passed(happened.redone[rows], sizes, at), at)),
            (rf"{group}\Redo blocked/sec", [None, *[0.0] * (len(at) - 1)]),
            (rf"SQLServer:Databases({name})\Log Bytes Flushed/sec", _rate(hardened, at)),
            (rf"SQLServer:Databases({name})\Log Flushes/sec", _rate(writes, at)),
            (rf"SQLServer:Databases({name})\Log Flush Write Time (ms)", _rate(spent, at)),
        ]
    replica = f"SQLServer:Availability Replica({AG}:{PRIMARY})"
    wire = passed(happened.received, load.bytes * load.packed + 60, at)
    return [*found, (rf"{replica}\Bytes Received from Replica/sec", _rate(wire, at))]


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii", newline="")
