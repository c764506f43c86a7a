"""Rows of a query: a table for people, CSV, JSON and Parquet for programs."""

from __future__ import annotations

import decimal
import math
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import moving, strict_json
from agtrace.cli.terminal import colour, one_line, say
from agtrace.errors import CaseError
from agtrace.printable import visible
from agtrace.query_rows import exact, json_value, records, values

if TYPE_CHECKING:
    import pyarrow as pa

MOST_ROWS = 1000
"""On a terminal; CSV has all of them."""
WIDEST = 60
DECIMALS = 3


def write_csv(rows: pa.RecordBatchReader) -> None:
    """Print rows as CSV with a header; NULL is empty, lists and structs are JSON.

    Text is written to a pipe or file unchanged; on a terminal its control characters are made visible.
    """
    import csv

    out = csv.writer(sys.stdout, lineterminator="\n")
    given = _shown if sys.stdout.isatty() else exact
    out.writerow([given(name) for name in rows.schema.names])
    for row in values(rows):
        out.writerow([given(value) for value in row])


def write_json(rows: pa.RecordBatchReader) -> None:
    """Print rows as a JSON list, an object a line; times are ISO 8601, binary data hexadecimal."""
    before = "["
    for record in records(rows):
        sys.stdout.write(f"{before}\n{strict_json.dumps(record, default=json_value)}")
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


def write_rows(rows: pa.RecordBatchReader, target: Path) -> int:
    """Write rows to a Parquet file atomically, and return their number.

    Raises
    ------
    CaseError
        The file cannot be written.
    """
    import pyarrow as pa

    from agtrace.convert.parquet import write_parquet

    beside = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        written = write_parquet(beside, rows.schema, (pa.Table.from_batches([batch]) for batch in rows))
        moving.replace(beside, target)
    except OSError as error:
        raise CaseError(f"{target}: cannot be written ({error.strerror or error})") from error
    finally:
        moving.remove(beside)
    return written


def write_table(rows: pa.RecordBatchReader, most: int = MOST_ROWS) -> None:
    """Print rows as a table, numbers right-aligned; long texts and tables are truncated, with a note."""
    names = [one_line(name) for name in rows.schema.names]
    kept: list[list[Any]] = []
    more = False
    for row in values(rows):
        more = len(kept) == most
        if more:
            break
        kept.append(row)
    shown = [[_brief(value) for value in row] for row in kept]
    widths = [max([len(name), *(len(row[place]) for row in shown)]) for place, name in enumerate(names)]
    to_right = [
        any(_is_number(row[n]) for row in kept) and all(row[n] is None or _is_number(row[n]) for row in kept)
        for n in range(len(names))
    ]

    def line(cells: list[str]) -> str:
        return "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(cells, widths, to_right, strict=True)
        ).rstrip()

    say(colour(line(names), bold=True))
    for row in shown:
        say(line(row))
    said = f"{len(kept):,} rows" if len(kept) != 1 else "1 row"
    say(colour(f"the first {said}; --csv prints all" if more else said, dim=True))


def _shown(value: Any) -> Any:
    shown = exact(value)
    return visible(shown) if isinstance(shown, str) else shown


def _brief(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and math.isfinite(value):
        text = f"{value:.{DECIMALS}f}" if abs(value) >= 1 else f"{value:.{DECIMALS}g}"
        return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
    text = one_line(str(exact(value)))
    return text if len(text) <= WIDEST else text[: WIDEST - 1] + "…"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | decimal.Decimal) and not isinstance(value, bool)
