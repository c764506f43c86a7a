"""The figure of the hops of distributed groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from agtrace.diagnostics.distributed.hops import Hop, known
from agtrace.history import View
from agtrace.history.streams import read_chain, read_streams
from agtrace.say.figures import Line, lines

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_LINES = 8
TITLE = "Log that waits to be sent, by hop"


def queues(view: View, hops: Sequence[Hop]) -> Figure:
    """Draw the send queue of each hop that perfmon saw, the one furthest behind first."""
    if not hops:
        return lines([], title=TITLE, unit="B")
    links = [link for link, _ in read_streams(view).links if link.secondary is not None]
    drawn = []
    for hop in sorted(hops, key=lambda hop: -known(hop.lag))[:MOST_LINES]:
        names = [row.database for row in hop.seen]
        for link in links:
            if (link.ag, link.primary_name, link.replica) != (hop.ag, hop.sender, hop.receiver):
                continue
            read = read_chain(link, names)
            if read.send_queue is not None:
                moments = (read.times * 1e6).round().astype("int64").astype("datetime64[us]")
                drawn.append(Line(hop.name, moments, np.asarray(read.send_queue.values)))
    return lines(drawn, title=TITLE, unit="B")
