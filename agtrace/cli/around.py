"""``agtrace around``: what every host logged around a moment."""

from __future__ import annotations

import contextlib
import shutil
import sys
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


@click.command("around", short_help="Show what every host logged around a moment.")
@click.argument("case", metavar="CASE", type=Place())
@click.argument("time", metavar="TIME")
@click.option(
    "--minutes", type=float, default=1.0, show_default=True, metavar="N", help="How much before and after it."
)
@click.option("--host", metavar="NAME", help="Only this host's, by any spelling of its name or a glob.")
@click.option(
    "--local", is_flag=True, help="TIME is in the local time of the hosts, as their ERRORLOGs write it."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV: time, time_local, host_id, source, ...")
@case_options
def command(
    case: Path | str, time: str, minutes: float, host: str | None, local: bool, as_csv: bool, opening: Opening
) -> int:
    """Print what the ERRORLOGs, Extended Events, cluster and event logs of all hosts say around TIME.

    TIME is in UTC unless it names a zone: "2024-02-06 14:45:17" or 2024-02-06T15:45:17+01:00. Each line
    has the time in UTC, the host's own time, the host, the source, the text, and the file and line where
    it stands.

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
    """Say what is warned of as a line each."""
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
    hosts = max(len(_host(each)) for each in found["host_id"])
    marked = False
    for row in found.to_dict("records"):
        if not marked and row[column] >= asked:
            say(colour(f"---- {_time(asked)} {'local time' if local else 'UTC'} ----", bold=True))
            marked = True
        say(_line(row, hosts, room))
    if left > 0:
        say(colour(f"{left:,} further away are left out; --csv prints all", dim=True))


def _line(row: dict[str, Any], hosts: int, room: int | None) -> str:
    utc, own = (_time(row[name]) if row[name] == row[name] else " " * 23 for name in ("time", "time_local"))
    source = one_line(row["source"])
    if room is not None and len(source) > SOURCE_WIDTH:
        source = source[: SOURCE_WIDTH - 1] + "…"
    head = f"{utc}  {own[11:]}  {_host(row['host_id']):<{hosts}}  {source:<{SOURCE_WIDTH}}  "
    place = f"  {one_line(row['path'] or '')}:{row['line']}"
    text = one_line(row["text"] or "")
    if room is not None:
        # A terminal shows a line for each entry; the place where it stands is what leads to the rest.
        place = place if len(place) < room - len(head) - 40 else f"  …{place[-24:]}"
        most = max(room - len(head) - len(place), 20)
        text = text if len(text) <= most else f"{text[: most - 1]}…"
    return f"{head}{text}{colour(place, dim=True)}"


def _host(name: object) -> str:
    return one_line(str(name)) if isinstance(name, str) else "not known"


def _time(moment: Any) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03d}"


def _say_nothing(captures: pd.DataFrame, window: str, *, local: bool) -> None:
    """Say that nothing was logged then, and when the captures are of."""
    first, last = ("first_local", "last_local") if local else ("first_time", "last_time")
    known = captures[captures[first].notna() & captures[last].notna()]
    say(f"Nothing was logged from {window}.")
    if len(known):
        say(f"The captures are of {_time(known[first].min())} to {_time(known[last].max())}.")
