"""``agtrace report``: from a folder of captures to pages that can be mailed."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace import notebook_format, strict_json
from agtrace.cli.options import (
    Opening,
    case_argument,
    case_options,
    fail_on_option,
    redact_options,
    settings_option,
)
from agtrace.cli.outcome import DONE, FAIL_ON, FAILED
from agtrace.cli.reading import check_usable, handed_out, kept_answer, read_new
from agtrace.cli.shown import show_findings, show_headline, show_ingest, warn_of_faults, worst_at_least
from agtrace.cli.terminal import complain, one_line, say, wants_progress
from agtrace.extras import need

if TYPE_CHECKING:
    from agtrace.say.finding import Finding


def parse_names(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Split ``--only a,b --only c`` into names."""
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def parse_parameters(
    _ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, object]:
    """Turn ``-p NAME=VALUE`` into typed parameters: numbers, true, false and null are themselves."""
    parameters: dict[str, object] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"{value!r} is not NAME=VALUE")
        parameters[name] = typed(text)
    return parameters


def parse_format(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> bool:
    """Return whether to print the pages, too."""
    if value is None or value.lower() == "html":
        return False
    if value.lower() == "pdf":
        return True
    raise click.BadParameter(f"{value!r} is neither html nor pdf")


def typed(text: str) -> object:
    """Parse a number, a boolean or None; else return the text."""
    words: dict[str, object] = {"true": True, "false": False, "none": None, "null": None}
    if text.lower() in words:
        return words[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@click.command("report")
@case_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for the pages. Default: agtrace-report in the case.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME,..",
    callback=parse_names,
    help="Run only these notebooks, such as transport.",
)
@click.option(
    "--notebook",
    "notebooks",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also run your own notebook, such as the one 'agtrace lab' writes. It becomes a page, and its "
    "case.add_finding calls add findings. Repeatable.",
)
@click.option(
    "-p",
    "--parameter",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    callback=parse_parameters,
    help="Set a parameter of the notebooks. Repeatable.",
)
@click.option(
    "--single-file",
    is_flag=True,
    help="Embed the plotting script in each page, so that a page can be mailed alone (1.5 MB each).",
)
@click.option(
    "--format",
    "pdf",
    metavar="FORMAT",
    callback=parse_format,
    help="pdf also prints the report, using an installed browser (Chromium, Chrome or Edge).",
)
@fail_on_option
@redact_options
@settings_option
@case_options
def command(
    case: Path | str,
    out: Path | None,
    only: tuple[str, ...],
    notebooks: tuple[Path, ...],
    parameters: dict[str, object],
    single_file: bool,
    pdf: bool,
    fail_on: str | None,
    redact: bool,
    secret: Path | None,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Read the captures in the folder CASE and write a report.

    Writes DIR/index.html, one page per question, the executed notebooks and findings.json, and
    prints the findings. The pages open offline in any browser.

    \b
    agtrace report case-1234
    agtrace report case-1234 --out reports/1234 --only overview,transport
    """
    need("report", "agtrace report")

    options: dict[str, object] = {"out": out and str(out.absolute()), "only": only, "parameters": parameters}
    options |= {"single_file": single_file, "pdf": pdf}
    kept = None if redact or notebooks else kept_answer(case, opening, thresholds, strict_json.dumps(options))
    answer = kept.read() if kept else None
    if answer is not None and (lying := answer.report) is not None:
        show_ingest(answer.ingested, str(case), most=10)
        if opening.case_settings:
            warn_of_faults(answer.faults)
        _show_told(answer.findings)
        _show_end(answer.findings, lying, "; unchanged")
        return FAIL_ON if worst_at_least(answer.findings, fail_on) else DONE
    if pdf:
        from agtrace.report.browser import find_browser

        # Fail before the work, not after it.
        find_browser()
    from agtrace.ingest import case_folder
    from agtrace.kept_answer import Answer, MadeReport
    from agtrace.report import report
    from agtrace.report.place import report_path

    notebook_format.leave_out_storages()
    ingested = read_new(case, opening)
    show_ingest(ingested, str(case), most=10)
    faults = check_usable(case, ingested, opening)
    with handed_out(case, opening, redact, secret) as (folder, place):
        result = report(
            folder,
            out=report_path(case_folder(case), out, redacted=True) if redact else out,
            only=only,
            notebooks=notebooks,
            parameters=parameters,
            store=place,
            jobs=opening.jobs,
            progress=wants_progress(),
            thresholds=thresholds,
            case_settings=opening.case_settings,
            follow_links=opening.follow_links,
            trust_store=opening.trust_store,
            ingest=False,
            single_file=single_file,
            pdf=pdf,
            told=_show_told,
        )
    # The report is complete: an interrupt now only skips the rest, and the exit status shows it.
    with contextlib.suppress(KeyboardInterrupt):
        if kept and not result.failures:
            kept.keep(
                Answer(
                    ingested,
                    faults,
                    result.findings,
                    result.missing,
                    MadeReport.of(result.index, result.files),
                )
            )
        _show_end(result.findings, result.index, failures=result.failures)
    if worst_at_least(result.findings, fail_on):
        return FAIL_ON
    return FAILED if ingested.failed or result.failures else DONE


def _show_end(
    findings: Sequence[Finding], index: Path, state: str = "", failures: Sequence[Exception] = ()
) -> None:
    show_headline(findings, "agtrace findings CASE --all prints the evidence of each finding.")
    for failure in failures:
        complain(str(failure))
    say(f"Report: {one_line(str(index.absolute()))}{state}")


def _show_told(findings: Sequence[Finding]) -> None:
    """Print the findings while the pages are still being written."""
    say()
    show_findings(findings)
