"""The user's own findings: validated, and included in the report of the run."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping

from agtrace.diagnostics import analyses
from agtrace.errors import CaseError
from agtrace.moments import Window
from agtrace.say.finding import SEVERITY_ORDER, Evidence, Finding, to_second

FINDING = "application/vnd.agtrace.finding+json"
"""MIME type of an added finding in a notebook: the fields of findings.json."""

TAKEN = ("commit", "compare", "quality", "settings")
"""First parts of agtrace's own finding ids, besides the names of questions."""

_ID = re.compile(r"[a-z][a-z0-9_]*(\.[a-z0-9_]+)+")


def own_finding(
    name: str,
    title: str,
    severity: str,
    evidence: Evidence | Iterable[Evidence],
    narrative: str,
    recommendation: str,
    window: Window,
    confidence: float,
    subject: Mapping[str, str],
) -> Finding:
    """Build a finding from the user's arguments; see `agtrace.case.Case.add_finding`.

    Raises
    ------
    CaseError
        An argument is invalid; the message names it.
    """
    if not isinstance(name, str) or not _ID.fullmatch(name):
        raise CaseError(f"{name!r} is no id of a finding", "write a dotted name such as 'mine.disk'")
    if name.partition(".")[0] in {*analyses(), *TAKEN}:
        begin = name.partition(".")[0]
        raise CaseError(f"ids of agtrace's own begin with {begin!r}", "choose another, such as 'mine.disk'")
    if severity not in SEVERITY_ORDER:
        raise CaseError(f"severity {severity!r} is not known", f"there are: {', '.join(SEVERITY_ORDER)}")
    rests = (evidence,) if isinstance(evidence, Evidence) else tuple(evidence)
    if not rests or not all(isinstance(each, Evidence) for each in rests):
        raise CaseError(
            f"{name}: a finding rests on evidence", 'such as agtrace.Evidence("latency", 41, "ms", "source")'
        )
    texts = {"title": title, "narrative": narrative, "recommendation": recommendation, **subject}
    for what, text in texts.items():
        if not isinstance(text, str) or (what == "title" and (not text.strip() or "\n" in text)):
            raise CaseError(f"{name}: {what}={text!r} is no text", "the title is one line, all else is text")
    if isinstance(confidence, bool) or not isinstance(confidence, int | float) or not 0 <= confidence <= 1:
        raise CaseError(f"{name}: confidence={confidence!r} is no share", "write a number from 0 to 1")
    bounds = {"start": window.start, "end": window.end}
    told: dict[str, str | bool] = {which: to_second(time) for which, time in bounds.items() if time}
    if told and window.is_local:
        told["local"] = True
    return Finding(name, severity, title, narrative, dict(subject), told, rests, recommendation, confidence)


def show_in_report(finding: Finding) -> None:
    """Show a finding in the running notebook, if any: its page and the report then include it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is None or not hasattr(shell, "kernel"):
        return
    from IPython.display import display

    shown = {FINDING: finding.to_dict(), "text/plain": repr(finding), "text/html": finding._repr_html_()}
    display(shown, raw=True)
