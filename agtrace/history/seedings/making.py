"""Every seeding of a case, step by step: read parts, merge, pair, join, complete, assemble."""

from __future__ import annotations

import pyarrow as pa

from agtrace import thresholds
from agtrace.history.base import View
from agtrace.history.reference_clock import reference_clock
from agtrace.history.seedings import joining, pairing
from agtrace.history.seedings.assembly import Seedings
from agtrace.history.seedings.blaming import blame, failures_of
from agtrace.history.seedings.captured import gather
from agtrace.history.seedings.completing import complete
from agtrace.history.seedings.copies import copies_of, spans_of
from agtrace.history.seedings.exports import from_exports
from agtrace.history.seedings.merging import merge_requests
from agtrace.history.seedings.names import Hosts, Names
from agtrace.history.seedings.requests import from_events, from_traces
from agtrace.store.sql_files import beside
from agtrace.tables.rows import table_of
from agtrace.tables.seedings import SEEDING_STATES, SEEDINGS

_sql = beside(__file__)


def put_together(view: View) -> dict[str, pa.Table]:
    """Return the relations of seedings."""
    gather(view)
    clock, names, hosts = reference_clock(view), Names(view), Hosts(view)
    events, traced, spans = from_events(view), from_traces(view), spans_of(view)
    copies = copies_of(view, spans)
    exported = from_exports(view, names, [*events, *traced, *copies], spans)
    requests, copies = blame(merge_requests(events, exported, traced), copies, failures_of(view))
    pairs = pairing.pair_copies(copies, names, clock)
    copied = [pairing.with_counted_end(pair, spans, hosts, clock) for pair in pairs]
    asked = pairing.pair_requests(requests, names, clock)
    joined = complete(joining.join(asked, copied, names, clock), spans, clock)
    made = Seedings(joined, names, clock, hosts, thresholds.of(view))
    of_reports = zip(("ids", "roles", "numbers"), map(list, zip(*made.reports, strict=True)), strict=False)
    return {
        "seedings": table_of(made.rows, SEEDINGS),
        "seeding_states": table_of(made.states, SEEDING_STATES),
        "seeding_progress": view.table(
            _sql("progress.sql"), {"ids": [], "roles": [], "numbers": [], **dict(of_reports)}
        ),
    }
