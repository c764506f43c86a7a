"""What each host of the simulated case writes to its own log disk: SQLServer:Databases."""

from __future__ import annotations

from collections.abc import Callable

from simulation.samples.log_send_queue_model import DATABASES, LEAD, STEP, Curve, Model, Wave
from simulation.samples.log_send_queue_series import Series, growth, per_second

FLUSH_BYTES = {"JBDB": 4_100, "JBSDBDW": 52_000, "StackOverflow2010": 8_200}
"""Mean size of a log write."""
TRANSACTION_BYTES = {"JBDB": 2_600, "JBSDBDW": 48_000, "StackOverflow2010": 5_200}
"""Mean log of a transaction that writes."""
SLOW_WRITE_MS = {("A", "harden"): 92.0, ("S", "commit_delay"): 38.0}
"""How long a log write takes where the log disk is the slow hop."""


class LogDisk:
    """The log disk of one host (P, S or A)."""

    def __init__(self, model: Model, host: str) -> None:
        self.model = model
        self.host = host
        self.chance = model.noise(f"disk {host}")
        self.tempdb = self.tempdb_log()
        self.is_slow = (host, model.scenario) in SLOW_WRITE_MS
        middle = SLOW_WRITE_MS.get((host, model.scenario), 0.9)
        self.write_ms = Wave(model.noise(f"write ms {host}"), middle, middle * 0.2, 5.0)

    def tempdb_log(self) -> Curve:
        """Return the log of tempdb: not log of the group, and most while batches sort."""
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
        if self.is_slow:
            # Commits that wait for the disk gather into larger writes.
            return 60_000 if self.host == "A" else size * 4
        return size

    def flushed(self, database: str, t: float) -> int:
        return self.tempdb.at(t) if database == "tempdb" else self.model.log_flushed(self.host, database, t)

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
        """Return the milliseconds spent in log writes during the last second, at most all of it."""
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
                counter: str, of: Callable[[str, float], int], extra: int = 0, total=total, name=database
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
