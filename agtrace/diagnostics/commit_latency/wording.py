"""The narrative of the notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agtrace.diagnostics.commit_latency.measured import Link
from agtrace.say.words import count, md, number

if TYPE_CHECKING:
    from agtrace.diagnostics.commit_latency.analysis import CommitLatency


def say_summary(asked: CommitLatency) -> str:
    """Say one line per database and replica, and of what nothing is said."""
    lines = [f"- {_said(link)}" for link in asked.judged]
    lines += [f"- {md(link.database)} to {md(link.replica)}: left out, {link.waits_not}" for link in asked.links if link.waits_not]  # fmt: skip
    if not any(link.commit for link in asked.judged):
        lines += [
            f"- {md(each.host)}: {count(each.n, 'commit')} waited {number(each.mean, 'ms')} for replicas on average"
            for each in asked.waited
        ]
    return "\n".join(lines) or "Nothing that tells how long commits wait was captured."


def _said(link: Link) -> str:
    whose = f"{md(link.database)} to {md(link.replica)}"
    if link.commit is None:
        return f"{whose}: {count(link.blocks, 'log block')}, seen on the replica alone"
    p50, p95, p99 = (number(value, "ms") for value in link.commit.quantiles)
    return f"{whose}: **{p50}** in the middle, {p95} at p95, {p99} at p99 (n = {link.commit.n:,}); **{link.dominant}** dominates"
