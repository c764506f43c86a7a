"""Writes a drawn transport case as the files that two servers would leave behind."""

from __future__ import annotations

import datetime as dt
from itertools import pairwise
from pathlib import Path
from random import Random

from simulation.chains.draw import PRIMARY_ONLY, REPLICA_ONLY, Drawn
from simulation.chains.model import Second, simulate
from simulation.formats.host_facts import NETSH_2019, netsh_text, ping_text, robocopy_text
from simulation.formats.pdh_text import Cell, write_pdh

DATABASES = ("Sales", "Stock", "Web")
NAMES = {"P": "NODEP", "S": "NODES"}

Column = tuple[str, list[Cell]]


def write_captures(folder: Path, drawn: Drawn, dice: Random) -> list[str]:
    """Write the files of a case; give the names of the hosts whose perfmon is among them."""
    happened = simulate(drawn.setting, drawn.seconds, dice)
    wanted = {REPLICA_ONLY: "S", PRIMARY_ONLY: "P"}.get(drawn.sides, "PS")
    for host in wanted:
        _perfmon(folder / NAMES[host], host, drawn, happened, dice)
    _texts(folder, drawn, dice)
    return [NAMES[host] for host in wanted]


def _perfmon(folder: Path, host: str, drawn: Drawn, happened: list[Second], dice: Random) -> None:
    clock, step = drawn.clocks[host], drawn.step
    first = dice.randrange(step)
    ends = list(range(first, len(happened), step))
    columns = _primary(drawn, happened, ends) if host == "P" else _replica(drawn, happened, ends)
    columns += _machine(host, drawn, happened, ends)
    moment = drawn.start + dt.timedelta(minutes=clock.offset, seconds=clock.shift)
    times = [moment + dt.timedelta(seconds=end, milliseconds=37) for end in ends]
    rows = [[values[place] for _, values in columns] for place in range(len(ends))]
    paths = [rf"\\{NAMES[host]}\{path}" for path, _ in columns]
    folder.mkdir(parents=True, exist_ok=True)
    data = write_pdh(paths, rows, zone=clock.zone, times=times)
    (folder / "DataCollector01.csv").write_bytes(data)


def _mean(values: list[float], ends: list[int]) -> list[Cell]:
    """Return a rate as perfmon does: the mean since the sample before; the first one is blank."""
    total, sums = 0.0, [0.0]
    for value in values:
        total += value
        sums.append(total)
    found: list[Cell] = [None]
    for one, other in pairwise(ends):
        found.append((sums[other + 1] - sums[one + 1]) / (other - one))
    return found


def _now(values: list[float], ends: list[int]) -> list[Cell]:
    return [float(round(values[end])) for end in ends]


def _primary(drawn: Drawn, happened: list[Second], ends: list[int]) -> list[Column]:
    s, found = drawn.setting, []
    for place in range(len(s.shares)):
        name = DATABASES[place]
        made = [second.generated[place] for second in happened]
        flushes = [amount / s.message for amount in made]
        spent = [n * each.primary_write_ms for n, each in zip(flushes, happened, strict=True)]
        found += [
            (rf"SQLServer:Databases({name})\Log Bytes Flushed/sec", _mean(made, ends)),
            (rf"SQLServer:Databases({name})\Log Flushes/sec", _mean(flushes, ends)),
            (rf"SQLServer:Databases({name})\Log Flush Write Time (ms)", _mean(spent, ends)),
            (rf"SQLServer:Database Replica({name})\Log Send Queue", [0.0] * len(ends)),
            (rf"SQLServer:Database Replica({name})\Log Bytes Received/sec", [None] + [0.0] * (len(ends) - 1)),
        ]  # fmt: skip
    replica = f"SQLServer:Availability Replica(AG:{NAMES['S']})"
    sent = [sum(second.sent) for second in happened]
    acknowledged = [sum(second.hardened) / s.message * 60 + 200 for second in happened]
    return [
        *found,
        (rf"{replica}\Bytes Sent to Replica/sec", _mean(sent, ends)),
        (rf"{replica}\Bytes Sent to Transport/sec", _mean([second.wire for second in happened], ends)),
        (rf"{replica}\Bytes Received from Replica/sec", _mean(acknowledged, ends)),
        (rf"{replica}\Flow Control Time (ms/sec)", _mean([x.gate_ms for x in happened], ends)),
        (rf"{replica}\Flow Control/sec", _mean([x.gates for x in happened], ends)),
        (rf"{replica}\Resent Messages/sec", _mean([x.resent for x in happened], ends)),
    ]  # fmt: skip


