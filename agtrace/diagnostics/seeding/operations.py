"""Every seeding operation of a case, from whatever captures tell of it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import datetime

from agtrace.diagnostics.base import View
from agtrace.diagnostics.seeding import automatic, captured, exported, logged, measured, physical
from agtrace.diagnostics.seeding.assembly import assemble
from agtrace.diagnostics.seeding.finishing import finish
from agtrace.diagnostics.seeding.joining import Joined, join
from agtrace.diagnostics.seeding.merging import merge_copies, merge_requests
from agtrace.diagnostics.seeding.names import Names
from agtrace.diagnostics.seeding.operation import (
    ERRORLOG,
    PERFMON,
    SOURCE,
    TARGET,
    Operation,
    Side,
)
from agtrace.diagnostics.seeding.outcomes import Restarts
from agtrace.diagnostics.seeding.pairing import pair_copies, pair_requests
from agtrace.diagnostics.seeding.script import script
from agtrace.diagnostics.seeding.skews import Skews
from agtrace.measure.base import once_per_case


@once_per_case
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
    copies = physical.copies(view)
    names, skews = Names(view), Skews(view)
    active = measured.spans(view)
    copies = merge_copies(copies, logged.copies(view))
    measured.complete(copies, active)
    events, traces = automatic.requests(view), logged.requests(view)
    exports = exported.requests(view, names, [*events, *traces], copies, measured.known(active))
    requests = merge_requests(events, exports, traces)
    logged.add_failures(view, requests, copies)
    pairs = pair_copies(copies, names, skews)
    measured.add_other_ends(pairs, active, _logs(view), skews)
    joined = join(pair_requests(requests, names, skews), pairs, names, skews)
    measured.add_copies(joined, active, skews)
    for each in joined:
        finish(each)
    seedings = [each for each in joined if _is_seeding(each)]
    sampled = _sampled(view)
    found = assemble(seedings, names, skews, _restarts(view))
    return [_with_named_end(each, names, sampled) for each in found]


def _with_named_end(operation: Operation, names: Names, sampled: set[str]) -> Operation:
    """Give an operation that one end tells of the other one, where that host's perfmon was captured.

    The end that was seen names the other machine; what that did meanwhile is in its counters.
    """
    if len(operation.sides) != 1 or not operation.sides[0].remote:
        return operation
    (seen,) = operation.sides
    host = names.host(seen.remote or "")
    if host not in sampled or host == seen.host:
        return operation
    if seen.role == SOURCE:
        return replace(operation, target=Side(TARGET, host))
    return replace(operation, source=Side(SOURCE, host))


def _sampled(view: View) -> set[str]:
    rows = view.table("select distinct host_id from counters where host_id is not null").to_pylist()
    return {row["host_id"] for row in rows}


def _is_seeding(joined: Joined) -> bool:
    """Tell a seeding from a backup or restore of another tool: one ERRORLOG alone tells neither."""
    if joined.request is not None:
        return True
    ends = [end for pair in joined.copies for end in pair.ends]
    return len(ends) > 1 or any(end.told_by - {ERRORLOG, PERFMON} for end in ends)


def _logs(view: View) -> set[str]:
    rows = view.table("select distinct host_id from messages where host_id is not null").to_pylist()
    return {row["host_id"] for row in rows}


def _restarts(view: View) -> Restarts:
    restarts: dict[str, list[datetime]] = defaultdict(list)
    for row in view.table(script("restarts.sql")).to_pylist():
        restarts[row["host_id"]].append(row["time"])
    return restarts
