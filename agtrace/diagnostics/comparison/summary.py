"""The answer in words, and what stays open."""

from __future__ import annotations

from agtrace.diagnostics.comparison.needs import RUNS
from agtrace.diagnostics.comparison.study import Group, Study
from agtrace.diagnostics.comparison.wording import clock
from agtrace.history.transfers.run import GIVEN, Run
from agtrace.say import words
from agtrace.say.finding import Finding
from agtrace.say.words import md

ROWS = 12
"""Runs shown in the summary's table; the others stand in the table below."""
GROUPS = 12
"""Databases whose runs the summary shows."""


def missing(found: Study) -> list[str]:
    """Say what it takes to compare at all."""
    if found.groups:
        return []
    if not found.runs:
        return [RUNS.plea, *found.open]
    if len(found.runs) == 1:
        (run,) = found.runs
        one = f"One run was found ({_told(run)}), and a comparison takes two. {RUNS.capture}"
        return [one, *found.open]
    told = words.listing([_told(run) for run in found.runs])
    if all(run.method == GIVEN for run in found.runs):
        return [f"Of the labelled windows ({told}) no two are covered by perfmon logs.", *found.open]
    return [f"Of the runs found ({told}) no two are of one database.", *found.open]


def _told(run: Run) -> str:
    of = f" of {words.plain(run.database, 60)}" if run.database else ""
    return f"{words.plain(run.label, 60) if run.label else run.method}{of}, {words.span(run.seconds)}"


def say(found: Study, findings: list[Finding]) -> str:
    """Give what was compared, then the findings, in Markdown."""
    if not found.groups:
        return "\n\n".join(md(text, 1000) for text in missing(found))
    shown = found.groups[:GROUPS]
    parts = [part for group in shown for part in (_intro(group), _table(group))]
    if len(found.groups) > GROUPS:
        parts.append(f"And {len(found.groups) - GROUPS:,} more databases: the tables below show their runs.")
    told = [f"- **{md(f.title, 300)}** ({f.severity}). {md(f.narrative, 5000)}" for f in findings]
    return "\n\n".join([*parts, "\n".join(told)])


def _intro(group: Group) -> str:
    noun = "labelled window" if group.runs[0].method == GIVEN else "run"
    of = f" of {md(group.database, 60)}" if group.database else ""
    told = f"**{words.count(len(group.runs), noun)}**{of}. Baseline: {md(group.base.full_name)}."
    if all(c.n == 1 for c in group.configurations):
        told += " Each was run once: no interval is claimed anywhere."
    return told


def _table(group: Group) -> str:
    """Give the runs with their steps as a Markdown table; of many the first ones."""
    rows = ["| run | what | steps | total | bytes of the database |", "|---|---|---|---|---|"]
    names = {run.number: c.full_name for c in group.configurations for run in c.runs}
    for run in group.runs[:ROWS]:
        steps = ", ".join(f"{step.name} {clock(step.seconds)}" for step in run.steps)
        rate = words.rate(run.bytes_per_s) if run.bytes_per_s else ""
        cells = (str(run.number), names[run.number], steps, clock(run.seconds), rate)
        rows.append("| " + " | ".join(md(cell) for cell in cells) + " |")
    if len(group.runs) > ROWS:
        rows.append(f"| | and {len(group.runs) - ROWS} more | | | |")
    return "\n".join(rows)


def say_contradictions(found: Study) -> str:
    """Say which figures of a run cannot all be true, in Markdown; "" when they fit."""
    told = [
        f"- Run {number}: {md(text, 1000)}"
        for number, texts in found.contradictions.items()
        for text in texts
    ]
    if not told:
        return ""
    return "\n".join(["Figures that do not fit together, as captured:", "", *told])


def say_missing(found: Study) -> str:
    """Say what could not be seen, in Markdown; "" when nothing."""
    told = missing(found) or list(found.open)
    return "\n".join(f"- {md(text, 1000)}" for text in told)
