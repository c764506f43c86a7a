"""What perfmon would have shown on each host of the simulated case, cell by cell.

Counter names are those of SQL Server 2014.
"""

from __future__ import annotations

from collections.abc import Callable

from simulation.samples.log_send_queue_disk import LogDisk
from simulation.samples.log_send_queue_model import DATABASES, LEAD, Model
from simulation.samples.log_send_queue_series import Cook, Series, per_second

NIC = "Microsoft Hyper-V Network Adapter"
MESSAGE_BYTES = {"S": 9_000, "A": 30_000}
"""Mean size of a message on the link to the synchronous and to the asynchronous replica."""


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
        self.disk = LogDisk(model, host)

    def series(self) -> list[Series]:
        """Return all counters of the host, in file order."""
        return [
            *self.disk.databases(),
            *self.availability_replica(),
            *self.database_replica(),
            *self.windows(),
        ]

    # The group

    def peers(self) -> list[str]:
        """Return the hosts that this one ever exchanges log with."""
        if self.model.scenario == "failover":
            return [peer for peer in "PSA" if peer != self.host]
        return [peer for peer in "PSA" if peer != self.host] if self.host == "P" else ["P"]

    def is_alive(self, peer: str, t: float) -> bool:
        """Return whether a peer's instance exists: at the primary for each, at the others for it."""
        primary = self.model.primary(t)
        return primary == self.host or primary == peer

    def wire(self, peer: str, t: float) -> int:
        """Return the bytes exchanged with a peer, as they leave the sender or reach the receiver."""
        link = self.model.link(peer if self.host == self.model.primary(t) else self.host)
        return link.wire.at(t if self.host == self.model.primary(t) else t - self.one_way(t))

    def one_way(self, t: float) -> float:
        return self.model.rtt["A" if self.host == "A" else "S"].at(t) / 2

    def message_bytes(self, peer: str) -> int:
        return MESSAGE_BYTES["A" if "A" in (self.host, peer) else "S"]

    def noisy(self, low: float, high: float) -> Callable[[float, float], int]:
        """Return counts that scatter between two rates."""
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

                def cell(before: float, now: float, peer=peer, draw=draw, alive=alive) -> float | None:
                    return draw(peer, before, now) / (now - before) if alive(peer, before, now) else None

                instance = f"{self.ag}:{self.names[peer]}"
                found.append(Series("SQLServer:Availability Replica", instance, counter, cell))
        return found

    def replica_deltas(self, peer: str) -> dict[str, Callable[[float, float], int]]:
        """Return the counters of one peer: log goes one way, acknowledgements the other."""
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
        """Return a transaction's wait for the synchronous replica: the way there, its disk, back."""
        disk = 38.0 if self.model.scenario == "commit_delay" else 0.9
        return (1.2 + disk) * (0.85 + 0.3 * self.chance.random()) + self.model.rtt["S"].at(now) * 1000

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
            return self.disk.transactions(database, now) - self.disk.transactions(database, before)

        def blocked(database: str, before: float, now: float) -> int:
            held = model.is_redo_blocked(host, database, now)
            return int((0.4 + 1.2 * self.chance.random()) * (now - before)) if held else 0

        add("Log Send Queue", lambda d, _b, now: model.send_queue(host, d, now) // 1024, rate=False)
        add("Recovery Queue", lambda d, _b, now: model.recovery_queue(host, d, now) // 1024, rate=False)
        add(
            "Log Bytes Received/sec",
            lambda d, b, now: max(0, model.log_received(host, d, now) - model.log_received(host, d, b)),
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
        """Return the bytes on the network card: the group's, with headers, and the clients'."""

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
                self.disk.flushed(name, now) - self.disk.flushed(name, before)
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
                lambda _b, now: self.disk.write_ms.at(now) / 1000,
            ),
            Series("PhysicalDisk", "0 C:", "Disk Write Bytes/sec", per_second(noisy(20_000, 160_000))),
            Series("PhysicalDisk", "1 L:", "Disk Write Bytes/sec", per_second(disk_bytes)),
            Series("Processor", "_Total", "% Processor Time", around(19 if busy else 6, 6 if busy else 3)),
            Series(
                "Memory", None, "Available MBytes", lambda _b, _n: 9_100 + chance.randrange(60), rate=False
            ),
            Series(
                "Process", "sqlservr", "% Processor Time", around(142 if busy else 38, 50 if busy else 20)
            ),
        ]
