"""``agtrace convert``: relog for everyone."""

from __future__ import annotations

import tempfile
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

import click

from agtrace.cli.options import parse_encoding, parse_utc_offsets, plugins_option, verbose_option
from agtrace.cli.outcome import DONE, INTERRUPTED
from agtrace.cli.terminal import STANDARD_OUTPUT, complain, one_line, print_file, say


def parse_time(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> datetime | None:
    """Read an instant as ISO 8601 or as Performance Monitor writes it."""
    if value is None:
        return None
    from agtrace.errors import CaseError
    from agtrace.moments import local_moment

    try:
        return local_moment(value)
    except CaseError as error:
        raise click.BadParameter(str(error)) from error


def parse_tz(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> int | None:
    """Read a distance from UTC; a zone has two of them."""
    if value is None:
        return None
    if value.strip().upper() == "UTC":
        return 0
    from agtrace.errors import CaseError
    from agtrace.resolve.offsets import offset

    try:
        found = offset(value)
    except CaseError as error:
        raise click.BadParameter(str(error)) from error
    if isinstance(found, str):
        raise click.BadParameter(f"{value!r} is a zone; write UTC, or a distance from it such as -5:00")
    return found


@click.command("convert", short_help="Write a capture in another format: relog for everyone.")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="File to write; its ending says the format. - is standard output, in the format of --to.",
)
@click.option(
    "--to", "form", type=click.Choice(["csv", "tsv", "jsonl", "parquet"]), help="With -o -: the format."
)
@click.option(
    "--counters",
    multiple=True,
    metavar="GLOB",
    help="Write only perfmon series whose path matches, such as '*Replica*'. May be given several times.",
)
@click.option(
    "--begin",
    metavar="T",
    callback=parse_time,
    help="First instant, in the local time that is written (Extended Events: UTC).",
)
@click.option("--end", metavar="T", callback=parse_time, help="Last instant, likewise.")
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Write the first record between --begin and --end and every Nth after it.",
)
@click.option(
    "--encoding",
    metavar="NAME",
    callback=parse_encoding,
    help="Character encoding of a text capture, such as cp1251.",
)
@click.option(
    "--utc-offset",
    "utc_offsets",
    multiple=True,
    metavar="[HOST=]H:MM|ZONE",
    callback=parse_utc_offsets,
    help="Local time minus UTC of perfmon logs that do not tell, as for 'agtrace report'.",
)
@click.option(
    "--tz",
    metavar="UTC|H:MM",
    callback=parse_tz,
    help="Write the local times of perfmon logs so far from UTC. Default: as the first log has them.",
)
@click.option("--force", is_flag=True, help="Overwrite OUT when it exists.")
@plugins_option
@verbose_option
def command(
    files: tuple[Path, ...],
    out: Path,
    form: str | None,
    counters: tuple[str, ...],
    begin: datetime | None,
    end: datetime | None,
    every: int,
    encoding: str | None,
    utc_offsets: dict[str, int | str],
    tz: int | None,
    force: bool,
) -> int:
    """Write a capture in another format.

    A perfmon log becomes .csv, .tsv (what relog writes) or .parquet (one row per value); Extended
    Events, an ERRORLOG, a cluster log and a Windows event log (.evtx) become .jsonl or .parquet, one
    record per event or entry.
    Values are read as doubles and written with 17 significant digits, which read back to the same
    doubles.

    Several perfmon logs, .blg, .csv and .tsv alike, are merged in time: the rows of all, the series
    of all as columns, blank where a log has none. Rows of the very same time stamp become one row;
    where two logs have a value for the same cell, that of the FILE named first is written. Local
    times are moved into the zone of the first log, or that of --tz, by the distance from UTC that each
    log states; of one that does not, --utc-offset says it.
    --begin, --end and --every mean the merged rows. Several Extended Events files follow each other
    as they begin.

    \b
    agtrace convert perfmon.blg -o queues.csv --counters "*Log Send Queue*"
    agtrace convert perfmon.csv -o hour.parquet --begin "2026-03-14 09:00" --end "2026-03-14 10:00"
    agtrace convert node1.blg node2.blg perfmon.csv -o all.csv --every 4
    agtrace convert ERRORLOG -o errorlog.jsonl
    agtrace convert cluster.log -o - --to jsonl
    """
    from agtrace.convert import Selection, convert
    from agtrace.store.scratch import prefix

    is_printed = out == STANDARD_OUTPUT
    if is_printed != (form is not None):
        raise click.UsageError("say -o - and --to together, or -o FILE alone")
    selection = Selection(begin, end, every, counters, utc_offsets, tz)
    with tempfile.TemporaryDirectory(prefix=prefix("convert")) if is_printed else nullcontext() as folder:
        # What is printed is whole, too, or nothing.
        target = Path(folder) / f"printed.{form}" if folder else out
        try:
            written = convert(files, target, selection, encoding=encoding, force=force)
        except KeyboardInterrupt:
            complain(f"interrupted; {one_line(str(out))} was not written")
            return INTERRUPTED
        if is_printed:
            print_file(target)
    for severity, message, count in written.issues:
        if severity != "info":
            times = f" ({count:,} times)" if count > 1 else ""
            complain(f"{message}{times}")
    if not is_printed:
        say(f"{one_line(str(out))}: {written.rows:,} records")
    return DONE
