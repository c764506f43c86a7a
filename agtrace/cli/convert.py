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


@click.command("convert")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    metavar="OUT",
    help="File to write; its extension sets the format. - is standard output (with --to).",
)
@click.option("--to", "form", type=click.Choice(["csv", "tsv", "jsonl", "parquet"]), help="Format for -o -.")
@click.option(
    "--counters",
    multiple=True,
    metavar="GLOB",
    help="Only perfmon series whose path matches, such as '*Replica*'. Repeatable.",
)
@click.option(
    "--begin",
    metavar="T",
    callback=parse_time,
    help="First time, in the local time of the output (Extended Events: UTC).",
)
@click.option("--end", metavar="T", callback=parse_time, help="Last time.")
@click.option(
    "--every",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Write only every Nth record between --begin and --end.",
)
@click.option(
    "--encoding", metavar="NAME", callback=parse_encoding, help="Encoding of a text capture, such as cp1251."
)
@click.option(
    "--utc-offset",
    "utc_offsets",
    multiple=True,
    metavar="[HOST=]H:MM|ZONE",
    callback=parse_utc_offsets,
    help="Local time minus UTC of perfmon logs that do not state it.",
)
@click.option(
    "--tz",
    metavar="UTC|H:MM",
    callback=parse_tz,
    help="UTC offset of the perfmon times written. Default: that of the first log.",
)
@click.option("--force", is_flag=True, help="Overwrite OUT if it exists.")
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

    Perfmon logs become .csv or .tsv (as relog writes them) or .parquet (one row per value). Extended Events,
    ERRORLOGs, cluster logs and Windows event logs (.evtx) become .jsonl or .parquet. Values are written
    with 17 significant digits, so that they read back unchanged.

    Several perfmon logs are merged by time; a blank cell means no sample. Where two logs have the same
    cell, the first FILE wins. Times are converted to the UTC offset of the first log or of --tz.

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
        # Printed output is also complete or absent.
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
