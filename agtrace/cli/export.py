"""``agtrace export``: findings, tables and figures of a case, for other programs."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace.cli.options import (
    Opening,
    case_argument,
    case_options,
    fail_on_option,
    redact_options,
    settings_option,
)
from agtrace.cli.outcome import DONE, FAIL_ON, FAILED
from agtrace.cli.reading import read_case
from agtrace.cli.report import parse_names
from agtrace.cli.shown import worst_at_least
from agtrace.cli.terminal import STANDARD_OUTPUT, complain, one_line, print_file, say
from agtrace.errors import AgtraceError
from agtrace.printable import visible

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.diagnostics import Finding
    from agtrace.export import ExportResult


@click.command("export")
@case_argument
@click.option(
    "--ticket",
    is_flag=True,
    help="Write one page of Markdown for a ticket: answer, evidence, remedy, what to collect.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --ticket: file to write. Default: print it. - is standard output, also for --to.",
)
@click.option(
    "--to", "form", type=click.Choice(["csv", "parquet"]), help="With -o -: format of the one table printed."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for the files, outside the case.",
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT,..",
    callback=parse_names,
    help="csv, parquet, xlsx (one workbook), png (figures). Default: csv. The summary is always written.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="GLOB,..",
    callback=parse_names,
    help="Only these tables and figures, such as findings,transport.*",
)
@fail_on_option
@redact_options
@settings_option
@case_options
def command(
    case: Path,
    ticket: bool,
    output: Path | None,
    form: str | None,
    out: Path | None,
    formats: tuple[str, ...],
    only: tuple[str, ...],
    fail_on: str | None,
    redact: bool,
    secret: Path | None,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Read new captures in the folder CASE and export findings, tables and figures to DIR.

    DIR/summary.md is a page for a ticket. Findings, evidence, relations (docs/store.md) and the tables of
    each page become CSV files, or sheets of DIR/case.xlsx. Text that looks like a formula is escaped.

    \b
    agtrace export case-1234 --out exported
    agtrace export case-1234 --out exported --only "findings,evidence,transport.*"
    agtrace export case-1234 --ticket
    agtrace export case-1234 --only findings -o - --to csv
    """
    from agtrace.export import check_formats, export_case

    is_printed = output == STANDARD_OUTPUT and not ticket
    if is_printed != (form is not None) or (is_printed and (out or formats or not only)):
        raise click.UsageError("for one table say --only NAME -o - --to csv, or --to parquet.")
    if not is_printed and (
        ticket == (out is not None) or (output and not ticket) or (ticket and (formats or only))
    ):
        raise click.UsageError("give --out DIR for all of it, or --ticket [-o FILE] for a page of Markdown.")
    formats = formats or ("csv",)
    check_formats(formats)
    with read_case(
        case, opening, thresholds=thresholds, shown=out is not None, redact=redact, secret=secret
    ) as (opened, ingested):
        if form is not None:
            printed = _printed(opened, only, form)
            findings: list[Finding] = printed.findings
            failures = printed.failures
        elif out is None:
            findings = opened.findings()
            failures = _ticket(opened, output)
        else:
            result = export_case(opened, out, formats, only)
            findings, failures = result.findings, result.failures
            say(f"{len(result.files):,} files: {one_line(str(result.folder.absolute()))}")
    for failure in failures:
        complain(failure)
    if worst_at_least(findings, fail_on):
        return FAIL_ON
    return FAILED if ingested.failed or failures else DONE


def _printed(opened: Case, only: tuple[str, ...], form: str) -> ExportResult:
    """Print one table, whole or not at all."""
    from agtrace.export import export_table
    from agtrace.store.scratch import prefix

    with tempfile.TemporaryDirectory(prefix=prefix("export")) as folder:
        path = Path(folder) / f"printed.{form}"
        found = export_table(opened, only, path)
        print_file(path)
    return found


def _ticket(opened: Case, output: Path | None) -> list[str]:
    """Write or print the page, and return a line for each part that failed."""
    from agtrace.report.ticket import alone

    text, failures = alone(opened)
    if output is None or output == STANDARD_OUTPUT:
        say(visible(text.rstrip("\n")))
    else:
        try:
            output.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            raise AgtraceError(f"{output}: {error.strerror or error}", "name another file with -o") from error
    return [str(each) for each in failures]
