"""Every seeding of a case, step by step: collect, merge, pair, join, complete, assemble."""

from __future__ import annotations

from agtrace import thresholds
from agtrace.history.base import View
from agtrace.history.seedings.collect import automatic, captured, logged, physical
from agtrace.history.seedings.collect.exported import exports
from agtrace.history.seedings.collect.measured import spans
from agtrace.history.seedings.collect.names import names
from agtrace.history.seedings.collect.servers import servers
from agtrace.history.seedings.collect.skews import skews
from agtrace.history.seedings.combine.assembly import assemble
from agtrace.history.seedings.combine.blaming import blame
from agtrace.history.seedings.combine.exports import names_of, requests_of
from agtrace.history.seedings.combine.finishing import complete
from agtrace.history.seedings.combine.joining import join
from agtrace.history.seedings.combine.merging import measure_copies, merge_copies, merge_requests
from agtrace.history.seedings.combine.pairing import pair_copies, pair_requests, with_counted_ends
from agtrace.history.seedings.operation import Operation


def operations(view: View) -> list[Operation]:
    """Put every seeding together, in order of time.

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
    reported, written = physical.copies(view), logged.copies(view)
    traced, events = logged.requests(view), automatic.requests(view)
    counted, listed, failures = spans(view), exports(view), logged.failures(view)
    clocks, hosts, said = skews(view), servers(view), names(view)

    copies = measure_copies(merge_copies(reported, written), counted)
    said = names_of(listed, said)
    exported = requests_of(listed, [*events, *traced], copies, counted)
    requests, copies = blame(merge_requests(events, exported, traced), copies, failures)

    copied = with_counted_ends(pair_copies(copies, said, clocks), counted, hosts.logged, clocks)
    asked, said = pair_requests(requests, said, clocks)

    joined, said = join(asked, copied, said, clocks)
    return assemble(complete(joined, counted, clocks), said, clocks, hosts, thresholds.of(view))
