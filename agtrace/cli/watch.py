"""``agtrace watch``: reports of cases dropped into a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace.cli.many import many_options, say_step
from agtrace.cli.options import Place, engine_at, plugins_option, verbose_option
from agtrace.cli.outcome import DONE
from agtrace.cli.terminal import wants_progress

if TYPE_CHECKING:
    from agtrace.batch import Options


@click.command("watch")
@click.argument("inbox", type=Place())
@click.option(
    "--settle",
    "settle_s",
    type=click.FloatRange(min=0.0),
    default=20.0,
    show_default=True,
    metavar="SECONDS",
    help="Read a case after it has not changed for this long.",
)
@many_options
@plugins_option
@verbose_option
def command(
    inbox: Path | str, settle_s: float, out: Path | str, scheduler: str | None, options: Options
) -> int:
    """Report each folder and archive that appears in INBOX, once it has stopped growing.

    Writes DIR/CASE/index.html for each, DIR/index.html over all, and DIR/results/*.parquet. Nothing
    is written into INBOX. A case that grows later is reported again. Runs until stopped (Ctrl-C,
    SIGTERM) and resumes when restarted. docs/many/service.md has a systemd unit and a Windows service.

    \b
    agtrace watch /srv/inbox --out /srv/reports --keep-stores 50
    """
    from agtrace.batch import watch

    try:
        with engine_at(scheduler) as engine:
            watch(inbox, out, options, say_step, settle_s=settle_s, engine=engine, progress=wants_progress())
    except KeyboardInterrupt:
        # To be stopped is how a watch ends.
        say_step("stopped")
    return DONE