def _replica(drawn: Drawn, happened: list[Second], ends: list[int]) -> list[Column]:
    s, found = drawn.setting, []
    for place in range(len(s.shares)):
        name = DATABASES[place]
        hardened = [second.hardened[place] for second in happened]
        flushes = [amount / s.message for amount in hardened]
        spent = [n * each.write_ms for n, each in zip(flushes, happened, strict=True)]
        group = f"SQLServer:Database Replica({name})"
        found += [
            (rf"{group}\Log Send Queue", _now([x.send_queue[place] / 1024 for x in happened], ends)),
            (rf"{group}\Log Bytes Received/sec", _mean([x.received[place] for x in happened], ends)),
            (rf"{group}\Recovery Queue", _now([x.recovery_queue[place] / 1024 for x in happened], ends)),
            (rf"{group}\Redone Bytes/sec", _mean([x.redone[place] for x in happened], ends)),
            (rf"{group}\Redo blocked/sec", _mean([x.redo_blocked[place] for x in happened], ends)),
            (rf"SQLServer:Databases({name})\Log Bytes Flushed/sec", _mean(hardened, ends)),
            (rf"SQLServer:Databases({name})\Log Flushes/sec", _mean(flushes, ends)),
            (rf"SQLServer:Databases({name})\Log Flush Write Time (ms)", _mean(spent, ends)),
        ]  # fmt: skip
    replica = f"SQLServer:Availability Replica(AG:{NAMES['P']})"
    wire = [second.wire for second in happened]
    return [*found, (rf"{replica}\Bytes Received from Replica/sec", _mean(wire, ends))]


def _machine(host: str, drawn: Drawn, happened: list[Second], ends: list[int]) -> list[Column]:
    s = drawn.setting
    wire = [second.wire for second in happened]
    busy = [a + b.other_traffic for a, b in zip(wire, happened, strict=True)]
    quiet = [0.03 * value + 5e4 for value in wire]
    sent, got = (busy, quiet) if host == "P" else (quiet, busy)
    write_ms = [x.primary_write_ms if host == "P" else x.write_ms for x in happened]
    found: list[Column] = [
        (r"Network Interface(vmxnet3 Ethernet Adapter)\Bytes Sent/sec", _mean(sent, ends)),
        (r"Network Interface(vmxnet3 Ethernet Adapter)\Bytes Received/sec", _mean(got, ends)),
        (r"Network Interface(vmxnet3 Ethernet Adapter)\Current Bandwidth", [8 * s.card] * len(ends)),
        (r"PhysicalDisk(1 L:)\Avg. Disk sec/Write", _mean([ms / 1000 for ms in write_ms], ends)),
    ]  # fmt: skip
    if drawn.processor_counters:
        used = [15 + 0.2 * (x.processor % 7) if host == "P" else x.processor for x in happened]
        found.append((r"Processor(_Total)\% Processor Time", _mean(used, ends)))
    if drawn.loss_counters:
        segments = [x.segments if host == "P" else x.segments / 2 for x in happened]
        lost = [x.retransmitted if host == "P" else 0.0 for x in happened]
        found += [
            (r"TCPv4\Segments Sent/sec", _mean(segments, ends)),
            (r"TCPv4\Segments Retransmitted/sec", _mean(lost, ends)),
        ]
    return found


def _texts(folder: Path, drawn: Drawn, dice: Random) -> None:
    """Write netsh, ping and robocopy, each where it was captured; ping and copy by the primary."""
    for host, level in drawn.tuning.items():
        text = netsh_text(NETSH_2019 | {"Receive Window Auto-Tuning Level": level})
        _text(folder / NAMES[host] / "netsh.txt", text)
    target = NAMES["S"].lower()
    if drawn.ping:
        ms = 1000 * drawn.setting.round_trip
        times: list[int | None] = [
            None if dice.random() < 2 * drawn.setting.loss else round(ms * dice.uniform(0.98, 1.04))
            for _ in range(50)
        ]
        times[0] = round(ms)
        _text(folder / NAMES["P"] / f"ping_{target}.txt", ping_text(target, "10.2.0.7", times))
    if drawn.copy is not None:
        copied = int(max(drawn.copy * 60, 1e8))
        begun = drawn.start + dt.timedelta(
            minutes=drawn.clocks["P"].offset, seconds=drawn.clocks["P"].shift + 300
        )
        text = robocopy_text(rf"\\{target}\temp\ ", started=begun, copied=copied, speed=int(drawn.copy))
        _text(folder / NAMES["P"] / f"robocopy_{target}.log", text)


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii", newline="")
