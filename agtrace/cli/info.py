"""``agtrace info``: the kind and contents of a capture."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace import strict_json
from agtrace.cli.options import plugins_option, verbose_option
from agtrace.cli.outcome import DONE, FAILED, USAGE
from agtrace.cli.terminal import colour, complain, one_line, say

if TYPE_CHECKING:
    from agtrace.describe import Description

ROWS = {
    "counters": "series",
    "ticks": "sample times",
    "samples": "values",
    "errorlog": "entries",
    "rowset_heads": "rowsets",
    "rowset_rows": "rows of them",
    "cluster_log": "entries",
    "os_events": "events",
    "messages": "messages understood",
    "facts": "facts",
}
"""Tables of a capture, and the names of their rows."""

UNREAD = ("failed", "unreadable")
SHOWN_ISSUES = 20
SHOWN_EVENTS = 12


@click.command("info")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects as JSON.")
@plugins_option
@verbose_option
def command(files: tuple[Path, ...], as_json: bool) -> int:
    """Read each FILE completely and describe it; of an archive, each member.

    \b
    agtrace info ERRORLOG perfmon.csv
    agtrace info customer.zip --json
    """
    status, told = DONE, []
    for file in files:
        if file.is_dir():
            complain(f"{file}: is a folder - use 'agtrace ingest'")
            status = max(status, USAGE)
            continue
        try:
            told += _describe(file)
        except FileNotFoundError:
            complain(f"{file}: no such file")
            status = max(status, USAGE)
        except OSError as error:
            complain(f"{file}: {error.strerror or error}")
            status = max(status, FAILED)
    if as_json:
        say(strict_json.dumps([asdict(description) for description in told], indent=2, default=str))
    else:
        for description in told:
            _show(description)
    return max(status, FAILED if any(d.status in UNREAD for d in told) else DONE)


def _describe(file: Path) -> list[Description]:
    from agtrace.describe import describe

    return describe(file)


def _show(description: Description) -> None:
    say(colour(one_line(description.path), bold=True))
    for label, text in _lines(description):
        say(f"  {label:<10} {text}")
    for issue in description.issues[:SHOWN_ISSUES]:
        times = f" ({issue['count']:,} times)" if issue["count"] > 1 else ""
        say(f"  {issue['severity'].replace('_', ' '):<10} {one_line(issue['message'])}{times}")
    if (rest := len(description.issues) - SHOWN_ISSUES) > 0:
        say(f"  ... and {rest:,} more")
    say()


def _lines(description: Description) -> list[tuple[str, str]]:
    from agtrace.say.words import number, span

    status = description.status.replace("_", " ")
    kind = one_line(description.kind) if description.status == "ingested" else status
    if description.status != "ingested" and description.kind:
        kind = f"{one_line(description.kind)}, {status}"
    lines = [("kind", f"{kind}, {description.bytes:,} bytes")]
    if description.reason:
        lines.append(("why", one_line(description.reason)))
    if description.hosts:
        lines.append(("host", ", ".join(one_line(host) for host in description.hosts)))
    if description.sql_instances:
        names = ", ".join(one_line(name) for name in description.sql_instances)
        lines.append(("instance", names))
    if description.first_local and description.last_local:
        length = span((description.last_local - description.first_local).total_seconds())
        lines.append(
            ("from", f"{_moment(description.first_local)} to {_moment(description.last_local)} ({length})")
        )
        lines.append(("clock", _clock(description.utc_offset_minutes, is_utc=description.is_utc)))
    if description.interval_s and "ticks" in description.rows:
        lines.append(("interval", number(description.interval_s, "s")))
    counts = [f"{description.rows[t]:,} {name}" for t, name in ROWS.items() if description.rows.get(t)]
    events = {
        table.removeprefix("events/"): n
        for table, n in description.rows.items()
        if table.startswith("events/")
    }
    if events:
        counts.insert(0, f"{sum(events.values()):,} events of {len(events):,} kinds")
    if counts:
        lines.append(("holds", ", ".join(counts)))
    most = sorted(events, key=lambda name: (-events[name], name))
    for place, name in enumerate(most[:SHOWN_EVENTS]):
        lines.append(("events" if not place else "", f"{events[name]:>9,} {one_line(name)}"))
    if len(most) > SHOWN_EVENTS:
        lines.append(("", f"... and {len(most) - SHOWN_EVENTS:,} more kinds"))
    if description.status == "ingested" and not description.issues:
        lines.append(("damage", "none"))
    return lines


def _moment(moment: object) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _clock(offset_minutes: int | None, *, is_utc: bool) -> str:
    if offset_minutes is None:
        return "local time; the file does not say how far from UTC"
    if is_utc:
        return "UTC"
    sign = "-" if offset_minutes < 0 else "+"
    return f"local time, UTC{sign}{abs(offset_minutes) // 60}:{abs(offset_minutes) % 60:02d}"
