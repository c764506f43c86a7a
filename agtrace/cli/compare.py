"""``agtrace compare``: two cases side by side."""

from __future__ import annotations

from pathlib import Path

import click

from agtrace import strict_json
from agtrace.cli.options import Opening, Place, case_options, fail_on_option, settings_option
from agtrace.cli.outcome import DONE, FAIL_ON, FAILED
from agtrace.cli.terminal import one_line, say, wrapped


def parse_hosts(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """Turn ``NAME=NAME`` into hosts of the second case by those of the first."""
    found = {}
    for value in values:
        before, equals, after = (part.strip() for part in value.partition("="))
        if not (before and equals and after):
            raise click.BadParameter(f"{value!r} is not NAME=NAME")
        found[before] = after
    return found


@click.command("compare")
@click.argument("before", type=Place())
@click.argument("after", type=Place())
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.option("--all", "every", is_flag=True, help="Also print what is equal.")
@click.option(
    "--match",
    "hosts",
    multiple=True,
    metavar="NAME=NAME",
    callback=parse_hosts,
    help="Host of the first case = host of the second. Others are matched by name, then by role. Repeatable.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for a page, its notebook and compare.json.",
)
@fail_on_option
@settings_option
@case_options
def command(
    before: Path | str,
    after: Path | str,
    as_json: bool,
    every: bool,
    hosts: dict[str, str],
    out: Path | None,
    fail_on: str | None,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Read new captures in both folders and print what differs from the first to the second.

    Covers findings, log streams, resource use with intervals, waits, settings and failovers. With
    --store DIR the stores are DIR/before and DIR/after. With --fail-on, exit status 3 means that such a
    finding is new or became that severe; 1 means that a capture failed.

    \b
    agtrace compare before-change after-change
    agtrace compare case-1234 case-1235 --match SQL1=DB7 --out comparison
    """
    from agtrace.comparing import compare
    from agtrace.extras import need

    if out is not None:
        need("report", "agtrace compare --out", "plotly", "nbformat")
    found = compare(before, after, hosts=hosts, thresholds=thresholds, **opening.to_open())
    if as_json:
        say(strict_json.dumps(found.to_dict(), indent=2))
    else:
        for line in found.words.text(every=every).splitlines():
            is_item = line.startswith("  ")
            text = wrapped(line, "    " if is_item else "")
            say(f"  - {text.lstrip()}" if is_item else text)
    if out is not None:
        from agtrace.comparing.page import write

        folders = tuple(Path(str(each)) for each in (before, after))
        index = write(found, out, (folders[0], folders[1]), hosts=hosts, thresholds=thresholds)
        if not as_json:
            say(f"\nPage: {one_line(str(index.absolute()))}")
    if fail_on and found.worse(fail_on):
        return FAIL_ON
    return FAILED if found.before.has_failed or found.after.has_failed else DONE
