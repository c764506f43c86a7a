"""Every seeding operation of a case, from whatever captures tell of it."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding import automatic, captured, physical
from agtrace.diagnostics.seeding.assembly import assemble
from agtrace.diagnostics.seeding.joining import join
from agtrace.diagnostics.seeding.names import Names
from agtrace.diagnostics.seeding.operation import Operation
from agtrace.diagnostics.seeding.pairing import pair_copies, pair_requests
from agtrace.diagnostics.seeding.script import script
from agtrace.diagnostics.seeding.skews import Skews


def load(view: View) -> list[Operation]:
    """Give every seeding operation in order of time.

    Parameters
    ----------
    view
        The opened case.

    Returns
    -------
    list of Operation
        Times in UTC. Ends that only one host shows are given with that side alone; what could
        belong to several is left apart and says so in ``unjoined``.
    """
    captured.gather(view)
    requests = automatic.requests(view)
    copies = physical.copies(view)
    names, skews = Names(view), Skews(view)
    joined = join(
        pair_requests(requests, names, skews), pair_copies(copies, names, skews), names, skews
    )
    restarts: dict[str, list[datetime]] = defaultdict(list)
    for row in view.table(script("restarts.sql")).to_pylist():
        restarts[row["host_id"]].append(row["time"])
    return assemble(joined, names, skews, restarts)
