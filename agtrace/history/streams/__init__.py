"""Streams of log from a primary to its replicas: who sent to whom and when, hop by hop, and what is known
beside them.

The relation has a row for each stream and database: first, last and mean values. What needs the series
themselves reads `agtrace.history.streams.collect`, whose links and chains hold them.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.tables.rows import table_of
from agtrace.tables.streams import STREAMS


def make(view: View) -> dict[str, pa.Table]:
    """Give the streams of all groups whose counters were captured."""
    from agtrace.history.streams.rows import stream_rows

    return {"streams": table_of(stream_rows(view), STREAMS)}


MAKER = Maker(("streams",), make, Sources(tables=("counters",)))
