"""The perfmon log of a host in a seeding case, every 5 seconds, cooked from the model's rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from simulation.formats.pdh_text import BLANK, Cell, write_pdh
from simulation.samples.seeding_case_model import Host, Model

EVERY_S = 5
BANDWIDTH = 10_000_000_000
SQL = "sql"
"""The name under which the stretches in which SQL Server runs are kept."""

Cook = Callable[[float, float], float]


@dataclass(frozen=True)
class Series:
    """A counter.

    Parameters
    ----------
    path
        Without the machine.
    cook
        Give the value over an interval, or at its end.
    needs
        What has to exist: `SQL`, a database, a database of the group; empty for always.
    """

    path: str
    cook: Cook
    rate: bool = True
    needs: tuple[str, ...] = ()


def perfmon(model: Model, host: Host, databases: tuple[str, ...]) -> bytes:
    """Write the log; the host's clock and zone stand in it."""
    chance = model.noise(f"rows {host.name}")
    count = (model.seconds * 1000 - host.first_ms - 50) // (EVERY_S * 1000)
    times = [(host.first_ms + EVERY_S * 1000 * n + chance.randint(1, 30)) / 1000 for n in range(count)]
    columns = series(model, host, databases)
    rows: list[list[Cell]] = []
    for n, now in enumerate(times):
        before = times[n - 1] if n else None
        rows.append([cell(model, host, one, before, now) for one in columns])
    start = model.start + timedelta(minutes=model.offset_minutes, milliseconds=host.clock_ms)
    return write_pdh(
        [f"\\\\{host.name}\\{one.path}" for one in columns],
        rows,
        zone=f" {model.zone}",
        times=[start + timedelta(milliseconds=round(t * 1000)) for t in times],
    )


def cell(model: Model, host: Host, one: Series, before: float | None, now: float) -> Cell:
    """Return a cell; a rate needs the row before, and both need the instance."""
    if one.rate and before is None:
        return BLANK
    since = now if before is None or not one.rate else before
    if not all(model.exists(host, what, since, now) for what in one.needs):
        return BLANK
    value = one.cook(now - 0.001 if before is None else before, now)
    return round(value) if value >= 1000 or value == round(value) else round(value, 4 if value < 1 else 2)


def series(model: Model, host: Host, databases: tuple[str, ...]) -> list[Series]:
    """Return every series of a host."""
    found = [
        *(
            Series(f"Processor({core})\\% Processor Time", core_time(model, host, core))
            for core in range(host.vcpus)
        ),
        Series("Processor(_Total)\\% Processor Time", processor(model, host)),
        Series(
            "Process(sqlservr)\\% Processor Time",
            lambda a, b: model.mean(host, "cpu sql", a, b) * host.vcpus,
            needs=(SQL,),
        ),
    ]
    for number, card in enumerate(host.cards):
        found += network(model, host, card, number == 0)
    found += [one for disk in (*host.disks, "_Total") for one in disk_series(model, host, disk)]
    for database in (*databases, "_Total"):
        found += sql_series(model, host, database, databases)
    return found + replica_series(model, host)


def processor(model: Model, host: Host) -> Cook:
    """Cook processor time; no more than all of it."""
    return lambda a, b: min(model.cpu_mean(host, a, b), 100.0)


def core_time(model: Model, host: Host, core: int) -> Cook:
    """Cook the time of one core: their mean is that of all, and none works more than all of the time."""
    whole = processor(model, host)
    weights = model.core_weights.get(host.name) or [
        1 + 0.06 * (2 * model.noise(f"{host.name} core {n}").random() - 1) for n in range(host.vcpus)
    ]

    def cook(a: float, b: float) -> float:
        left, free = whole(a, b) * host.vcpus, list(range(host.vcpus))
        while free:
            scale = left / sum(weights[n] for n in free)
            full = [n for n in free if weights[n] * scale > 100]
            if not full:
                return weights[core] * scale if core in free else 100.0
            if core in full:
                return 100.0
            left -= 100.0 * len(full)
            free = [n for n in free if n not in full]
        return 100.0

    return cook


