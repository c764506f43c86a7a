"""One perfmon counter of the simulated case, and the rows that a collector makes of many.

A rate is the difference of a whole-number total over the time since the row before, as perfmon
cooks it, so that rate times interval gives the total back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

INTERVAL_MS = 5000

Cook = Callable[[float, float], float | None]
"""Return the cell of a row at a time, when the row before was at an earlier one; None is blank."""


@dataclass(frozen=True)
class Series:
    """One counter: ``rate`` ones have no value in the first row."""

    object: str
    instance: str | None
    counter: str
    cook: Cook
    rate: bool = True

    def path(self, machine: str) -> str:
        """Return the counter path as perfmon writes it."""
        where = f"({self.instance})" if self.instance is not None else ""
        return f"\\\\{machine}\\{self.object}{where}\\{self.counter}"


def per_second(delta: Callable[[float, float], int]) -> Cook:
    """Cook a difference into a rate."""
    return lambda before, now: delta(before, now) / (now - before)


def growth(total: Callable[[float], int]) -> Callable[[float, float], int]:
    """Return the differences of a running total."""
    return lambda before, now: total(now) - total(before)


def sample_times(chance: random.Random, first_ms: int, last_ms: int) -> list[int]:
    """Return when perfmon takes its rows, in milliseconds: each 5 s, 1 to 40 ms late."""
    return [due + chance.randint(1, 40) for due in range(first_ms, last_ms + 1, INTERVAL_MS)]


def table(
    series: list[Series], machine: str, times_ms: list[int]
) -> tuple[list[str], list[list[float | None]]]:
    """Return the counter paths and the cells of each row; None if perfmon leaves a blank."""
    rows: list[list[float | None]] = []
    for number, now_ms in enumerate(times_ms):
        now, before = now_ms / 1000, times_ms[number - 1] / 1000 if number else None
        rows.append(
            [
                None if one.rate and before is None else one.cook(now if before is None else before, now)
                for one in series
            ]
        )
    return [one.path(machine) for one in series], rows
