"""Columns of times as tools and cultures write them, as local times of Arrow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa

from agtrace.tables import LOCAL_TIME
from agtrace.tables import kernels as pc

_CLOCK = (
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d)(?:[.,](?P<fraction>\d{1,9}))?)?"
    "[\\s\u202f\u00a0]?(?P<half>[AaPp]?)\\.?[Mm]?\\.?(?:Z|[ ]?[+-]\\d\\d:?\\d\\d)?"
)
_ISO = rf"^(?P<year>\d{{4}})[-/.](?P<first>\d{{1,2}})[-/.](?P<other>\d{{1,2}})(?:[T,]|[ ]){{1,3}}{_CLOCK}$"
_CULTURE = (
    rf"^(?P<first>\d{{1,2}})(?P<mark>[/.\-])(?P<other>\d{{1,2}})[/.\-](?P<year>\d{{4}}),?[ ]{{1,3}}{_CLOCK}$"
)


class Times(NamedTuple):
    """Times of a column.

    Parameters
    ----------
    local
        The local times; NULL where a text is no time.
    is_guess
        Whether nothing tells day from month, and the month was taken to come first.
    """

    local: pa.Array
    is_guess: bool


def local_times(texts: pa.Array) -> Times:
    """Compute the local times of a column of text.

    A number over 12 tells the order of day and month, and so does a dot between them, which only
    cultures with the day in front write; else the month comes first, as PowerShell writes it.
    """
    found = pc.extract_regex(texts, pattern=_ISO)
    times = _times(found, "first", "other")
    culture = pc.extract_regex(texts, pattern=_CULTURE)
    is_culture = pc.is_valid(culture)
    if not pc.any(is_culture).as_py():
        return Times(times, is_guess=False)
    first, other = _ints(culture, "first"), _ints(culture, "other")
    is_day_first = bool((first > 12).any()) or pc.any(pc.equal(pc.struct_field(culture, "mark"), ".")).as_py()
    is_month_first = bool((other > 12).any())
    # Times that tell different orders tell none.
    if is_day_first and is_month_first:
        return Times(times, is_guess=False)
    names = ("other", "first") if is_day_first else ("first", "other")
    local = pc.if_else(is_culture, _times(culture, *names), times)
    return Times(local, is_guess=not (is_day_first or is_month_first))


def _ints(found: pa.Array, name: str) -> np.ndarray:
    digits = pc.fill_null(pc.struct_field(found, name), "0")
    digits = pc.if_else(pc.equal(digits, ""), "0", digits)
    return pc.cast(digits, pa.int64()).to_numpy(zero_copy_only=False)


def _times(found: pa.Array, month_name: str, day_name: str) -> pa.Array:
    year, month, day = (_ints(found, name) for name in ("year", month_name, day_name))
    hour, minute, second = (_ints(found, name) for name in ("hour", "minute", "second"))
    fraction = pc.utf8_slice_codeunits(
        pc.utf8_rpad(pc.fill_null(pc.struct_field(found, "fraction"), ""), 6, "0"), 0, 6
    )
    micros = pc.cast(fraction, pa.int64()).to_numpy(zero_copy_only=False)
    half = pc.utf8_lower(pc.fill_null(pc.struct_field(found, "half"), "")).to_numpy(zero_copy_only=False)
    hour = np.where((half == "p") & (hour < 12), hour + 12, np.where((half == "a") & (hour == 12), 0, hour))
    is_date = (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= 31)
    is_clock = (hour < 24) & (minute < 60) & (second < 60)
    months = (np.where(is_date, year, 1970) - 1970) * 12 + np.where(is_date, month, 1) - 1
    begin = months.astype("datetime64[M]")
    days = begin.astype("datetime64[D]") + np.where(is_date, day, 1) - 1
    is_date &= days.astype("datetime64[M]") == begin
    seconds = (hour * 60 + minute) * 60 + second
    moments = days.astype("datetime64[us]") + (np.where(is_clock, seconds, 0) * 1_000_000 + micros)
    is_valid = is_date & is_clock & pc.is_valid(found).to_numpy(zero_copy_only=False)
    return pa.array(moments, LOCAL_TIME, mask=~is_valid)
