"""Rows of the messages table, and what is worked out from the text of some of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.errorlog.match import Found
from agtrace.tables import FIELDS, MESSAGES

Columns = dict[str, pa.Array]


def fields_map(columns: Columns, rows: int) -> pa.MapArray:
    """Turn a column per field into one map per row; empty and missing values are left out."""
    names = list(columns)
    if not names or not rows:
        return pa.MapArray.from_arrays(
            pa.array(np.zeros(rows + 1, np.int32)),
            pa.array([], pa.string()),
            pa.array([], pa.string()),
        ).cast(FIELDS)
    order = pa.array(np.arange(rows * len(names)).reshape(len(names), rows).T.ravel())
    items = pa.concat_arrays([column.cast(pa.string()) for column in columns.values()]).take(order)
    keys = pa.array(names).take(pa.array(np.tile(np.arange(len(names)), rows)))
    present = pc.fill_null(pc.not_equal(items, ""), False)
    counts = present.to_numpy(zero_copy_only=False).reshape(rows, len(names)).sum(axis=1)
    offsets = np.zeros(rows + 1, np.int32)
    np.cumsum(counts, out=offsets[1:])
    return pa.MapArray.from_arrays(pa.array(offsets), keys.filter(present), items.filter(present))


def message_rows(batch: pa.RecordBatch, found: Found) -> pa.RecordBatch:
    """Give rows of the messages table for messages found in a batch of the errorlog table."""
    entry, rows = found.pattern.entry, len(found.rows)
    columns = dict(found.columns)
    for name, value in entry.says.items():
        columns[name] = constant(value, rows)
    refine = _REFINE.get(entry.topic)
    if refine is not None:
        columns = refine(columns)
    at = pa.array(found.rows)
    number = getattr(entry, "id", None)
    return pa.RecordBatch.from_arrays(
        [
            batch["line"].take(at),
            batch["time_local"].take(at),
            batch["source"].take(at),
            constant(entry.topic, rows),
            batch["error"].take(at)
            if number is None
            else pa.array(np.full(rows, number, np.int32)),
            constant(found.pattern.language, rows),
            fields_map(columns, rows),
        ],
        schema=MESSAGES,
    )


def constant(text: str, rows: int) -> pa.Array:
    """Give a column that says the same in every row."""
    return pa.array([text]).take(pa.array(np.zeros(rows, np.int32)))


def _backup(columns: Columns) -> Columns:
    """Take the device information apart; join date and time of the database's creation."""
    time = pc.replace_substring(columns.pop("creation_time"), ")", "")
    date = pc.replace_substring(columns["creation_date"], "/", "-")
    columns["creation_date"] = pc.binary_join_element_wise(date, time, " ")
    about = columns.pop("device_info")
    parts = pc.extract_regex(
        about, r"(?s)^(?:FILE=(?P<file>\d+), )?TYPE=(?P<type>\w+).*?: \{(?P<devices>.*?)\}?$"
    )
    columns["backup_file_number"] = parts.field("file")
    columns["device_type"] = parts.field("type")
    quote = "['\"‘’“”]"
    names = pc.replace_substring_regex(parts.field("devices"), rf"^\s*{quote}|{quote}\s*$", "")
    columns["device_names"] = pc.replace_substring_regex(names, rf"{quote},\s*{quote}", "|")
    return columns


def _rate(columns: Columns) -> Columns:
    """Decimals are written with a point or a comma, by language."""
    seconds = columns.pop("rate_seconds")
    columns["seconds"] = pc.replace_substring(seconds, ",", ".")
    columns["mb_per_s"] = pc.replace_substring(columns["mb_per_s"], ",", ".")
    columns["operation"] = pc.utf8_lower(
        pc.extract_regex(columns["statement"], r"^(?P<word>[A-Z]+)").field("word")
    )
    return columns


_REFINE: dict[str, Callable[[Columns], Columns]] = {
    "backup": _backup,
    "restore": _backup,
    "backup_rate": _rate,
}
