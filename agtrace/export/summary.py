"""A page for a ticket: what was captured, what it shows, what to do, in Markdown that reads well
unrendered.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from agtrace.say import wording
from agtrace.say.finding import SEVERITY_ORDER
from agtrace.say.markdown import LONGEST, advice, text
from agtrace.say.words import count, listing

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.diagnostics import Finding

MOST_FINDINGS = 8
MOST_HOSTS = 8
FIGURES = 4


def summary(case: Case, findings: list[Finding]) -> str:
    """Return the page.

    Parameters
    ----------
    case
        The opened case.
    findings
        Its findings, the most severe first.

    Returns
    -------
    str
        Markdown; names from captures are escaped in it.
    """
    hosts = case.view.rows(
        "SELECT host_id, count(*) AS n, min(first_time) AS first, max(last_time) AS last FROM captures "
        "WHERE status = 'ingested' AND host_id IS NOT NULL GROUP BY host_id ORDER BY host_id"
    )
    told = [f"# {text(case.folder.resolve().name)}: {_tally(findings)}", ""]
    told += [
        f"- {text(row['host_id'])}: {count(row['n'], 'capture')}, "
        f"{wording.stretch(row['first'], row['last'])}"
        for row in hosts[:MOST_HOSTS]
    ]
    if len(hosts) > MOST_HOSTS:
        told.append(f"- and {count(len(hosts) - MOST_HOSTS, 'more host')}")
    shown = [f for f in findings if f.severity in ("critical", "warning")] or findings
    for finding in shown[:MOST_FINDINGS]:
        told += ["", *_finding(finding)]
    if more := len(findings) - len(shown[:MOST_FINDINGS]):
        told += ["", f"And {count(more, 'more finding')}: {_ids(findings, shown[:MOST_FINDINGS])}."]
    lacking = case.unanswered()
    if lacking:
        told += ["", f"Not answered, for lack of captures: {', '.join(lacking)}."]
    return "\n".join([*told, "", f"Made by agtrace {version('agtrace')}.", ""])


def _finding(finding: Finding) -> list[str]:
    lines = [f"## {finding.severity.upper()}: {text(finding.title, LONGEST)}", ""]
    if window := wording.window_of(finding):
        lines.append(f"- {window}, confidence {wording.confidence_of(finding)}")
    lines += [
        f"- {text(each.label)}: {text(wording.value_of(each))}"
        for each in wording.key_figures(finding, FIGURES, 0)
    ]
    if finding.recommendation:
        lines += ["", *advice(finding.recommendation)]
    return lines


def _tally(findings: list[Finding]) -> str:
    counts = [
        f"{n} {severity}"
        for severity in reversed(SEVERITY_ORDER)
        if (n := sum(finding.severity == severity for finding in findings))
    ]
    return listing(counts, 4) if counts else "no findings"


def _ids(findings: list[Finding], shown: list[Finding]) -> str:
    rest = [finding.id for finding in findings if finding not in shown]
    return listing([f"{name} ({rest.count(name)})" for name in dict.fromkeys(rest)], 12)
