"""Streams of log from a primary to its replicas: sender, receiver and time, hop by hop, with related facts.

The relation has a row for each stream and database: first, last and mean values. The series themselves are in
the links and chains of `agtrace.history.streams.collect`.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.streams.bounds import RULE, SEGMENT, Bounds
from agtrace.history.streams.byte_units import ASYNCHRONOUS, LOG, SYNCHRONOUS, UNKNOWN, WIRE, Counted
from agtrace.history.streams.chain import Chain, Series, Stream, databases_of, read_chain, read_stream
from agtrace.history.streams.collect import read_streams
from agtrace.history.streams.commit_modes import Mode
from agtrace.history.streams.database_looks import Look, State, is_between
from agtrace.history.streams.gate_waits import GateWait
from agtrace.history.streams.known import Sending, StreamFacts
from agtrace.history.streams.links import Link
from agtrace.history.streams.loss import INTEGRAL, Loss, RedoTime, estimate_loss, redo_time
from agtrace.history.streams.meeting import LEAST_CELLS, Apart, Shift
from agtrace.history.streams.network_facts import OFF, UNSCALED_WINDOW, Facts, Handshake
from agtrace.history.streams.parts import BEHIND, FINE, IDLE, SUSPENDED, TOO_FEW, TOO_SHORT, Part
from agtrace.history.streams.paths import USUAL, Path, Settings, network_settings, read_paths
from agtrace.tables.rows import table_of
from agtrace.tables.streams import STREAMS

__all__ = [
    "ASYNCHRONOUS",
    "BEHIND",
    "FINE",
    "IDLE",
    "INTEGRAL",
    "LEAST_CELLS",
    "LOG",
    "MAKER",
    "OFF",
    "RULE",
    "SEGMENT",
    "SUSPENDED",
    "SYNCHRONOUS",
    "TOO_FEW",
    "TOO_SHORT",
    "UNKNOWN",
    "UNSCALED_WINDOW",
    "USUAL",
    "WIRE",
    "Apart",
    "Bounds",
    "Chain",
    "Counted",
    "Facts",
    "GateWait",
    "Handshake",
    "Link",
    "Look",
    "Loss",
    "Mode",
    "Part",
    "Path",
    "RedoTime",
    "Sending",
    "Series",
    "Settings",
    "Shift",
    "State",
    "Stream",
    "StreamFacts",
    "databases_of",
    "estimate_loss",
    "is_between",
    "network_settings",
    "read_chain",
    "read_paths",
    "read_stream",
    "read_streams",
    "redo_time",
]


def make(view: View) -> dict[str, pa.Table]:
    """Return the streams of all groups whose counters were captured."""
    from agtrace.history.streams.rows import stream_rows

    return {"streams": table_of(stream_rows(view), STREAMS)}


MAKER = Maker(("streams",), make, Sources(tables=("counters",)))
