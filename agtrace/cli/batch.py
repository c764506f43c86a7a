"""``agtrace batch``: the reports of many cases, and one store of results over all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace.cli.many import many_options, say_step
from agtrace.cli.options import (
    Place,
    engine_at,
    fail_on_option,
    plugins_option,
    redact_options,
    verbose_option,
)
from agtrace.cli.outcome import DONE, FAIL_ON, FAILED
from agtrace.cli.shown import counts_at_least
from agtrace.cli.terminal import one_line, say, wants_progress
from agtrace.errors import AgtraceError

if TYPE_CHECKING:
    from agtrace.batch import Options


@click.command("batch")
@click.argument("roots", metavar="ROOT...", nargs=-1, required=True, type=Place())
@click.option("--cases", "themselves", is_flag=True, help="Treat each ROOT as one case.")
@click.option("--again", is_flag=True, help="Report unchanged cases again, too.")
@click.option(
    "--on-error",
    type=click.Choice(["go-on", "stop"]),
    default="go-on",
    show_default=True,
    help="After a broken case: continue or stop.",
)
@fail_on_option
@redact_options
@many_options
@plugins_option
@verbose_option
def command(
    roots: tuple[Path | str, ...],
    themselves: bool,
    fail_on: str | None,
    redact: bool,
    secret: Path | None,
    out: Path | str,
    scheduler: str | None,
    options: Options,
) -> int:
    """Report every case in the folders ROOT: each subfolder or archive is a case.

    Writes DIR/CASE/index.html for each case, DIR/index.html for all of them, and DIR/results/*.parquet.
    ROOT is never written to. A stopped batch resumes; unchanged cases are skipped. Exit status 3 if
    --fail-on is met, otherwise 1 if a case is broken or was not reported.

    \b
    agtrace batch cases --out reports --findings-only
    agtrace batch cases --out reports --findings-only --keep-stores 0 --on-error stop
    """
    from agtrace.batch import batch

    failed: dict[str, str] = {}
    if redact:
        from agtrace.batch.redacted import without_names

        folders, failed = without_names(roots, out, options, say_step, secret=secret, themselves=themselves)
        if not folders:
            raise AgtraceError("no case could be redacted", "the lines above say why")
        roots, themselves = tuple(folders), True
    elif secret is not None:
        raise click.UsageError("--secret goes with --redact.")
    with engine_at(scheduler) as engine:
        done = batch(
            roots, out, options, say_step, themselves=themselves, engine=engine, progress=wants_progress()
        )
    done.broken.update(failed)
    counts = (
        (len(done.reported), "reported"),
        (done.unchanged, "unchanged"),
        (len(done.broken), "broken"),
        (len(done.postponed), "not reported"),
    )
    say(f"Cases: {', '.join(f'{n:,} {what}' for n, what in counts if n)}")
    for name, reason in (done.broken | done.postponed).items():
        say(f"  {one_line(name)}: {one_line(reason)}")
    index = f"{out}/index.html" if isinstance(out, str) else str(out.absolute() / "index.html")
    say(f"Reports: {one_line(index)}")
    if counts_at_least(done.findings, fail_on):
        return FAIL_ON
    return FAILED if done.broken or done.postponed else DONE
