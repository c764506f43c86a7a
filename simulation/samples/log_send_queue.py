"""Writes the log send queue case: a far replica behind a TCP window that does not scale.

`write_case` simulates the availability group (log_send_queue_model), cooks what perfmon on each
host would have shown (log_send_queue_counters), and writes the captures that a support engineer
would be handed, beside the truth that no capture states. Switches make the neighbouring cases: the
same counters with another cause, other roles, other names, other slow hops.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from simulation.formats.pdh_text import write_pdh
from simulation.samples.log_send_queue_counters import HostCounters
from simulation.samples.log_send_queue_messages import Entry, HostMessages
from simulation.samples.log_send_queue_model import DATABASES, WINDOW_BYTES, WINDOW_SCENARIOS, Model
from simulation.samples.log_send_queue_series import sample_times, table
from simulation.samples.log_send_queue_text import netsh as netsh_bytes
from simulation.samples.log_send_queue_text import ping as ping_bytes
from simulation.samples.log_send_queue_text import robocopy as robocopy_bytes

AG = "JBSAG"
SEED = 2019
START_UTC = datetime(2019, 8, 20, 13, 30)
"""Start of the window: 09:30 in East US, 22:30 in Korea Central."""
ADDRESSES = {"P": "10.20.0.5", "S": "10.20.0.4", "A": "10.60.0.4"}
DESCRIPTION = "Log send queue: SQL Server and network counters every 5 seconds"


@dataclass(frozen=True)
class Site:
    """Where a host stands: its zone, its clock, what its collector does.

    Parameters
    ----------
    zone
        What follows ``(PDH-CSV 4.0) `` in the header; cut short as some Windows do when unclosed.
    offset_minutes
        Local time minus UTC.
    clock_ms
        The host's clock minus true time.
    first_ms
        When its collector starts, after the window's start.
    gap_rows
        Rows that its collector missed, first and one past the last, as parts of the window.
    extra_column
        Whether the data collector set's description follows as an extra last column.
    """

    zone: str
    offset_minutes: int
    clock_ms: int
    first_ms: int
    gap_rows: tuple[int, int] | None = None
    extra_column: bool = False


SITES = {
    "P": Site("(Eastern Daylight Time)(240)", -240, 0, 2_130),
    "S": Site("(", -240, -350, 1_480, extra_column=True),
    "A": Site("(Korea Standard Time)(-540)", 540, 1_800, 3_710, gap_rows=(211, 216)),
}


@dataclass
class HostTruth:
    """What is true of one host. Byte rates are per second, over the rows as written."""

    role: str
    """primary, synchronous secondary or asynchronous secondary, at the start."""
    clock_offset_ms: int
    utc_offset_minutes: int
    rows: int
    first_utc: str
    last_utc: str
    rtt_ms: float | None
    """Mean round trip from the primary."""
    autotuning: str | None
    robocopy_bytes_per_second: int | None
    flushed_bytes: dict[str, int]
    """Log written to its own log files over the rows of its capture, per database."""
    received_bytes: dict[str, int]
    redone_bytes: dict[str, int]
    first_send_queue_kb: dict[str, int]
    last_send_queue_kb: dict[str, int]
    last_recovery_queue_kb: dict[str, int]
    peaks: dict[str, float]
    """Largest rate between two rows, summed over the databases: flushed; on a secondary also received
    and redone; wire bytes from the primary, and on the primary ``wire to <host>``."""
    means: dict[str, float]


@dataclass
class Truth:
    """What is true of a written case."""

    folder: Path
    scenario: str
    ag: str
    databases: tuple[str, ...]
    primary: str
    synchronous: str
    asynchronous: str
    minutes: int
    start_utc: str
    end_utc: str
    change_utc: str | None
    """When movement was suspended or roles swapped."""
    window_bytes: int | None
    """TCP receive window towards the asynchronous replica, when it is what limits."""
    hosts: dict[str, HostTruth] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    """Paths of the written files, relative to the folder."""


def write_case(
    folder: Path,
    *,
    autotuning: dict[str, str] | None = None,
    robocopy_mb_s: dict[str, float] | None = None,
    ping: bool = False,
    netsh: bool = True,
    flow_control: bool = False,
    swap_secondaries: bool = False,
    swap_primary: bool = False,
    rename: dict[str, str] | None = None,
    folders: dict[str, str] | None = None,
    minutes: int = 45,
    seed: int = SEED,
    scenario: str = "network",
    only: tuple[str, ...] | None = None,
    reverse: bool = False,
) -> Truth:
    """Write a case into a folder and give its truth.

    Hosts are named in the arguments as in the article (JBSAG1, JBSAG2, JBSAG3), also when renamed.

    Parameters
    ----------
    folder
        Where to write; made when it does not exist.
    autotuning
        Receive window auto-tuning level that netsh shows per host. Default: as in the article
        (disabled on both secondaries) where the window is what limits, else normal everywhere.
    robocopy_mb_s
        Speed of the file copy from the primary per host, in 10^6 bytes per second; {} writes no
        log. Default: 23 to the synchronous replica; 1 to the other where the window limits, else 23.
    ping
        Write ping output from the primary to each secondary.
    netsh
        Write netsh output on each host.
    flow_control
        Raise the flow control counters of the primary for the asynchronous replica.
    swap_secondaries
        Let the two secondaries change places: the other one is far away and slow.
    swap_primary
        Let JBSAG1 be the primary and JBSAG2 the synchronous secondary.
    rename
        Other names for hosts.
    folders
        Other names for the hosts' folders, relative to ``folder``.
    minutes
        Length of the window.
    seed
        Seed of all noise.
    scenario
        One of ``log_send_queue_model.SCENARIOS``.
    only
        Hosts whose captures are written; None writes all.
    reverse
        Write the files in the opposite order.
    """
    hosts = {"P": "JBSAG2", "S": "JBSAG1", "A": "JBSAG3"}
    if swap_primary:
        hosts["P"], hosts["S"] = hosts["S"], hosts["P"]
    if swap_secondaries:
        hosts["S"], hosts["A"] = hosts["A"], hosts["S"]
    names = {key: (rename or {}).get(host, host) for key, host in hosts.items()}
    limited = scenario in WINDOW_SCENARIOS
    if autotuning is None:
        slow = "disabled" if limited else "normal"
        autotuning = {hosts["P"]: "normal", hosts["S"]: slow, hosts["A"]: slow}
    if robocopy_mb_s is None:
        robocopy_mb_s = {hosts["S"]: 23.04, hosts["A"]: 1.02 if limited else 22.87}

    model = Model(seed, minutes, scenario)
    truth = Truth(
        folder=folder,
        scenario=scenario,
        ag=AG,
        databases=DATABASES,
        primary=names["P"],
        synchronous=names["S"],
        asynchronous=names["A"],
        minutes=minutes,
        start_utc=stamp(START_UTC),
        end_utc=stamp(START_UTC + timedelta(minutes=minutes)),
        change_utc=None if model.change is None else stamp(START_UTC + timedelta(seconds=model.change)),
        window_bytes=WINDOW_BYTES if limited else None,
    )
    files: dict[str, bytes] = {}
    for key in "PSA":
        if only is not None and hosts[key] not in only:
            continue
        counters = HostCounters(model, key, names, AG, flow_control=flow_control)
        perfmon, host_truth = capture(model, key, names, counters)
        place = (folders or {}).get(hosts[key], names[key])
        files[f"{place}/DataCollector01.csv"] = perfmon
        files[f"{place}/ERRORLOG"] = errorlog(model, key, names)
        if netsh and hosts[key] in autotuning:
            level = autotuning[hosts[key]]
            rss = "disabled" if level == "disabled" else "enabled"
            host_truth.autotuning = level
            files[f"{place}/netsh.txt"] = netsh_bytes(level, rss)
        if key == "P":
            files |= from_primary(place, model, hosts, names, robocopy_mb_s, ping=ping)
        if key != "P" and hosts[key] in robocopy_mb_s:
            host_truth.robocopy_bytes_per_second = copy_speed(robocopy_mb_s[hosts[key]])
        truth.hosts[names[key]] = host_truth
    for name in sorted(files, reverse=reverse):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files[name])
    truth.files = sorted(files)
    return truth


def stamp(time: datetime) -> str:
    """Write a time as ISO 8601, UTC, to the millisecond."""
    return time.isoformat(timespec="milliseconds") + "Z"


def copy_speed(mb_per_second: float) -> int:
    """Return the whole bytes per second that robocopy prints for a speed."""
    return int(mb_per_second * 1_000_000) + 1_123


def capture(model: Model, key: str, names: dict[str, str], counters: HostCounters) -> tuple[bytes, HostTruth]:
    """Return the perfmon log of one host and its ground truth."""
    site = SITES[key]
    times = sample_times(model.noise(f"rows {key}"), site.first_ms, model.seconds * 1000)
    if site.gap_rows:
        first, past = (len(times) * row // 540 for row in site.gap_rows)
        times = times[:first] + times[past:]
    return captured_at(model, key, names, counters, times)


def captured_at(
    model: Model, key: str, names: dict[str, str], counters: HostCounters, times: list[int]
) -> tuple[bytes, HostTruth]:
    """Return the perfmon log of one host with rows at some moments (ms), and its ground truth."""
    site = SITES[key]
    paths, rows = table(counters.series(), names[key], times)
    clock = START_UTC + timedelta(minutes=site.offset_minutes, milliseconds=site.clock_ms)
    extra = [DESCRIPTION] if site.extra_column else []
    data = write_pdh(
        [*paths, *extra],
        [[*row, *("" for _ in extra)] for row in rows],
        zone=f" {site.zone}",
        times=[clock + timedelta(milliseconds=time_ms) for time_ms in times],
    )
    return data, host_truth(model, key, names, times)


def host_truth(model: Model, key: str, names: dict[str, str], times_ms: list[int]) -> HostTruth:
    """Return the ground truth of a host, from the simulation at its rows' times."""
    site, times = SITES[key], [time / 1000 for time in times_ms]
    first, last = times[0], times[-1]

    def flushed(database: str, t: float) -> int:
        return model.log_flushed(key, database, t)

    def received(database: str, t: float) -> int:
        return model.log_received(key, database, t)

    def redone(database: str, t: float) -> int:
        return model.log_redone(key, database, t)

    totals = {
        name: [sum(of(database, t) for database in DATABASES) for t in times]
        for name, of in (("flushed", flushed), ("received", received), ("redone", redone))
    }
    links = {"P": tuple((f"wire to {names[other]}", other) for other in "SA")}.get(key, (("wire", key),))
    totals |= {name: [model.links[link].wire.at(t) for t in times] for name, link in links}
    return HostTruth(
        role={"P": "primary", "S": "synchronous secondary", "A": "asynchronous secondary"}[key],
        clock_offset_ms=site.clock_ms,
        utc_offset_minutes=site.offset_minutes,
        rows=len(times),
        first_utc=stamp(START_UTC + timedelta(milliseconds=times_ms[0])),
        last_utc=stamp(START_UTC + timedelta(milliseconds=times_ms[-1])),
        rtt_ms=None if key == "P" else round(mean([model.rtt[key].at(t) for t in times]) * 1000, 2),
        autotuning=None,
        robocopy_bytes_per_second=None,
        flushed_bytes={name: flushed(name, last) - flushed(name, first) for name in DATABASES},
        received_bytes={name: received(name, last) - received(name, first) for name in DATABASES},
        redone_bytes={name: redone(name, last) - redone(name, first) for name in DATABASES},
        first_send_queue_kb={name: model.send_queue(key, name, first) // 1024 for name in DATABASES},
        last_send_queue_kb={name: model.send_queue(key, name, last) // 1024 for name in DATABASES},
        last_recovery_queue_kb={name: model.recovery_queue(key, name, last) // 1024 for name in DATABASES},
        peaks={name: round(max(rates(total, times)), 0) for name, total in totals.items()},
        means={name: round((total[-1] - total[0]) / (last - first), 0) for name, total in totals.items()},
    )


def rates(totals: list[int], times: list[float]) -> list[float]:
    """Return the rates between the rows."""
    return [(totals[i] - totals[i - 1]) / (times[i] - times[i - 1]) for i in range(1, len(times))]


def mean(values: list[float]) -> float:
    """Return the mean; added one by one, as ``sum`` rounds differently between Python versions."""
    total = 0.0
    for value in values:
        total = total + value
    return total / len(values)


def errorlog(model: Model, key: str, names: dict[str, str]) -> bytes:
    """Return the ERRORLOG of one host: UTF-16LE with byte order mark, CRLF, local time."""
    site = SITES[key]
    adjustment = (
        f"{site.offset_minutes // 60}:00" if site.offset_minutes >= 0 else f"-{-site.offset_minutes // 60}:00"
    )
    clock = START_UTC + timedelta(minutes=site.offset_minutes, milliseconds=site.clock_ms)
    text = "".join(
        entry_text(entry, clock) for entry in HostMessages(model, key, names, AG, adjustment).entries()
    )
    return b"\xff\xfe" + text.encode("utf-16-le")


def entry_text(entry: Entry, clock: datetime) -> str:
    """Write one entry; the time is cut to hundredths as SQL Server does."""
    local = clock + timedelta(milliseconds=int(entry.t * 1000))
    when = f"{local:%Y-%m-%d %H:%M:%S}.{local.microsecond // 10_000:02}"
    message = entry.text.replace("\n", "\r\n")
    return f"{when} {entry.source:<12}{message}\r\n"


def from_primary(
    place: str,
    model: Model,
    hosts: dict[str, str],
    names: dict[str, str],
    robocopy_mb_s: dict[str, float],
    *,
    ping: bool,
) -> dict[str, bytes]:
    """Return the files made on the primary after the window: file copies and pings."""
    files: dict[str, bytes] = {}
    local = START_UTC + timedelta(minutes=SITES["P"].offset_minutes + model.seconds // 60)
    for key, wait in (("S", 12), ("A", 31)):
        if hosts[key] in robocopy_mb_s:
            speed = copy_speed(robocopy_mb_s[hosts[key]])
            started = local + timedelta(minutes=wait, seconds=17)
            files[f"{place}/robocopy_{names[key]}.log"] = robocopy_bytes(names[key], speed, started)
        if ping:
            chance: random.Random = model.noise(f"ping {key}")
            mean_ms, swing_ms = model.rtt[key].middle * 1000, model.rtt[key].swing * 1000
            files[f"{place}/ping_{names[key]}.txt"] = ping_bytes(
                names[key], ADDRESSES[key], mean_ms, swing_ms, chance
            )
    return files
