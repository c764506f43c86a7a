"""Records of ``sys.dm_os_ring_buffers``: what the instance noted of itself, availability groups among it.

A record is XML whose leaves differ by the type of the buffer; they are taken under their own names.
Source: Microsoft, "Use ring buffers to obtain health information about Always On availability groups".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from xml.sax.saxutils import unescape

from agtrace.moments import iso
from agtrace.readers.query_results.row import Row
from agtrace.readers.query_results.topics import RING_BUFFER

_LEAF = re.compile(r"<(?P<key>[A-Za-z]\w{0,59})>(?P<value>[^<>]{1,400})</(?P=key)>")
_STACK = "frame"
"""Addresses of the code, for the debugger."""
MAX_LEAVES = 40
COLUMNS = frozenset({"ring_buffer_type", "record"})


def said(row: Row, item: int) -> Iterator[tuple[str, int, str, str | None]]:
    """Yield the type of a record, and its leaves."""
    kind = (row.get("ring_buffer_type") or "").strip()
    if not kind:
        return
    yield RING_BUFFER, item, "type", kind
    leaves = 0
    for leaf in _LEAF.finditer(row.get("record") or ""):
        if leaf["key"] != _STACK and leaves < MAX_LEAVES:
            leaves += 1
            yield RING_BUFFER, item, leaf["key"], unescape(leaf["value"].strip())


def moment(row: Row) -> datetime | None:
    """Return when a record was written: from the query, or by its ticks against the snapshot's."""
    if written := _time(row.get("ring_buffer_record_time")):
        return written
    look = _time(row.get("data_collection_runtime")) or row.time_local
    ticks = [row.get(name) or "" for name in ("cur_timestamp", "record_timestamp")]
    if look is None or not all(re.fullmatch(r"\d{1,15}", each) for each in ticks):
        return None
    try:
        return look - timedelta(milliseconds=int(ticks[0]) - int(ticks[1]))
    except OverflowError:
        return None


def _time(text: str | None) -> datetime | None:
    time = iso((text or "").strip())
    return time.replace(tzinfo=None) if time else None
