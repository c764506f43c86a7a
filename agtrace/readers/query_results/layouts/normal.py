"""One form for the values that tools write in their own: truth values, and times in a culture's order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa

from agtrace.readers.query_results.layouts.table import Notice, Table
from agtrace.readers.query_results.seeding.columns import topics_of
from agtrace.readers.written_times import local_times
from agtrace.tables import kernels as pc

_TRUTH = {"True": "1", "False": "0"}
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d(?:[.,]\d{1,9})?)?(?:\s?[AaPp]\.?[Mm]\.?)?"
_CULTURE = rf"^\d{{1,2}}[/.\-]\d{{1,2}}[/.\-]\d{{4}},? {{1,2}}{_CLOCK}$"
_ISO = r"^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d{1,9})?)$"
_GUESS = "nothing tells day from month in the times: the month is taken to come first"


def normal(table: Table) -> Table:
    """Return a table with 1 and 0 for True and False, and its times as SQL Server shows them."""
    header, records = table
    if not len(records.lines):
        return table
    columns = list(map(_with_bits, records.columns))
    if topics_of(header.names):
        # The facts of the seeding DMVs tell what a spreadsheet shortened, and leave it out.
        return header, replace(records, columns=columns)
    in_culture = [place for place, column in enumerate(columns) if _has(column, _CULTURE)]
    notices = records.notices
    if in_culture:
        # Any time of the table may tell the order of day and month.
        times = local_times(pa.concat_arrays([columns[place] for place in in_culture]))
        if times.is_guess:
            notices = [*notices, Notice("time_order_unknown", _GUESS, int(records.lines[0]))]
        for number, place in enumerate(in_culture):
            local = times.local.slice(number * len(records.lines), len(records.lines))
            columns[place] = pc.coalesce(_written(local), columns[place])
    for place, column in enumerate(columns):
        if _has(column, _ISO):
            columns[place] = pc.replace_substring_regex(column, _ISO, r"\1 \2")
    return header, replace(records, columns=columns, notices=notices)


def _with_bits(column: pa.Array) -> pa.Array:
    # The last value may be cut.
    values = column.slice(0, max(len(column) - 1, 1)).drop_null()
    if not len(values) or not pc.all(pc.is_in(values, pa.array(list(_TRUTH)))).as_py():
        return column
    codes = pc.index_in(column, pa.array(list(_TRUTH)))
    return pc.coalesce(pa.array(list(_TRUTH.values())).take(codes), column)


def _has(column: pa.Array, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(column, pattern)).as_py())


def _written(local: pa.Array) -> pa.Array:
    """Return times with as many digits of a second as they have."""
    micros = local.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)
    text = pc.utf8_slice_codeunits(pc.strftime(local, format="%Y-%m-%d %H:%M:%S"), 0, 26)
    whole = pa.array(micros % 1_000_000 == 0)
    if bool(np.all(micros % 1_000_000 == 0)):
        return pc.utf8_slice_codeunits(text, 0, 19)
    return pc.if_else(whole, pc.utf8_slice_codeunits(text, 0, 19), text)
