"""Findings and ingested captures as text for people."""

from __future__ import annotations

import itertools
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from agtrace.cli.terminal import colour, complain, one_line, say, width, wrapped
from agtrace.ingested import FAILED, IngestedCapture, IngestReport

if TYPE_CHECKING:
    from agtrace.say.finding import Evidence, Finding

SEVERITY_WIDTH = len("CRITICAL")
STYLES: dict[str, dict[str, object]] = {
    "critical": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "notice": {"fg": "cyan"},
    "info": {"fg": "green"},
}


LIKE = 3
"""Up to this many findings of one kind and severity have a line each; of more, the others are counted."""


def show_findings(findings: Sequence[Finding], *, all_evidence: bool = False) -> None:
    """Print findings, a line each, the most severe last, where the terminal output ends.

    Parameters
    ----------
    findings
        The most severe first.
    all_evidence
        Print each in full, in the same order.
    """
    if not findings:
        say("No findings.")
    if all_evidence:
        for finding in reversed(findings):
            _show(finding, finding.narrative, finding.evidence)
            say()
        return
    limits = [finding for finding in findings if _is_limit(finding)]
    if limits:
        ids = Counter(finding.id for finding in limits)
        names = ", ".join(f"{name} ({n:,})" if n > 1 else name for name, n in ids.items())
        head = f"{limits[0].severity.upper():<{SEVERITY_WIDTH}}"
        say(colour(f"{head}  Limits of these captures: {one_line(names)}", dim=True))
    rest = [finding for finding in findings if not _is_limit(finding)]
    for line in reversed(_lines(rest)):
        say(line)


def _is_limit(finding: Finding) -> bool:
    """Return whether a finding only reports limits of the captures."""
    is_minor = finding.severity in ("info", "notice") and not finding.id.endswith("_settings")
    return is_minor and finding.id.startswith("quality.")


def _lines(findings: Sequence[Finding]) -> list[str]:
    """Return a line per finding; of many of one kind the first ones, below the number of the others."""
    from agtrace.say.wording import verdict_of

    left = Counter((finding.id, finding.severity) for finding in findings)
    lines: list[str] = []
    shown: Counter[tuple[str, str]] = Counter()
    for finding in findings:
        kind = finding.id, finding.severity
        shown[kind] += 1
        head = _severity(finding, SEVERITY_WIDTH)
        more = left[kind] - LIKE + 1
        if shown[kind] == 1 and more > 1:
            # Lines are printed from the last to the first: this one follows those that it continues.
            lines.append(f"{head}  {colour(f'and {more:,} more of {finding.id}', dim=True)}")
        if shown[kind] < LIKE or more <= 1:
            lines.append(f"{head}  {_cut(one_line(verdict_of(finding)), SEVERITY_WIDTH + 2)}")
    return lines


def show_headline(findings: Sequence[Finding], more: str) -> None:
    """Print the finding to read first with its reason and remedy, and how to get the others."""
    from agtrace.say.headline import headline
    from agtrace.say.wording import shortened

    first = headline(findings)
    if first is None:
        return
    say()
    _show(first, shortened(first.narrative)[0])
    say(colour(f"  {more}", dim=True))


def _show(finding: Finding, narrative: str, evidence: Iterable[Evidence] = ()) -> None:
    say(f"{_severity(finding)}  {one_line(finding.id)}")
    say(colour(wrapped(one_line(finding.title)), bold=True))
    say(wrapped(narrative))
    for line in _evidence_lines(evidence):
        say(line)
    if finding.recommendation:
        from agtrace.say.wording import has_steps

        joint = "\n" if has_steps(finding.recommendation) else " "
        say(wrapped(f"Do:{joint}{finding.recommendation}"))


def _severity(finding: Finding, room: int = 0) -> str:
    return colour(f"{finding.severity.upper():<{room}}", **STYLES[finding.severity])


