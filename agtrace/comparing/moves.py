"""Failovers side by side: how many in how much time, and how long there was no primary."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np

from agtrace.comparing.numbers import judged
from agtrace.comparing.rows import LESS, MORE, OPEN, Row
from agtrace.comparing.sides import Pairing, Side, records
from agtrace.thresholds import Thresholds

CHANCE = 0.05
"""Changes that are more likely than this by chance are not differences."""


def of_failovers(before: Side, after: Side, pairing: Pairing, limits: Thresholds) -> list[Row]:
    """Compare the failovers of each group that the logs of both cases watched."""
    counted = [_counted(side, pairing, place) for place, side in enumerate((before, after))]
    watched = [_watched(side, pairing, place) for place, side in enumerate((before, after))]
    rows = []
    for ag in sorted({*watched[0], *watched[1]}):
        hours = watched[0].get(ag), watched[1].get(ag)
        moves = [side.get(ag, {}) for side in counted]
        numbers = [sum(len(own) for own in each.values()) for each in moves]
        if hours[0] is None or hours[1] is None:
            lacking = before.name if hours[0] is None else after.name
            if any(numbers):
                shown = [None if hour is None else n for n, hour in zip(numbers, hours, strict=True)]
                why = f"no log of {lacking} watched it"
                row = Row(ag, "failovers", shown[0], shown[1], unit="failovers", key="failovers")
                rows.append(replace(row, verdict=OPEN, why=why))
            continue
        rows.append(_number(ag, numbers, (hours[0], hours[1])))
        seconds = [[s for own in each.values() for s in own if s is not None] for each in moves]
        if seconds[0] and seconds[1]:
            medians = [float(np.median(each)) for each in seconds]
            n = len(seconds[0]), len(seconds[1])
            row = Row(
                ag,
                "time without a primary, median",
                medians[0],
                medians[1],
                unit="s",
                n=n,
                key="without_primary",
            )
            rows.append(judged(row, seconds[0], seconds[1], limits))
    return rows


def _number(ag: str, numbers: list[int], hours: tuple[float, float]) -> Row:
    watched = (("hours watched", *hours),)
    row = Row(ag, "failovers", numbers[0], numbers[1], unit="failovers", more=watched, key="failovers")
    if numbers[0] == numbers[1] == 0 or numbers[0] / hours[0] == numbers[1] / hours[1]:
        return row
    if by_chance(numbers[0], numbers[1], hours) > CHANCE:
        is_same = numbers[0] == numbers[1]
        return row if is_same else replace(row, verdict=OPEN, why="so few may differ by chance")
    rates = numbers[0] / hours[0], numbers[1] / hours[1]
    return replace(row, verdict=MORE if rates[1] > rates[0] else LESS)


def by_chance(first: int, second: int, hours: tuple[float, float]) -> float:
    """Return the probability of counts at least as uneven at equal rates (exact, conditional)."""
    n, share = first + second, hours[0] / (hours[0] + hours[1])
    likely = [comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
    return min(1.0, sum(each for each in likely if each <= likely[first] * (1 + 1e-9)))


def _counted(side: Side, pairing: Pairing, place: int) -> dict[str, dict[str, list[float | None]]]:
    found: dict[str, dict[str, list[float | None]]] = {}
    for row in records(side, "moves.sql"):
        seconds = [*(row["seconds"] or [])]
        seconds += [None] * (row["n"] - len(seconds))
        found.setdefault(pairing.group(row["ag"] or "", place), {})[row["mode"]] = seconds
    return found


def _watched(side: Side, pairing: Pairing, place: int) -> dict[str, float]:
    return {pairing.group(row["ag"], place): row["hours"] for row in records(side, "watched.sql")}
