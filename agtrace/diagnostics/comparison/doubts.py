"""What weakens a comparison: hosts that were not captured, and figures of one run that cannot all be true."""

from __future__ import annotations

from typing import Any

from agtrace.history.transfers.run import GIVEN, SEEDING, Run
from agtrace.history.transfers.uses import BYTES, CPU, READ, RECEIVED, SENT, WRITTEN, Uses, covered, of_run
from agtrace.thresholds import Thresholds

Said = tuple[str, dict[str, Any]]
"""A sentence to be said: where its words lie, and the facts that they name."""


def unmeasured(uses: Uses, run: Run, least: float) -> list[Said]:
    """Say which hosts of a run showed no CPU, disk or network while its data moved.

    ``least`` is the share of that time which samples are to cover.
    """
    groups = {"CPU": (CPU,), "disks": (READ, WRITTEN), "network": (SENT, RECEIVED)}
    hosts = [host for host in (run.source, run.target) if host]
    if run.method == GIVEN:
        hosts = sorted({use.usage.host for use in uses.of(run)})
        if not hosts:
            return [("unseen.window", {})]
    told: list[Said] = []
    for host in hosts:
        lacking = [
            name
            for name, wanted in groups.items()
            if all(of_run(uses, run, host, each) is None for each in wanted)
        ]
        if lacking:
            what = "host" if len(lacking) == len(groups) else "resources"
            told.append((f"unseen.{what}", {"host": host, "lacking": lacking}))
        seen = {u.usage.resource for u in uses.of(run) if u.usage.host == host}
        shares = [covered(uses, run, host, each) for each in (CPU, *BYTES) if each in seen]
        if shares and min(shares) < least:
            facts = {"host": host, "share": min(shares), "is_window": run.method == GIVEN}
            told.append(("unseen.stretch", facts))
    return told


def contradictions(run: Run, uses: Uses, limits: Thresholds) -> list[Said]:
    """Hold what the disks and the wire moved against the bytes of the database.

    A backup reads every page from disk and a restore writes every one (neither goes through the
    buffer pool), so less than the database is as wrong as, on an idle host, more.
    """
    size = run.database_bytes
    if run.method == GIVEN or not size:
        return []
    share = limits.seeding_contradiction_share
    told: list[Said] = []
    for host, resource, verb in ((run.source, READ, "read"), (run.target, WRITTEN, "wrote")):
        use = of_run(uses, run, host, resource)
        if use is None or use.total is None or host is None:
            continue
        if covered(uses, run, host, resource) < limits.usage_covered_share:
            continue
        part = use.total / size
        facts = {"host": host, "verb": verb, "moved": use.total, "size": size, "part": part}
        if part < 1 - share:
            told.append(("contradiction.too_little", facts))
        elif part > limits.seeding_foreign_ratio and run.method == SEEDING:
            told.append(("contradiction.too_much", facts))
    wire, whole = (
        of_run(uses, run, run.source, SENT, whole=w) or of_run(uses, run, run.target, RECEIVED, whole=w)
        for w in (False, True)
    )
    is_plain = run.compressed is not None and run.compressed.verdict is False
    if wire and whole and is_plain and (kept_up := wire.usage.p95 * run.seconds) > (1 + share) * size:
        facts = {"p95": wire.usage.p95, "seconds": run.seconds, "kept_up": kept_up, "mean": whole.usage.mean}
        told.append(("contradiction.plateau", facts))
    return told
