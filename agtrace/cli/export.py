"""``agtrace export``: findings, tables and figures of a case, for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from agtrace.cli.options import case_argument, case_options, fail_on_option
from agtrace.cli.outcome import DONE, FAIL_ON, FAILED
from agtrace.cli.reading import read_case
from agtrace.cli.report import parse_names
from agtrace.cli.shown import worst_at_least
from agtrace.cli.terminal import complain, one_line, say


@click.command("export", short_help="Findings and tables as CSV and XLSX, figures as PNG.")
@case_argument
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the files go, outside of the case.",
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    metavar="FORMAT,..",
    callback=parse_names,
    help="csv, xlsx (one workbook), png (figures). Default: csv. The summary is always written.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="GLOB,..",
    callback=parse_names,
    help="These tables and figures only, such as findings,transport.*",
)
@fail_on_option
@case_options
def command(
    case: Path,
    out: Path,
    formats: tuple[str, ...],
    only: tuple[str, ...],
    fail_on: str | None,
    store: str | None,
    jobs: int | None,
    utc_offsets: dict[str, int],
    no_case_settings: bool,
    follow_links: bool,
    trust_store: bool,
) -> int:
    """Read what is new in the folder CASE and write what it shows into DIR.

    DIR/summary.md is a page for a ticket. Findings, their evidence, what happened (docs/store.md) and
    the tables of each page are a CSV file each, or a sheet each of DIR/case.xlsx. Text that a
    spreadsheet would compute is kept from it.

    \b
    agtrace export case-1234 --out exported
    agtrace export case-1234 --out exported --only "findings,evidence,transport.*"
    """
    from agtrace.export import check_formats, export_case

    formats = formats or ("csv",)
    check_formats(formats)
    with read_case(
        case,
        store=store,
        jobs=jobs,
        utc_offsets=utc_offsets,
        no_case_settings=no_case_settings,
        follow_links=follow_links,
        trust_store=trust_store,
    ) as (opened, ingested):
        result = export_case(opened, out, formats, only)
    for failure in result.failures:
        complain(failure)
    say(f"{len(result.files):,} files: {one_line(str(result.folder.absolute()))}")
    if worst_at_least(result.findings, fail_on):
        return FAIL_ON
    return FAILED if ingested.failed or result.failures else DONE
