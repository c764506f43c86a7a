"""What the page says besides its findings: what was compared, what does not fit, what stays open."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.comparison.needs import RUNS
from agtrace.diagnostics.comparison.study import SAID, Group, Study
from agtrace.history.transfers.run import GIVEN
from agtrace.say.finding import Finding

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
    name = "windows" if all(run.method == GIVEN for run in found.runs) else "databases"
    facts = {"runs": found.runs, "capture": RUNS.capture}
    return [SAID.text(f"missing.{'one' if len(found.runs) == 1 else name}.text", facts), *found.open]


def say(found: Study, findings: list[Finding]) -> str:
    """Give what was compared, then the findings, in Markdown."""
    return SAID.page(
        "summary",
        {
            "groups": [_group(group) for group in found.groups[:GROUPS]],
            "more": len(found.groups) - GROUPS,
            "findings": findings,
            "missing": missing(found),
        },
    )


def _group(group: Group) -> dict[str, Any]:
    names = {run.number: c.full_name for c in group.configurations for run in c.runs}
    return {
        "of_windows": group.runs[0].method == GIVEN,
        "database": group.database,
        "base": group.base.full_name,
        "once": all(c.n == 1 for c in group.configurations),
        "n": len(group.runs),
        "rows": [(run, names[run.number]) for run in group.runs[:ROWS]],
    }


def say_contradictions(found: Study) -> str:
    """Say which figures of a run cannot all be true, in Markdown; "" when they fit."""
    told = [(number, text) for number, texts in found.contradictions.items() for text in texts]
    return SAID.page("contradictions", {"told": told})


def say_missing(found: Study) -> str:
    """Say what could not be seen, in Markdown; "" when nothing."""
    return SAID.page("missing", {"told": missing(found) or found.open})
