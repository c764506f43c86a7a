"""Writes the bytes of PDH text logs: as perfmon does, and as what comes after it leaves them."""

from __future__ import annotations

import codecs
import datetime as dt
from collections.abc import Sequence

BLANK = None
"""A cell without a sample; perfmon writes one space."""

Cell = float | int | str | None
START = dt.datetime(2017, 9, 19, 9, 54, 59, 72_000)
BOMS = {"utf-8-sig": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def write_pdh(
    paths: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    kind: str = "CSV",
    zone: str = " (Pacific Standard Time)(480)",
    times: Sequence[dt.datetime] | None = None,
    separator: str | None = None,
    quote: str = '"',
    blank: str = " ",
    line_end: str = "\r\n",
    last_line_end: bool = True,
    encoding: str = "utf-8",
    before: str = "",
    after: str = "",
) -> bytes:
    """Write a log with one row per entry of ``rows``, 15 s apart unless ``times`` says when.

    Parameters
    ----------
    paths
        Counter paths, and the text of the extra last column where there is one.
    rows
        Values in the order of ``paths``: numbers, text as it is to stand there, or `BLANK`.
    zone
        What follows ``(PDH-CSV 4.0)`` in the first cell.
    separator
        Default: a comma for CSV, a tab for TSV.
    quote
        Around each cell; empty for none.
    encoding
        Python's name; ``utf-8-sig`` and ``utf-16-*`` put a byte order mark in front.
    before, after
        Text in front of the header and after the last row.
    """
    mark = separator or {"CSV": ",", "TSV": "\t"}[kind]
    stamps = times or [START + dt.timedelta(seconds=15 * n) for n in range(len(rows))]
    lines = [[f"(PDH-{kind} 4.0){zone}", *paths]]
    for stamp, row in zip(stamps, rows, strict=True):
        lines.append([stamp_text(stamp), *(cell_text(cell, blank) for cell in row)])
    text = line_end.join(mark.join(f"{quote}{cell}{quote}" for cell in line) for line in lines)
    whole = before + text + (line_end if last_line_end else "") + after
    return BOMS.get(encoding, b"") + whole.encode(encoding.removesuffix("-sig"))


def stamp_text(time: dt.datetime) -> str:
    """Return a time as perfmon writes it in every locale."""
    return f"{time:%m/%d/%Y %H:%M:%S}.{time.microsecond // 1000:03d}"


def cell_text(cell: Cell, blank: str) -> str:
    """Return a cell; numbers with the 17 digits that keep every bit."""
    if cell is BLANK:
        return blank
    return cell if isinstance(cell, str) else f"{cell:.17g}"
