"""Writes the log send queue case before and after: what limited it, and the same once it was mended.

One simulation runs through both: perfmon watched twenty minutes with the unscaled window, then
nothing while the path was examined (a copy, a ping, a trace of handshakes), and twenty minutes from
just before auto-tuning was switched on and the endpoints were reconnected. The ERRORLOGs were
collected at the end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from simulation.samples.log_send_queue import (
    ADDRESSES,
    AG,
    SEED,
    SITES,
    START_UTC,
    HostTruth,
    captured_at,
    copy_speed,
    errorlog,
    stamp,
)
from simulation.samples.log_send_queue_counters import HostCounters
from simulation.samples.log_send_queue_model import FIXED_AT, FIXED_RATE, Model
from simulation.samples.log_send_queue_series import sample_times
from simulation.samples.log_send_queue_text import handshakes, netsh, ping, robocopy

HOSTS = {"P": "JBSAG2", "S": "JBSAG1", "A": "JBSAG3"}
WINDOWS = {"before": (0, 20), "after": (53, 73)}
"""Minutes since the start that perfmon watched."""
AUTOTUNING = {
    "before": {"P": "normal", "S": "disabled", "A": "disabled"},
    "after": {"P": "normal", "S": "normal", "A": "normal"},
}
COPIES_MB_S = {"before": {"S": 23.04, "A": 1.02}, "after": {"S": 23.11, "A": 22.87}}
COPIED_GB = 1


@dataclass
class FixedTruth:
    """What is true of the case; hosts by window and name."""

    folder: Path
    start_utc: str
    change_utc: str
    window_bytes: int
    rate_after: int
    """What the path to the far replica carries afterwards, bytes per second."""
    windows: dict[str, tuple[str, str]] = field(default_factory=dict)
    hosts: dict[str, HostTruth] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


def write_case(folder: Path, seed: int = SEED) -> FixedTruth:
    """Write the case into a folder and give its truth."""
    minutes = WINDOWS["after"][1]
    model = Model(seed, minutes, "fixed")
    truth = FixedTruth(
        folder, stamp(START_UTC), stamp(START_UTC + timedelta(seconds=FIXED_AT)), 65_535, FIXED_RATE
    )
    files: dict[str, bytes] = {}
    for window, (first, last) in WINDOWS.items():
        ends = [START_UTC + timedelta(minutes=minute) for minute in (first, last)]
        truth.windows[window] = (stamp(ends[0]), stamp(ends[1]))
        for key, name in HOSTS.items():
            times = _times(model, key, first, last)
            counters = HostCounters(model, key, HOSTS, AG, flow_control=False)
            perfmon, known = captured_at(model, key, HOSTS, counters, times)
            level = AUTOTUNING[window][key]
            rss = "disabled" if level == "disabled" else "enabled"
            known.autotuning = level
            if key != "P":
                known.robocopy_bytes_per_second = copy_speed(COPIES_MB_S[window][key])
            truth.hosts[f"{window} {name}"] = known
            files[f"{window}/{name}/DataCollector01.csv"] = perfmon
            files[f"{window}/{name}/netsh.txt"] = netsh(level, rss)
        files |= _from_primary(model, window, last)
    for key, name in HOSTS.items():
        files[f"after/{name}/ERRORLOG"] = errorlog(model, key, HOSTS)
    files["runs.csv"] = _runs()
    for name, data in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    truth.files = sorted(files)
    return truth


def _times(model: Model, key: str, first: int, last: int) -> list[int]:
    """Return the rows of a host's collector, ms since the start, within some minutes."""
    chance = model.noise(f"rows {key} {first}")
    return sample_times(chance, first * 60_000 + SITES[key].first_ms, last * 60_000)


def _from_primary(model: Model, window: str, last: int) -> dict[str, bytes]:
    """Return the files of tests on the primary after perfmon was stopped."""
    place, files = f"{window}/{HOSTS['P']}", {}
    local = START_UTC + timedelta(minutes=SITES["P"].offset_minutes + last)
    for key, wait in (("S", 1), ("A", 3)):
        speed = copy_speed(COPIES_MB_S[window][key])
        started = local + timedelta(minutes=wait, seconds=17)
        files[f"{place}/robocopy_{HOSTS[key]}.log"] = robocopy(HOSTS[key], speed, started, COPIED_GB)
        if window == "before":
            trip = model.rtt[key]
            files[f"{place}/ping_{HOSTS[key]}.txt"] = ping(
                HOSTS[key], ADDRESSES[key], trip.middle * 1000, trip.swing * 1000,
                model.noise(f"ping {key}"),
            )  # fmt: skip
    # Traced while the path was examined, and again when the endpoints were reconnected.
    traced = local + timedelta(minutes=24)
    if window == "after":
        traced += timedelta(seconds=FIXED_AT + 3.7 - (last + 24) * 60)
    files[f"{place}/handshakes.txt"] = _handshakes(model, window, traced)
    return files


def _handshakes(model: Model, window: str, began: datetime) -> bytes:
    """Return the trace of the connections opened to both endpoints."""
    opened = [
        (ADDRESSES["P"], ADDRESSES[key], 51_400 + number, round(model.rtt[key].middle, 4))
        for number, key in enumerate("SASA")
    ]
    factor = 256 if window == "after" else 0
    return handshakes(opened, (factor,) * len(opened), began)


def _runs() -> bytes:
    """Label both windows by what was changed between them."""
    lines = ["label,auto_tuning,start,end"]
    for window, (first, last) in WINDOWS.items():
        ends = [f"{START_UTC + timedelta(minutes=minute):%Y-%m-%dT%H:%M:%SZ}" for minute in (first, last)]
        lines.append(",".join([window, AUTOTUNING[window]["A"], *ends]))
    return ("\n".join(lines) + "\n").encode()