def _cut(text: str, before: int) -> str:
    """Cut a text so that its line is one on a terminal; a file or pipe gets all of it."""
    room = shutil.get_terminal_size().columns - before if sys.stdout.isatty() else len(text)
    return text if len(text) <= room else f"{text[: max(room - 1, 20)]}…"


def _evidence_lines(evidence: Iterable[Evidence]) -> list[str]:
    """Return a line per quantity: "log received, mean" and "log received, max" share one.

    Details of an item ("JBDB: log received") come last.
    """
    rows = [
        _row(head, list(same))
        for head, same in itertools.groupby(evidence, key=lambda e: (_quantity(e), e.unit, e.source))
    ]
    rows.sort(key=lambda row: ": " in row[0])
    labels = min(max((len(label) for label, _, _ in rows), default=0), 44)
    room = width() if sys.stdout.isatty() else None
    lines = []
    for label, value, source in rows:
        line = f"    {label:<{labels}}  {value}  "
        # On a terminal the source is truncated, so that each entry fits on one line.
        lines.append(line + colour(source if room is None else source[: max(room - len(line), 0)], dim=True))
    return lines


def _quantity(evidence: Evidence) -> str:
    return evidence.label.rpartition(", ")[0] or evidence.label


def _row(head: tuple[str, str, str], same: list[Evidence]) -> tuple[str, str, str]:
    quantity, unit, source = head
    *whose, measure = one_line(unit).split(" ")
    if len(same) == 1:
        label, value = same[0].label, _amount(same[0].value, measure)
    else:
        label = quantity
        value = ", ".join(
            f"{one_line(e.label.removeprefix(quantity + ', '))} {_amount(e.value, measure)}" for e in same
        )
    return one_line(label), " ".join([value, *whose]), one_line(source)


def _amount(value: float | int | str | None, measure: str) -> str:
    """Return a value with its unit, as everywhere."""
    from agtrace.say import words

    return words.amount(one_line(value) if isinstance(value, str) else value, measure)


def show_ingest(report: IngestReport, case: str, most: int | None = None) -> None:
    """Print the result of an ingest: a line of counts, then files that are not in the store, with reasons.

    Parameters
    ----------
    report, case
        The result, and the name of the case.
    most
        Most files to name, failed ones first; None for all.
    """
    say(f"{one_line(case)}: {report.counted}")
    for note in report.notes:
        say(colour(one_line(note), fg="yellow"))
    opened = report.opened_archives
    rest = [
        capture
        for capture in report.captures
        if capture.status != "ingested" and (capture.path not in opened or capture.status in FAILED)
    ]
    if most is not None and len(rest) > most:
        rest.sort(key=lambda capture: capture.status not in FAILED)
    for capture in rest[:most]:
        say(f"  {_not_ingested(capture)}")
    if most is not None and len(rest) > most:
        say(f"  and {len(rest) - most:,} more that 'agtrace ingest' names")


def _not_ingested(capture: IngestedCapture) -> str:
    status = capture.status.replace("_", " ")
    style: dict[str, object] = {"fg": "red"} if status in FAILED else {"dim": True}
    kind = f" ({one_line(capture.kind)})" if capture.kind else ""
    reason = f": {one_line(capture.reason)}" if capture.reason else ""
    return f"{colour(status, **style)}  {one_line(capture.path)}{kind}{reason}"


def worst_at_least(findings: Iterable[Finding], severity: str | None) -> bool:
    """Return whether a finding is at least as severe as ``--fail-on``."""
    return counts_at_least(Counter(finding.severity for finding in findings), severity)


def counts_at_least(counts: Mapping[str, int], severity: str | None) -> bool:
    """Return the same for findings counted by severity."""
    from agtrace.say.finding import SEVERITY_ORDER

    return severity is not None and any(
        counts.get(each, 0) for each in SEVERITY_ORDER[SEVERITY_ORDER.index(severity) :]
    )


def warn_of_faults(faults: Iterable[str]) -> None:
    """Print the unusable entries of a case's settings files to standard error, one line each."""
    for fault in faults:
        complain(f"warning: {fault} (left out)")
