"""Entries of a cluster log to rows.

``00001a2c.000020b8::2026/02/28-22:10:41.004 ERR   [RES] SQL Server Availability Group <AG1>: ...``:
process and thread (hexadecimal), time, level, then the text; sections with events of a channel have
``[System] `` in front; copies made with a search tool number their lines. Source: output of
Get-ClusterLog, Windows Server 2016 and later.
"""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa
from xelib.entries import Slab

from agtrace.readers.line_entries import numbers, texts
from agtrace.tables import CLUSTER_LOG, LOCAL_TIME
from agtrace.tables import kernels as pc


class Section(NamedTuple):
    """A title ``[=== Cluster ===]``."""

    name: str
    line: int
    rows_before: int
    """How many rows of the same piece of the log stand in front of it."""


def decode(slab: Slab, numbered: bytes) -> pa.RecordBatch:
    """Return the rows of a slab; time_written and time_local are equal.

    Parameters
    ----------
    numbered
        Bitmap of the rows whose lines a search tool has numbered.
    """
    written = numbers(slab, "time", LOCAL_TIME)
    names = ("section", "channel", "level", "component", "resource", "text")
    columns = {
        "line": numbers(slab, "line"),
        "process_id": numbers(slab, "process"),
        "thread_id": numbers(slab, "thread"),
        **{name: texts(slab, name) for name in names},
        "time_written": written,
        "time_local": written,
    }
    if any(numbered):
        is_numbered = pa.Array.from_buffers(pa.bool_(), slab.rows, [None, pa.py_buffer(numbered)])
        columns["text"] = _without_numbers(columns["text"], is_numbered)
    arrays = [columns[name] for name in CLUSTER_LOG.names]
    return pa.RecordBatch.from_arrays(arrays, schema=CLUSTER_LOG)


def _without_numbers(text: pa.Array, is_numbered: pa.Array) -> pa.Array:
    """Take the line numbers of a search tool off the continuation lines, too."""
    plain = pc.replace_substring_regex(text, r"\n[ \t]*\d+(?: |$|\n)", "\n")
    return pc.if_else(is_numbered, pc.utf8_rtrim(plain, "\n"), text)
