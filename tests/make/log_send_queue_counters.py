"""What perfmon would have shown on each host of the simulated case, cell by cell.

A rate is the difference of a whole-number total over the time since the row before, as perfmon
cooks it, so that rate times interval gives the total back. Counter names are those of SQL Server
2014.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.make.log_send_queue_model import DATABASES, LEAD, STEP, Curve, Model, Wave

INTERVAL_MS = 5000
NIC = "Microsoft Hyper-V Network Adapter"
FLUSH_BYTES = {"JBDB": 4_100, "JBSDBDW": 52_000, "StackOverflow2010": 8_200}
"""Mean size of a log write."""
TRANSACTION_BYTES = {"JBDB": 2_600, "JBSDBDW": 48_000, "StackOverflow2010": 5_200}
"""Mean log of a transaction that writes."""
MESSAGE_BYTES = {"S": 9_000, "A": 30_000}
"""Mean size of a message on the link to the synchronous and to the asynchronous replica."""

Cook = Callable[[float, float], float | None]
"""Give the cell of a row at a time, when the row before was at an earlier one; None is blank."""


@dataclass(frozen=True)
class Series:
    """One counter: ``rate`` ones have no value in the first row."""

    object: str
    instance: str | None
    counter: str
    cook: Cook
    rate: bool = True

    def path(self, machine: str) -> str:
        """Give the counter path as perfmon writes it."""
        where = f"({self.instance})" if self.instance is not None else ""
        return f"\\\\{machine}\\{self.object}{where}\\{self.counter}"


def per_second(delta: Callable[[float, float], int]) -> Cook:
    """Cook a difference into a rate."""
    return lambda before, now: delta(before, now) / (now - before)


def growth(total: Callable[[float], int]) -> Callable[[float, float], int]:
    """Give the differences of a running total."""
    return lambda before, now: total(now) - total(before)


class HostCounters:
    """The counters of one host.

    Parameters
    ----------
    model
        The simulated run.
    host
        P, S or A.
    names
        Server name of each host.
    ag
        Name of the availability group.
    flow_control
        Raise flow control on the link to A, whatever the scenario.
    """

    def __init__(
        self, model: Model, host: str, names: dict[str, str], ag: str, *, flow_control: bool
    ) -> None:
        self.model = model
        self.host = host
        self.names = names
        self.ag = ag
        self.flow_control = flow_control or model.scenario == "harden"
        self.chance = model.noise(f"counters {host}")
        self.tempdb = self.tempdb_log()
        slow = (host, model.scenario)
        self.slow_disk = slow in (("A", "harden"), ("S", "commit_delay"))
        middle = (
            {"harden": 92.0, "commit_delay": 38.0}.get(model.scenario, 0.9)
            if self.slow_disk
            else 0.9
        )
        self.write_ms = Wave(model.noise(f"write ms {host}"), middle, middle * 0.2, 5.0)

    def series(self) -> list[Series]:
        """Give all counters of the host, in file order."""
        return [
            *self.databases(),
            *self.availability_replica(),
            *self.database_replica(),
            *self.windows(),
        ]

    # The host's own logs

    def tempdb_log(self) -> Curve:
        """Let tempdb write as well: not log of the group, and most while batches sort."""
        curve, wave = Curve(), Wave(self.model.noise(f"tempdb {self.host}"), 1.0, 0.6, 2.0)
        batches = self.model.batches()
        for step in range(self.model.steps):
            t = step * STEP - LEAD
            sorting = any(start <= t < end for start, end, *_ in batches)
            rate = 24_000
            if self.host == self.model.primary(t):
                rate = 950_000 if sorting else 240_000
            curve.grow(int(rate * wave.at(t) * STEP))
        return curve

    def flush_bytes(self, database: str) -> int:
        size = FLUSH_BYTES[database]
        if self.slow_disk:
            return 60_000 if self.host == "A" else size * 4
        return size

    def flushed(self, database: str, t: float) -> int:
        return (
            self.tempdb.at(t)
            if database == "tempdb"
            else self.model.log_flushed(self.host, database, t)
        )

    def flushes(self, database: str, t: float) -> int:
        size = 58_000 if database == "tempdb" else self.flush_bytes(database)
        return self.flushed(database, t) // size

    def transactions(self, database: str, t: float) -> int:
        """Count the transactions that wrote on this host, while it was the primary."""
        if database == "tempdb":
            return self.flushes(database, t) // 3
        if self.model.scenario == "failover" and self.host != "A":
            t = min(t, self.model.turn) if self.host == "P" else max(t, self.model.turn)
        elif self.host != "P":
            return 0
        return self.model.log_generated(database, t) // TRANSACTION_BYTES[database]

    def flush_ms(self, database: str, now: float) -> int:
        """Give the milliseconds spent in log writes during the last second, at most all of it."""
        writes = self.flushes(database, now) - self.flushes(database, now - 1)
        return min(996, int(writes * self.write_ms.at(now) * (0.9 + 0.2 * self.chance.random())))

    def databases(self) -> list[Series]:
        found: list[Series] = []
        for database in ("_Total", *DATABASES, "tempdb"):
            members = (*DATABASES, "tempdb") if database == "_Total" else (database,)
            # _Total holds msdb and master as well.
            others = 900 if database == "_Total" else 0

            def total(of: Callable[[str, float], int], t: float, members=members) -> int:
                return sum(of(member, t) for member in members)

            def add(
                counter: str,
                of: Callable[[str, float], int],
                extra: int = 0,
                total=total,
                name=database,
            ) -> None:
                found.append(
                    Series(
                        "SQLServer:Databases",
                        name,
                        counter,
                        per_second(growth(lambda t: total(of, t) + int(extra * (t + LEAD)))),
                    )
                )

            add("Log Bytes Flushed/sec", self.flushed, 2 * others)
            add("Log Flushes/sec", self.flushes, others // 900)
            add("Log Flush Waits/sec", lambda name, t: self.transactions(name, t) * 9 // 10)
            found.append(
                Series(
                    "SQLServer:Databases",
                    database,
                    "Log Flush Write Time (ms)",
                    lambda _before, now, members=members: sum(
                        self.flush_ms(member, now) for member in members
                    ),
                    rate=False,
                )
            )
            add("Write Transactions/sec", self.transactions, others // 450)
        return found

    # The group

    def peers(self) -> list[str]:
        """Give the hosts that this one ever exchanges log with."""
        if self.model.scenario == "failover":
            return [
                peer
                for peer in "PSA"
                if peer != self.host and not (self.host == "A" and peer == "A")
            ]
        return [peer for peer in "PSA" if peer != self.host] if self.host == "P" else ["P"]

    def is_alive(self, peer: str, t: float) -> bool:
        """Say whether the instance of a peer exists: at the primary for each, at the others for it."""
        primary = self.model.primary(t)
        return primary == self.host or primary == peer

    def wire(self, peer: str, t: float) -> int:
        """Give the bytes exchanged with a peer, as they leave the sender or reach the receiver."""
        link = self.model.link(peer if self.host == self.model.primary(t) else self.host)
        return link.wire.at(t if self.host == self.model.primary(t) else t - self.one_way(t))

    def one_way(self, t: float) -> float:
        return self.model.rtt["A" if self.host == "A" else "S"].at(t) / 2

    def message_bytes(self, peer: str) -> int:
        return MESSAGE_BYTES["A" if "A" in (self.host, peer) else "S"]

    def noisy(self, low: float, high: float) -> Callable[[float, float], int]:
        """Give counts that scatter between two rates."""
        return lambda before, now: int((low + (high - low) * self.chance.random()) * (now - before))

    def availability_replica(self) -> list[Series]:
        peers = self.peers()
        deltas = [self.replica_deltas(peer) for peer in peers]
        found: list[Series] = []
        for counter in deltas[0]:
            by_peer = dict(zip(peers, (delta[counter] for delta in deltas), strict=True))
            # Cells of a row are drawn once, so that _Total is the sum of what stands beside it.
            drawn: dict[tuple[str, float], int] = {}

            def draw(peer: str, before: float, now: float, by_peer=by_peer, drawn=drawn) -> int:
                if (peer, now) not in drawn:
                    drawn[peer, now] = by_peer[peer](before, now)
                return drawn[peer, now]

            def alive(peer: str, before: float, now: float) -> bool:
                return self.is_alive(peer, before) and self.is_alive(peer, now)

            def total(before: float, now: float, draw=draw, alive=alive) -> float:
                present = [peer for peer in peers if alive(peer, before, now)]
                return sum(draw(peer, before, now) for peer in present) / (now - before)

            found.append(Series("SQLServer:Availability Replica", "_Total", counter, total))
            for peer in peers:

                def cell(
                    before: float, now: float, peer=peer, draw=draw, alive=alive
                ) -> float | None:
                    return (
                        draw(peer, before, now) / (now - before)
                        if alive(peer, before, now)
                        else None
                    )

                instance = f"{self.ag}:{self.names[peer]}"
                found.append(Series("SQLServer:Availability Replica", instance, counter, cell))
        return found

    def replica_deltas(self, peer: str) -> dict[str, Callable[[float, float], int]]:
        """Give the counters of one peer: log goes one way, acknowledgements the other."""
        size = self.message_bytes(peer)

        def sends(t: float) -> int:
            return self.wire(peer, t) // size + int(2 * (t + LEAD))

        def either(
            sending: Callable[[float], int], receiving: Callable[[float], int]
        ) -> Callable[[float, float], int]:
            def delta(before: float, now: float) -> int:
                of = sending if self.host == self.model.primary(now) else receiving
                return of(now) - of(before)

            return delta

        def log(t: float) -> int:
            return self.wire(peer, t)

        def acks(t: float) -> int:
            return sends(t) * 176

        def nothing(_before: float, _now: float) -> int:
            return 0

        gate = self.flow_control and peer == "A" and self.host == "P"
        return {
            "Bytes Sent to Replica/sec": either(lambda t: log(t) * 127 // 128, acks),
            "Bytes Sent to Transport/sec": either(log, acks),
            "Sends to Replica/sec": either(sends, sends),
            "Sends to Transport/sec": either(sends, sends),
            "Bytes Received from Replica/sec": either(acks, log),
            "Receives from Replica/sec": either(sends, sends),
            "Flow Control/sec": self.noisy(5, 14) if gate else nothing,
            "Flow Control Time (ms/sec)": self.noisy(560, 930) if gate else nothing,
            "Resent Messages/sec": nothing,
        }

    def commit_delay_ms(self, now: float) -> float:
        """Give what a transaction waits for the synchronous replica: the way there, its disk, back."""
        disk = 38.0 if self.model.scenario == "commit_delay" else 0.9
        return (1.2 + disk) * (0.85 + 0.3 * self.chance.random()) + self.model.rtt["S"].at(
            now
        ) * 1000

    def database_replica(self) -> list[Series]:
        model, host, found = self.model, self.host, []

        def add(counter: str, of: Callable[[str, float, float], float], *, rate: bool) -> None:
            drawn: dict[tuple[str, float], float] = {}

            def draw(database: str, before: float, now: float) -> float:
                if (database, now) not in drawn:
                    value = of(database, before, now)
                    drawn[database, now] = value / (now - before) if rate else value
                return drawn[database, now]

            def total(before: float, now: float) -> float:
                value: float = 0
                for database in DATABASES:
                    value = value + draw(database, before, now)
                return value

            found.append(Series("SQLServer:Database Replica", "_Total", counter, total, rate))
            for database in DATABASES:
                found.append(
                    Series(
                        "SQLServer:Database Replica",
                        database,
                        counter,
                        lambda before, now, database=database: draw(database, before, now),
                        rate,
                    )
                )

        def mirrored(database: str, before: float, now: float) -> int:
            return self.transactions(database, now) - self.transactions(database, before)

        def blocked(database: str, before: float, now: float) -> int:
            held = model.is_redo_blocked(host, database, now)
            return int((0.4 + 1.2 * self.chance.random()) * (now - before)) if held else 0

        add("Log Send Queue", lambda d, _b, now: model.send_queue(host, d, now) // 1024, rate=False)
        add(
            "Recovery Queue",
            lambda d, _b, now: model.recovery_queue(host, d, now) // 1024,
            rate=False,
        )
        add(
            "Log Bytes Received/sec",
            lambda d, b, now: max(
                0, model.log_received(host, d, now) - model.log_received(host, d, b)
            ),
            rate=True,
        )
        add(
            "Redone Bytes/sec",
            lambda d, b, now: model.log_redone(host, d, now) - model.log_redone(host, d, b),
            rate=True,
        )
        add("Redo Bytes Remaining", lambda _d, _b, _now: 0, rate=False)
        add("Redo blocked/sec", blocked, rate=True)
        add(
            "Transaction Delay",
            lambda d, b, now: int(mirrored(d, b, now) * self.commit_delay_ms(now)),
            rate=True,
        )
        add("Mirrored Write Transactions/sec", mirrored, rate=True)
        return found

    # The machine

    def traffic(self, *, outbound: bool) -> Callable[[float, float], int]:
        """Give the bytes on the network card: the group's, with headers, and the clients'."""

        def delta(before: float, now: float) -> int:
            is_primary = self.host == self.model.primary(now)
            total = (
                self.noisy(90_000, 380_000)(before, now)
                if is_primary
                else self.noisy(3_000, 14_000)(before, now)
            )
            for peer in self.peers():
                if self.is_alive(peer, before) and self.is_alive(peer, now):
                    moved = self.wire(peer, now) - self.wire(peer, before)
                    total += moved + moved // 26 if outbound == is_primary else moved // 40
            return total

        return delta

    def windows(self) -> list[Series]:
        noisy, chance = self.noisy, self.chance
        nic = "Network Interface"

        def disk_bytes(before: float, now: float) -> int:
            return sum(
                self.flushed(name, now) - self.flushed(name, before)
                for name in (*DATABASES, "tempdb")
            )

        def segments(before: float, now: float) -> int:
            return self.traffic(outbound=True)(before, now) // 1380 + noisy(20, 60)(before, now)

        def around(middle: float, swing: float) -> Cook:
            return lambda _before, _now: middle + swing * (2 * chance.random() - 1)

        busy = self.host == "P"
        return [
            Series(nic, NIC, "Bytes Sent/sec", per_second(self.traffic(outbound=True))),
            Series(nic, NIC, "Bytes Received/sec", per_second(self.traffic(outbound=False))),
            Series(nic, NIC, "Current Bandwidth", lambda _b, _n: 10_000_000_000, rate=False),
            Series("TCPv4", None, "Segments Sent/sec", per_second(segments)),
            Series("TCPv4", None, "Segments Retransmitted/sec", per_second(noisy(0, 0.28))),
            Series("PhysicalDisk", "0 C:", "Avg. Disk sec/Write", around(0.0021, 0.0012)),
            Series(
                "PhysicalDisk",
                "1 L:",
                "Avg. Disk sec/Write",
                lambda _b, now: self.write_ms.at(now) / 1000,
            ),
            Series(
                "PhysicalDisk", "0 C:", "Disk Write Bytes/sec", per_second(noisy(20_000, 160_000))
            ),
            Series("PhysicalDisk", "1 L:", "Disk Write Bytes/sec", per_second(disk_bytes)),
            Series(
                "Processor",
                "_Total",
                "% Processor Time",
                around(19 if busy else 6, 6 if busy else 3),
            ),
            Series(
                "Memory",
                None,
                "Available MBytes",
                lambda _b, _n: 9_100 + chance.randrange(60),
                rate=False,
            ),
            Series(
                "Process",
                "sqlservr",
                "% Processor Time",
                around(142 if busy else 38, 50 if busy else 20),
            ),
        ]


def sample_times(chance: random.Random, first_ms: int, last_ms: int) -> list[int]:
    """Give when perfmon takes its rows, in milliseconds: each 5 s, 1 to 40 ms late."""
    return [due + chance.randint(1, 40) for due in range(first_ms, last_ms + 1, INTERVAL_MS)]


def table(
    series: list[Series], machine: str, times_ms: list[int]
) -> tuple[list[str], list[list[float | None]]]:
    """Give the counter paths and the cells of each row; None where perfmon leaves a blank."""
    rows: list[list[float | None]] = []
    for number, now_ms in enumerate(times_ms):
        now, before = now_ms / 1000, times_ms[number - 1] / 1000 if number else None
        rows.append(
            [
                None
                if one.rate and before is None
                else one.cook(now if before is None else before, now)
                for one in series
            ]
        )
    return [one.path(machine) for one in series], rows
