"""The answer in words, and what stays open."""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.comparison import wording as say_
from agtrace.diagnostics.comparison.run import GIVEN, Run
from agtrace.diagnostics.comparison.study import Group, Study
from agtrace.diagnostics.finding import Finding
from agtrace.diagnostics.words import md

HOW = (
    "A run is a backup, its restore on another host and the join there (ERRORLOG of both hosts), or an automatic "
    "seeding (Extended Events, the DMVs' exports, or ERRORLOG); any other window is labelled in runs.csv."
)


def missing(found: Study) -> list[str]:
    """Say what it takes to compare at all."""
    if found.groups:
        return []
    if not found.runs:
        return [f"No run to compare was captured. {HOW}", *found.open]
    if len(found.runs) == 1:
        (run,) = found.runs
        return [f"One run was found ({_told(run)}), and a comparison takes two. {HOW}", *found.open]
    told = words.listing([_told(run) for run in found.runs])
    return [f"Of the runs found ({told}) no two are of one database.", *found.open]


def _told(run: Run) -> str:
    of = f" of {words.plain(run.database, 60)}" if run.database else ""
    return (
        f"{words.plain(run.label, 60) if run.label else run.method}{of}, {words.span(run.seconds)}"
    )


def say(found: Study, findings: list[Finding]) -> str:
    """Give what was compared, then the findings, in Markdown."""
    if not found.groups:
        return "\n\n".join(md(text, 1000) for text in missing(found))
    parts = [md(_group(group), 1000) for group in found.groups]
    told = [f"- **{md(f.title, 300)}** ({f.severity}). {md(f.narrative, 5000)}" for f in findings]
    return "\n\n".join([*parts, "\n".join(told)] if told else parts)


def _group(group: Group) -> str:
    noun = "labelled window" if group.runs[0].method == GIVEN else "run"
    of = f" of {words.plain(group.database, 60)}" if group.database else ""
    each = [
        f"{c.full_name} (run {c.numbers}, {say_.clock(c.seconds)})"
        if c.n == 1
        else f"{c.full_name} (runs {c.numbers}, median {say_.clock(c.seconds)})"
        for c in group.configurations
    ]
    told = f"{words.count(len(group.runs), noun)}{of}: {words.listing(each, 8)}. Baseline: {group.base.full_name}."
    if all(c.n == 1 for c in group.configurations):
        told += " Each was run once: no interval is claimed anywhere."
    return told


def say_missing(found: Study) -> str:
    """Say what could not be seen, in Markdown; "" when nothing."""
    told = missing(found) or list(found.open)
    return "\n".join(f"- {md(text, 1000)}" for text in told)
