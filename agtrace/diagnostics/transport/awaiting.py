"""The replicas that commits wait for, and their queued log."""

from __future__ import annotations

from agtrace.diagnostics.transport.commit import CommitDelay
from agtrace.diagnostics.transport.study import Study
from agtrace.history.streams import SYNCHRONOUS, Link, Mode


def modes(study: Study, delay: CommitDelay) -> dict[str, Mode]:
    """Return the known commit modes of the replicas that a commit may wait for."""
    known = {}
    for link in (studied.link for studied in study.links):
        if link.group is delay.group and link.primary is delay.primary:
            mode = study.known.modes.of(link, study.limits)
            if mode is not None and link.primary_rows == delay.rows:
                known[link.replica] = mode
    return known


def queued(study: Study, delay: CommitDelay) -> dict[str, float]:
    """Return the log that waits for synchronous replicas to which it is sent too slowly, bytes."""
    known = modes(study, delay)
    found: dict[str, float] = {}
    for studied in study.links:
        mode, link = known.get(studied.link.replica), studied.link
        if mode is None or mode.mode != SYNCHRONOUS or link.group is not delay.group:
            continue
        for verdict in studied.verdicts:
            if verdict.kind.slow in ("sent", "received", "hardened") and verdict.queue_end:
                found[link.replica] = verdict.queue_end
    return found


def awaited(study: Study, link: Link) -> CommitDelay | None:
    """Return the commit wait of a link's primary, if its commits wait for this replica."""
    for delay in study.delays:
        mode = modes(study, delay).get(link.replica)
        if delay.group is link.group and mode is not None and mode.mode == SYNCHRONOUS:
            return delay
    return None
