"""Samples by series and time: numbered, sorted, and calculated from raw values if necessary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from agtrace.readers.counter_rows.forms import Samples
from agtrace.readers.linux_counters.cooking import AVERAGES, BASES, COUNTS, FRACTIONS, RATES, TYPES

MOSTLY = 0.95
"""A figure that falls less often than this is cumulative, and was reset when it fell."""


@dataclass(frozen=True)
class Series:
    """Samples sorted by series and tick.

    Parameters
    ----------
    paths
        The path of each series.
    types
        Its counter type, as winperf.h calls it; None where values were cooked before.
    ticks
        The local time of each tick, ascending.
    counter_no, tick, values
        The samples.
    bad
        Rows whose time or value cannot be read.
    unknown
        Rows of counter types that are not known.
    """

    paths: list[str]
    types: list[str | None]
    ticks: np.ndarray
    counter_no: np.ndarray
    tick: np.ndarray
    values: np.ndarray
    bad: int
    unknown: int


def series_of(samples: Samples, is_wanted: re.Pattern[str] | None) -> Series:
    """Return the samples of the series that are wanted; the first of two at one time counts."""
    has_time = samples.times.is_valid().to_numpy(zero_copy_only=False)
    is_good = has_time & ~np.isnan(samples.values) & _is_path(samples.paths)
    bad = int((~is_good).sum())
    good = pa.array(np.flatnonzero(is_good))
    encoded = samples.paths.take(good).dictionary_encode()
    paths = [str(path) for path in encoded.dictionary.to_pylist()]
    numbers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    times = samples.times.take(good).to_numpy(zero_copy_only=False)
    ticks, tick = np.unique(times, return_inverse=True)
    keys = numbers * max(len(ticks), 1) + tick
    keys, first = np.unique(keys, return_index=True)
    values = samples.values[is_good][first]
    numbers, tick = keys // max(len(ticks), 1), keys % max(len(ticks), 1)
    unknown = 0
    names: list[str | None] = [None] * len(paths)
    keep = np.ones(len(keys), bool)
    if samples.types is not None:
        kinds = _kinds(samples.types[is_good][first], numbers, paths, values)
        keep, values, unknown = _cooked(keys, numbers, ticks, tick, values, kinds, paths)
        names = [TYPES.get(int(kind)) for kind in kinds]
    if is_wanted is not None:
        matches = np.array([is_wanted.match(path.casefold()) is not None for path in paths], bool)
        keep &= matches[numbers]
    return Series(paths, names, ticks, numbers[keep], tick[keep], values[keep], bad, unknown)


def _is_path(paths: pa.Array) -> np.ndarray:
    from agtrace.tables import kernels as pc

    is_path = pc.match_substring_regex(paths, r"^\\.*[^\\]\\[^\\]")
    found: np.ndarray = pc.fill_null(is_path, False).to_numpy(zero_copy_only=False)
    return found


def _kinds(types: np.ndarray, numbers: np.ndarray, paths: Sequence[str], values: np.ndarray) -> np.ndarray:
    """Return the counter type of each series; by its name and values where the rows do not hold it."""
    kinds = np.full(len(paths), -1, np.int64)
    kinds[numbers[::-1]] = types[::-1]
    begins = np.searchsorted(numbers, np.arange(len(paths) + 1))
    for number in np.flatnonzero(kinds == -1).tolist():
        name = paths[number].rpartition("\\")[2].lower()
        if re.search(r"\bratio\b|\bavg\b|\baverage\b|\bbase$", name):
            continue
        own = values[begins[number] : begins[number + 1]]
        is_cumulative = len(own) > 1 and (np.diff(own) >= 0).mean() >= MOSTLY
        is_rate = name.endswith(("/sec", "/sec)")) and is_cumulative
        kinds[number] = next(iter(RATES if is_rate else COUNTS))
    return kinds


def _cooked(
    keys: np.ndarray,
    numbers: np.ndarray,
    ticks: np.ndarray,
    tick: np.ndarray,
    values: np.ndarray,
    kinds: np.ndarray,
    paths: Sequence[str],
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return which samples are shown, their values, and how many are of unknown types."""
    kind = kinds[numbers]
    before = np.arange(len(keys)) - 1
    has_before = np.concatenate([[False], numbers[1:] == numbers[:-1]])[: len(keys)]
    change = np.where(has_before, values - values[before], np.nan)
    seconds = (ticks[tick] - ticks[tick[before]]).astype("timedelta64[us]").astype(np.int64) / 1e6
    base = _bases(keys, numbers, tick, values, kinds, paths, len(ticks))
    of_base = np.where(has_before, base - base[before], np.nan)
    shown = np.full(len(keys), np.nan)
    is_count, is_rate = np.isin(kind, list(COUNTS)), np.isin(kind, list(RATES))
    shown[is_count] = values[is_count]
    is_rate &= has_before & (change >= 0)
    shown[is_rate] = change[is_rate] / seconds[is_rate]
    is_fraction = np.isin(kind, list(FRACTIONS)) & ~np.isnan(base)
    shown[is_fraction] = np.where(
        base[is_fraction] != 0, 100.0 * values[is_fraction] / _divisor(base[is_fraction]), 0.0
    )
    is_average = np.isin(kind, list(AVERAGES)) & (change >= 0) & (of_base >= 0)
    shown[is_average] = np.where(
        of_base[is_average] != 0, change[is_average] / _divisor(of_base[is_average]), 0.0
    )
    is_known = np.isin(kind, [*TYPES, *BASES])
    return ~np.isnan(shown), shown, int((~is_known).sum())


def _divisor(values: np.ndarray) -> np.ndarray:
    return np.where(values != 0, values, 1.0)


def _bases(
    keys: np.ndarray,
    numbers: np.ndarray,
    tick: np.ndarray,
    values: np.ndarray,
    kinds: np.ndarray,
    paths: Sequence[str],
    count: int,
) -> np.ndarray:
    """Return the base of each sample at its time: the counter of the same instance with its name."""
    own_base = np.full(len(paths), -1, np.int64)
    bases: dict[str, list[tuple[str, int]]] = {}
    for number in np.flatnonzero(np.isin(kinds, list(BASES))).tolist():
        group, _, name = paths[number].rpartition("\\")
        bases.setdefault(group, []).append((name.lower(), number))
    for number in np.flatnonzero(np.isin(kinds, [*FRACTIONS, *AVERAGES])).tolist():
        group, _, name = paths[number].rpartition("\\")
        stem = re.sub(r"\s*\(ms\)$", "", name.lower())
        found = [at for base, at in bases.get(group, []) if base.startswith(stem)]
        own_base[number] = found[0] if len(found) == 1 else -1
    result = np.full(len(keys), np.nan)
    has_base = np.flatnonzero(own_base[numbers] >= 0)
    wanted = own_base[numbers[has_base]] * max(count, 1) + tick[has_base]
    places = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    is_found = keys[places] == wanted if len(wanted) else np.zeros(0, bool)
    result[has_base[is_found]] = values[places[is_found]]
    return result
