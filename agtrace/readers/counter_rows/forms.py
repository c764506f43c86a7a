"""The layouts of rows with samples, each converted to columns of time, path, value and type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from agtrace.readers.query_results.columns import time_column
from agtrace.readers.query_results.layouts.table import Header, Records
from agtrace.readers.written_times import local_times
from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc

VIEW = ("object_name", "counter_name", "cntr_value")
SAMPLES = ("timestamp", "path", "cookedvalue")
READINGS = ("timestamp", "readings")
_DECIMAL_COMMA = r"^-?\d+,\d+(?:[eE][-+]?\d+)?$"
_NUMBER = r"^-?\d+(?:\.\d+)?(?:[eE][-+]?\d{1,3})?$"


@dataclass(frozen=True)
class Samples:
    """Samples in file order.

    Parameters
    ----------
    times
        Local times; NULL for texts that are not times.
    paths
        Counter paths.
    values
        Numbers; NaN for texts that are not numbers.
    types
        ``cntr_type`` as integers, -1 if unknown; None if the values are calculated ones.
    is_guess
        As in `agtrace.readers.written_times.Times`.
    """

    times: pa.Array
    paths: pa.Array
    values: np.ndarray
    types: np.ndarray | None
    is_guess: bool


def is_form(names: Sequence[str]) -> bool:
    """Return whether names of columns, as they compare, are those of samples."""
    there = set(names)
    is_view = there.issuperset(VIEW) and time_column(names) is not None
    return is_view or there.issuperset(SAMPLES) or there == set(READINGS)


def samples_of(header: Header, records: Records) -> Samples:
    """Return the samples of a table."""
    names = header.names
    columns = dict(zip(reversed(names), reversed(records.columns), strict=True))
    if set(VIEW) <= columns.keys():
        return _of_view(columns, records.columns[time_column(names) or 0])
    if set(SAMPLES) <= columns.keys():
        return _of_samples(columns)
    return _of_readings(columns)


def _of_view(columns: dict[str, pa.Array], written: pa.Array) -> Samples:
    times = local_times(written)
    parts = [pc.fill_null(columns[name], "") for name in ("object_name", "counter_name")]
    instance = pc.fill_null(columns.get("instance_name", pa.nulls(len(written), pa.string())), "")
    within = pc.if_else(pc.equal(instance, ""), "", pc.binary_join_element_wise("(", instance, ")", ""))
    paths = pc.binary_join_element_wise("\\", parts[0], within, "\\", parts[1], "")
    types = np.full(len(written), -1, np.int64)
    if "cntr_type" in columns:
        found = numbers_of(columns["cntr_type"])
        types = np.where(np.isnan(found), -1, found).astype(np.int64)
    return Samples(times.local, paths, numbers_of(columns["cntr_value"]), types, times.is_guess)


def _of_samples(columns: dict[str, pa.Array]) -> Samples:
    times = local_times(columns["timestamp"])
    values = numbers_of(columns["cookedvalue"])
    if "status" in columns:
        status = numbers_of(columns["status"])
        values = np.where(np.isnan(status) | (status == 0), values, np.nan)
    return Samples(times.local, pc.fill_null(columns["path"], ""), values, None, times.is_guess)


def _of_readings(columns: dict[str, pa.Array]) -> Samples:
    """Read the cells that hold the samples of a time: a path, a colon, and the value on the next line."""
    times = local_times(columns["timestamp"])
    parts = pc.split_pattern_regex(pc.fill_null(columns["readings"], ""), r"\s*:?\s*\n\s*")
    counts = pc.list_value_length(parts).to_numpy(zero_copy_only=False)
    is_paired = counts % 2 == 0
    parts, counts = parts.filter(pa.array(is_paired)), counts[is_paired]
    flat = pc.list_flatten(parts)
    rows = np.repeat(np.flatnonzero(is_paired), counts // 2)
    local = times.local.take(pa.array(rows)) if len(rows) else pa.array([], LOCAL_TIME)
    even = pa.array(np.arange(0, len(flat), 2))
    odd = pa.array(np.arange(1, len(flat), 2))
    return Samples(local, flat.take(even), numbers_of(flat.take(odd)), None, times.is_guess)


def numbers_of(texts: pa.Array) -> np.ndarray:
    """Convert texts to numbers, NaN for other texts; a decimal comma counts as a decimal point."""
    texts = pc.fill_null(texts, "")
    is_comma = pc.match_substring_regex(texts, _DECIMAL_COMMA)
    texts = pc.if_else(is_comma, pc.replace_substring(texts, ",", "."), texts)
    is_number = pc.match_substring_regex(texts, _NUMBER)
    values = pc.cast(pc.if_else(is_number, texts, pa.scalar(None, pa.string())), pa.float64())
    return pc.fill_null(values, float("nan")).to_numpy(zero_copy_only=False)
