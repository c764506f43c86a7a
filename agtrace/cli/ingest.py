"""``agtrace ingest``: read new captures of a case."""

from __future__ import annotations

from pathlib import Path

import click

from agtrace.cli.options import Opening, Place, case_options, engine_at, parse_encoding, scheduler_option
from agtrace.cli.outcome import DONE, FAILED, describe
from agtrace.cli.shown import show_ingest, warn_of_faults
from agtrace.cli.terminal import complain, wants_progress
from agtrace.errors import AgtraceError


@click.command("ingest")
@click.argument("cases", metavar="CASE...", nargs=-1, required=True, type=Place())
@case_options
@scheduler_option
@click.option(
    "--counters",
    multiple=True,
    metavar="GLOB",
    help="Read only perfmon series whose path matches, such as '*Replica*'. Repeatable.",
)
@click.option(
    "--encoding",
    metavar="NAME",
    callback=parse_encoding,
    help="Encoding of the text captures, such as cp1251.",
)
def command(
    cases: tuple[Path | str, ...],
    opening: Opening,
    counters: tuple[str, ...],
    encoding: str | None,
    scheduler: str | None,
) -> int:
    """Read the captures of each folder CASE into its store.

    Unchanged captures are not read again. Each file that is not read is listed with the reason. Exit
    status 1 means that a capture failed; the others were read.

    \b
    agtrace ingest case-1234
    agtrace ingest case-1234 --utc-offset SQL1=-5:00 --counters "*Replica*"
    agtrace ingest /share/case-1234 --scheduler tcp://10.0.0.4:8786
    """
    from agtrace.ingest import ingest
    from agtrace.opening import keep_utc_offsets, settings_of

    if opening.store and len(cases) > 1:
        raise click.UsageError("--store holds one case: ingest the cases one by one")
    status = DONE
    with engine_at(scheduler) as engine:
        for case in cases:
            try:
                report = ingest(
                    case,
                    store=opening.store,
                    jobs=opening.jobs,
                    progress=wants_progress(),
                    counters=counters,
                    encoding=encoding,
                    follow_links=opening.follow_links,
                    trust_store=opening.trust_store,
                    engine=engine,
                )
                keep_utc_offsets(case, opening.store, opening.utc_offsets, trust_store=opening.trust_store)
            except (AgtraceError, OSError) as error:
                if len(cases) == 1:
                    raise
                line, code = describe(error)
                complain(line)
                status = max(status, code)
                continue
            show_ingest(report, str(case))
            if opening.case_settings:
                warn_of_faults(settings_of(case).faults)
            if report.failed:
                status = max(status, FAILED)
    return status
