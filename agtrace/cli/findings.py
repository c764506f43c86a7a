"""``agtrace findings``: the findings of a case, without notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace import strict_json
from agtrace.cli.options import (
    Opening,
    case_argument,
    case_options,
    fail_on_option,
    redact_options,
    settings_option,
)
from agtrace.cli.outcome import DONE, FAIL_ON, FAILED, Settings
from agtrace.cli.pasted import is_standard_input, nothing_found, pasted, shown
from agtrace.cli.reading import check_usable, kept_answer, open_read, read_new
from agtrace.cli.shown import show_findings, show_headline, show_ingest, warn_of_faults, worst_at_least
from agtrace.cli.terminal import complain, one_line, say, show_traceback, wrapped

if TYPE_CHECKING:
    from agtrace.kept_answer import Answer

MOST_UNANSWERED = 3
"""Up to this many unanswered questions are explained; more are only named."""


@click.command("findings")
@case_argument
@click.option(
    "--json", "as_json", is_flag=True, help="Print a list of findings as JSON (docs/diagnostics.md)."
)
@click.option("--all", "all_evidence", is_flag=True, help="Print each finding in full, with its evidence.")
@fail_on_option
@redact_options
@settings_option
@case_options
def command(
    case: Path | str,
    as_json: bool,
    all_evidence: bool,
    fail_on: str | None,
    redact: bool,
    secret: Path | None,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Read new captures in the folder CASE and print the findings, one per line, the answer last.

    \b
    agtrace findings case-1234
    agtrace findings case-1234 --json > findings.json
    agtrace findings case-1234 --fail-on warning
    cat post.txt | agtrace findings -

    With - as CASE, read standard input: log lines and query results, with any other text around them.
    """
    with pasted(case) as place:
        return _findings(
            case,
            place,
            opening,
            thresholds,
            redact,
            secret,
            fail_on,
            as_json=as_json,
            all_evidence=all_evidence,
        )


def _findings(
    given: Path | str,
    case: Path | str,
    opening: Opening,
    thresholds: dict[str, float],
    redact: bool,
    secret: Path | None,
    fail_on: str | None,
    *,
    as_json: bool,
    all_evidence: bool,
) -> int:
    kept = None if redact or is_standard_input(given) else kept_answer(case, opening, thresholds)
    answer, failures = kept.read() if kept else None, 0
    if answer is None:
        answer, failures = _asked(given, case, opening, thresholds, redact, secret, as_json=as_json)
        if kept and not failures:
            kept.keep(answer)
    elif opening.case_settings:
        warn_of_faults(answer.faults)
    report, findings = answer.ingested, answer.findings
    if as_json:
        for note in report.notes:
            complain(note)
        # Plain ASCII: the same bytes on every console, and no control character gets through.
        say(strict_json.dumps([finding.to_dict() for finding in findings], indent=2))
    else:
        show_ingest(report, shown(given), most=10)
        say()
        show_findings(findings, all_evidence=all_evidence)
        if not all_evidence:
            show_headline(findings, "--all prints the evidence of each finding; agtrace report draws it.")
        if all(finding.id.startswith("quality.") for finding in findings):
            _show_unanswered(answer.lacking)
    if worst_at_least(findings, fail_on):
        return FAIL_ON
    return FAILED if report.failed or failures else DONE


def _asked(
    given: Path | str,
    case: Path | str,
    opening: Opening,
    thresholds: dict[str, float],
    redact: bool,
    secret: Path | None,
    *,
    as_json: bool,
) -> tuple[Answer, int]:
    """Read new captures and ask all questions; return the findings and the number of failed questions."""
    from agtrace.kept_answer import Answer
    from agtrace.say.findings import by_severity

    report = read_new(case, opening)
    if not report.usable:
        if as_json:
            say("[]")
        else:
            show_ingest(report, shown(given), most=10)
        if is_standard_input(given):
            raise nothing_found()
    faults = check_usable(case, report, opening)
    with open_read(case, opening, thresholds=thresholds, redact=redact, secret=secret) as opened:
        findings = by_severity(opened.findings())
        unanswered = opened.unanswered()
    if click.get_current_context().ensure_object(Settings).tracebacks:
        for error in opened.failures.values():
            show_traceback(error)
    return Answer(report, faults, findings, unanswered), len(opened.failures)


def _show_unanswered(unanswered: Mapping[str, Sequence[str]]) -> None:
    """Print the missing captures of a few questions, or the names of many."""
    if len(unanswered) > MOST_UNANSWERED:
        say(
            wrapped(
                f"Not answered: {', '.join(unanswered)}. 'agtrace kit' writes scripts that capture what they "
                "need; the report lists it under 'What was checked'."
            )
        )
        return
    for name, lacks in unanswered.items():
        say(one_line(f"Not answered: {name}. {' '.join(lacks)}"))