def network(model: Model, host: Host, card: str, is_used: bool) -> list[Series]:
    """Return the counters of a card; the second one carries only broadcast traffic."""
    chance = model.noise(f"{host.name} {card}")

    def bytes_per_s(what: str) -> Cook:
        if is_used:
            return lambda a, b: model.mean(host, what, a, b)
        return lambda a, b: chance.randrange(0, 900, 60) / 5

    path = f"Network Interface({card})\\"
    return [
        Series(path + "Bytes Received/sec", bytes_per_s("received")),
        Series(path + "Bytes Sent/sec", bytes_per_s("sent")),
        Series(path + "Current Bandwidth", lambda a, b: BANDWIDTH, rate=False),
        Series(path + "Output Queue Length", lambda a, b: 0, rate=False),
    ]


def disk_series(model: Model, host: Host, disk: str) -> list[Series]:
    """Return the counters of a disk; ``_Total`` is the sum or the mean of all."""
    disks = tuple(host.disks) if disk == "_Total" else (disk,)
    chance = model.noise(f"{host.name} {disk}")

    def moved(what: str) -> Cook:
        def cook(a: float, b: float) -> float:
            whole = 0.0
            for one in disks:
                whole += model.mean(host, f"{what} {one}", a, b)
            return whole

        return cook

    def idle(a: float, b: float) -> float:
        whole = 0.0
        for one in disks:
            whole += 100 * (1 - busy(model, host, one, a, b))
        return whole / len(disks)

    def latency(what: str, base_ms: float) -> Cook:
        amount = moved(what)

        def cook(a: float, b: float) -> float:
            if amount(a, b) < 2_000:
                return 0.0
            most = max(busy(model, host, one, a, b) for one in disks)
            wobble = 1 + 0.1 * (2 * chance.random() - 1)
            return round(base_ms * wobble / (1.04 - most) / 1000, 6)

        return cook

    path = f"LogicalDisk({disk})\\"
    return [
        Series(path + "% Idle Time", idle),
        Series(path + "Avg. Disk sec/Read", latency("read", 0.55)),
        Series(path + "Avg. Disk sec/Write", latency("write", 0.4)),
        Series(path + "Disk Read Bytes/sec", moved("read")),
        Series(path + "Disk Write Bytes/sec", moved("write")),
    ]


def busy(model: Model, host: Host, disk: str, a: float, b: float) -> float:
    """Return the share of time in which a disk worked."""
    moved = model.mean(host, f"read {disk}", a, b) + model.mean(host, f"write {disk}", a, b)
    return min(moved / host.disks[disk], 0.997)


def sql_series(model: Model, host: Host, database: str, databases: tuple[str, ...]) -> list[Series]:
    """Return the counters of a database, ``_Total`` of all."""
    parts = databases if database == "_Total" else (database,)
    needs = (SQL,) if database == "_Total" else (SQL, database)

    def summed(what: str) -> Cook:
        def cook(a: float, b: float) -> float:
            whole = 0.0
            for one in parts:
                whole += model.mean(host, f"{what} {one}", a, b)
            return whole

        return cook

    path = f"SQLServer:Databases({database})\\"
    return [
        Series(path + "Backup/Restore Throughput/sec", summed("backup"), needs=needs),
        Series(path + "Log Bytes Flushed/sec", summed("log"), needs=needs),
    ]


def replica_series(model: Model, host: Host) -> list[Series]:
    """Return the counters of the group's database, which exist while it belongs to the group."""
    replica = f"{model.database} replica"
    chance = model.noise(f"{host.name} queues")

    def rate(what: str) -> Cook:
        return lambda a, b: model.mean(host, what, a, b)

    def behind(ahead: str, done: str, unit: int) -> Cook:
        def cook(a: float, b: float) -> float:
            left = model.total(host, ahead, b) - model.total(host, done, b)
            return round(left / unit) if left > 4 * unit else chance.randrange(0, 4)

        return cook

    is_target = host is model.target

    def on_target(cook: Cook) -> Cook:
        return cook if is_target else lambda a, b: 0

    path = f"SQLServer:Database Replica({model.database})\\"
    rates = {"Log Bytes Received/sec": "log received", "Redone Bytes/sec": "redone"}
    gauges = {
        "Log Apply Pending Queue": behind("log received", "redone", 61_440 * 64),
        "Log Send Queue": behind("log to send", "log received", 1024),
        "Recovery Queue": behind("log received", "redone", 1024),
    }
    needs = (SQL, replica)
    return [
        *(Series(path + name, on_target(rate(what)), needs=needs) for name, what in rates.items()),
        *(Series(path + name, on_target(cook), rate=False, needs=needs) for name, cook in gauges.items()),
    ]
