"""Rows of the messages table, and what is worked out from the text of some of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from agtrace.readers.errorlog.fields import Columns, constant, fields_map
from agtrace.readers.errorlog.match import Found
from agtrace.tables import MESSAGES
from agtrace.tables import kernels as pc
from agtrace.tables.rows import array_from, scalar_of


def message_rows(batch: pa.RecordBatch, found: Found) -> pa.RecordBatch:
    """Return rows of the messages table for messages found in a batch of the errorlog table."""
    entry, rows = found.pattern.entry, len(found.rows)
    columns = dict(found.columns)
    for name, value in entry.says.items():
        columns[name] = constant(value, rows)
    refine = _REFINE.get(entry.topic)
    if refine is not None:
        columns = refine(columns)
    at = array_from(found.rows, pa.int64())
    number = getattr(entry, "id", None)
    return pa.RecordBatch.from_arrays(
        [
            batch["line"].take(at),
            batch["time_local"].take(at),
            batch["source"].take(at),
            constant(entry.topic, rows),
            batch["error"].take(at)
            if number is None
            else array_from(np.full(rows, number, np.int32), pa.int32()),
            constant(found.pattern.language, rows),
            fields_map(columns, rows),
        ],
        schema=MESSAGES,
    )


def _backup(columns: Columns) -> Columns:
    """Take the device information apart; join date and time of the database's creation."""
    time = pc.replace_substring(columns.pop("creation_time"), ")", "")
    date = pc.replace_substring(columns["creation_date"], "/", "-")
    columns["creation_date"] = pc.binary_join_element_wise(date, time, scalar_of(" ", pa.string()))
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


def trace_messages(rows: pa.RecordBatch) -> pa.RecordBatch:
    """Return rows of the trace-text parser as rows of the messages table; the text is always English."""
    number = pa.nulls(rows.num_rows, pa.int32())
    language = constant("en", rows.num_rows)
    return pa.RecordBatch.from_arrays([*rows.columns[:4], number, language, rows["fields"]], schema=MESSAGES)
