"""``agtrace around``: log entries of all hosts around a moment."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from agtrace.cli.options import Opening, Place, case_options
from agtrace.cli.outcome import DONE
from agtrace.cli.rows import write_csv
from agtrace.cli.terminal import colour, complain, one_line, say

if TYPE_CHECKING:
    import pandas as pd

MOST_LINES = 1000
"""On a terminal, the nearest ones; a file or pipe gets all."""
SOURCE_WIDTH = 12
TOGETHER_S = 0.05
"""Within which two logs of a host have the same message."""
SHORT = 20
"""Characters: shorter texts are not compared as one message."""
_BEFORE = re.compile(r"^(?:Server|Logon|Backup|spid\S+) +|^.*\[hadrag\] |^(?:.*, )?(?:data|message)=")
_AFTER = re.compile(r", (?:instance_name|node_name|category)=.*$|…$")

_Row = dict[str, Any]


@click.command("around")
@click.argument("case", metavar="CASE", type=Place())
@click.argument("time", metavar="TIME")
@click.option(
    "--minutes",
    type=float,
    default=1.0,
    show_default=True,
    metavar="N",
    help="Minutes before and after TIME.",
)
@click.option("--host", metavar="NAME", help="Only this host: its name in any spelling, or a glob.")
@click.option("--local", is_flag=True, help="TIME is local time, as written in the ERRORLOGs.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: time, time_local, host_id, source, ...")
@case_options
def command(
    case: Path | str, time: str, minutes: float, host: str | None, local: bool, as_csv: bool, opening: Opening
) -> int:
    """Print what all hosts logged around TIME: ERRORLOGs, Extended Events, cluster and event logs.

    TIME is UTC unless it has an offset: "2024-02-06 14:45:17" or 2024-02-06T15:45:17+01:00. Each line has
    the time in UTC, the host, its local time, the source, the text, and the file and line.

    \b
    agtrace around case-1234 "2024-02-06 14:45:17"
    agtrace around case-1234 "2024-02-06 15:45:17" --local --host SQL1 --minutes 0.2
    """
    with opening.open(case) as opened, _complained():
        found = opened.around(time, minutes, host=host, tz="local" if local else "UTC")
        if as_csv:
            _write_csv(found)
        elif len(found):
            _write_lines(found, time, local=local)
        else:
            _say_nothing(opened.captures, found.attrs["window"], local=local)
    return DONE


@contextlib.contextmanager
def _complained() -> Iterator[None]:
    """Print warnings as one line each."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        yield
    for each in told:
        complain(f"warning: {each.message}")


def _write_csv(found: pd.DataFrame) -> None:
    import pyarrow as pa

    table = pa.Table.from_pandas(found, preserve_index=False)
    write_csv(pa.RecordBatchReader.from_batches(table.schema, table.to_batches()))


def _write_lines(found: pd.DataFrame, time: str, *, local: bool) -> None:
    from agtrace.moments import moment

    column = "time_local" if local else "time"
    asked = moment(time, naive=local)
    is_terminal = sys.stdout.isatty()
    left = len(found) - MOST_LINES if is_terminal else 0
    if left > 0:
        nearest = (found[column] - asked).abs().sort_values(kind="stable").index[:MOST_LINES]
        found = found.loc[nearest.sort_values()]
    room = shutil.get_terminal_size().columns if is_terminal else None
    hosts = max(4, *(len(_host(each)) for each in found["host_id"]))
    if room is None:
        names = f"{'time (UTC)':<23}  {'local time':<12}  {'host':<{hosts}}  {'source':<{SOURCE_WIDTH}}  text"
        say(f"{names}, file:line")
    else:
        say(colour("time in UTC (local time)  host  source  file:line", dim=True))
    marked = False
    day = ""
    for row, also in once(found.to_dict("records")):
        if not marked and row[column] >= asked:
            say(colour(f"---- {_time(asked)} {'local time' if local else 'UTC'} ----", bold=True))
            marked = True
        if room is None:
            say(_line(row, also, hosts))
            continue
        if f"{row[column]:%Y-%m-%d}" != day:
            day = f"{row[column]:%Y-%m-%d}"
            say(colour(day, bold=True))
        say(_paragraph(row, also, room))
    if left > 0:
        say(colour(f"{left:,} further away are left out; --csv prints all", dim=True))


def once(rows: list[_Row]) -> list[tuple[_Row, list[_Row]]]:
    """Return each message once, with its copies in other logs of the host at that moment.

    A message is a copy if its words are contained in those of the other, as in the pages of a report.
    """
    found: list[tuple[_Row, list[_Row], str]] = []
    recent: dict[object, list[tuple[_Row, list[_Row], str]]] = {}
    for row in rows:
        moment, text = row["time"], _core(row["text"] or "")
        near = [
            each
            for each in recent.get(row["host_id"], [])
            if moment == moment and (moment - each[0]["time"]).total_seconds() <= TOGETHER_S
        ]
        same = next((each for each in near if _is_copy(row["source"], text, each)), None)
        if same is None:
            found.append((row, [], text))
            if moment == moment:
                near.append(found[-1])
        else:
            same[1].append(row)
        recent[row["host_id"]] = near
    return [(row, also) for row, also, _ in found]


def _is_copy(source: str, text: str, other: tuple[_Row, list[_Row], str]) -> bool:
    shorter, longer = sorted((text, other[2]), key=len)
    return len(shorter) >= SHORT and other[0]["source"] != source and shorter in longer


def _core(text: str) -> str:
    """Return the words of a message without the prefix and suffix added by a log."""
    return _AFTER.sub("", _BEFORE.sub("", text)).strip()


def _line(row: _Row, also: list[_Row], hosts: int) -> str:
    """Return an entry as one line, for files and pipes."""
    utc, own = (_time(row[name]) if row[name] == row[name] else " " * 23 for name in ("time", "time_local"))
    head = f"{utc}  {own[11:]}  {_host(row['host_id']):<{hosts}}  {one_line(row['source']):<{SOURCE_WIDTH}}  "
    return f"{head}{one_line(row['text'] or '')}  {_places(row, also)}"


def _paragraph(row: _Row, also: list[_Row], room: int) -> str:
    """Return an entry for a terminal: source, place and time, then its text, wrapped."""
    utc, own = (_time(row[name])[11:] if row[name] == row[name] else "" for name in ("time", "time_local"))
    times = f"{utc} ({own} local)" if utc and own else utc or f"{own} local"
    head = f"{times}  {_host(row['host_id'])}  {one_line(row['source'])}"
    lines = textwrap.wrap(
        one_line(row["text"] or ""),
        room,
        initial_indent="    ",
        subsequent_indent="    ",
        break_on_hyphens=False,
    )
    return "\n".join([f"{head}  {colour(_places(row, also), dim=True)}", *lines])


def _places(row: _Row, also: list[_Row]) -> str:
    return "; also ".join([_place(row), *(f"{one_line(each['source'])} {_place(each)}" for each in also)])


def _place(row: _Row) -> str:
    return f"{one_line(row['path'] or '')}:{row['line']}"


def _host(name: object) -> str:
    return one_line(str(name)) if isinstance(name, str) else "not known"


def _time(moment: Any) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03d}"


def _say_nothing(captures: pd.DataFrame, window: str, *, local: bool) -> None:
    """Report that nothing was logged at that time, and the time span of the captures."""
    first, last = ("first_local", "last_local") if local else ("first_time", "last_time")
    known = captures[captures[first].notna() & captures[last].notna()]
    say(f"Nothing was logged from {window}.")
    if len(known):
        say(f"The captures are of {_time(known[first].min())} to {_time(known[last].max())}.")
