"""Figures of one run that cannot all be true: said, never smoothed over."""

from __future__ import annotations

from agtrace.diagnostics.comparison import measured as m
from agtrace.diagnostics.comparison.measured import Uses
from agtrace.history.transfers.run import GIVEN, SEEDING, Run
from agtrace.say import words
from agtrace.thresholds import Thresholds


def of(run: Run, uses: Uses, limits: Thresholds) -> list[str]:
    """Hold what the disks and the wire moved against the bytes of the database.

    A backup reads every page from disk and a restore writes every one (neither goes through the
    buffer pool), so less than the database is as wrong as, on an idle host, more.
    """
    size = run.database_bytes
    if run.method == GIVEN or not size:
        return []
    share = limits.seeding_contradiction_share
    told = []
    for host, resource, verb in ((run.source, m.READ, "read"), (run.target, m.WRITTEN, "wrote")):
        use = m.of_run(uses, run, host, resource)
        if use is None or use.total is None or host is None:
            continue
        if m.covered(uses, run, host, resource) < limits.usage_covered_share:
            continue
        part = use.total / size
        if part < 1 - share:
            told.append(
                f"The disks of {host} {verb} {words.size(use.total)} while {words.size(size)} of the "
                f"database were reported as copied ({part:.2f} bytes per byte); both cannot be true."
            )
        elif part > limits.seeding_foreign_ratio and run.method == SEEDING:
            told.append(
                f"The disks of {host} {verb} {words.size(use.total)} for {words.size(size)} of the "
                f"database ({part:.2f} bytes per byte); the copy alone does not explain it."
            )
    wire, whole = (
        m.of_run(uses, run, run.source, m.SENT, whole=w) or m.of_run(uses, run, run.target, m.RECEIVED, whole=w)
        for w in (False, True)
    )  # fmt: skip
    is_plain = run.compressed is not None and run.compressed.verdict is False
    if wire and whole and is_plain and wire.usage.p95 * run.seconds > (1 + share) * size:
        told.append(
            f"{words.wire_rate(wire.usage.p95)} on the wire (p95 of the copy) is a plateau, not the mean: kept up for all "
            f"{words.span(run.seconds)} of the run it would be {words.size(wire.usage.p95 * run.seconds)}, more than "
            f"the database. Over the run the wire carries {words.wire_rate(whole.usage.mean)}."
        )
    return told
