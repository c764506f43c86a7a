"""PDH text logs (PDH-CSV 4.0, PDH-TSV 4.0) as Performance Monitor and relog write them.

Every cell quoted, lines ended by CR LF, times ``MM/DD/YYYY HH:MM:SS.mmm`` in local time, numbers
with 17 significant digits (they read back to the same double), a missing value as one space.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import numpy as np

SEPARATORS = {".csv": ",", ".tsv": "\t"}
NUMBER = '"%.17g"'
BLANK = '" "'
PATTERNS_KEPT = 256
"""Blanks stand in few patterns (the first row; an instance that is gone): one format string each."""


def header_cell(facts: dict[tuple[str, str], str], suffix: str) -> str:
    """Give the first cell of the header: signature, zone and bias as the capture states them.

    A cell that was cut short when the log was made stays cut: what it lacks is not known.
    """
    signature = f"(PDH-{suffix.lstrip('.').upper()} 4.0)"
    zone, bias = facts.get(("pdh_header", "zone_name")), facts.get(("pdh_header", "bias_minutes"))
    if bias is not None:
        return f"{signature} ({zone or ''})({bias})"
    return f"{signature} ({zone}" if zone else signature


def text_encoding(facts: dict[tuple[str, str], str]) -> str:
    """Give the encoding to write: the capture's own, as relog does; UTF-8 instead of UTF-16."""
    encoding = facts.get(("pdh_header", "encoding"), "utf-8")
    return "utf-8" if encoding.startswith("utf-16") else encoding


class TextWriter:
    """Writes a PDH text log row by row.

    Parameters
    ----------
    target
        The file to write.
    suffix
        ``.csv`` or ``.tsv``.
    cell
        First cell of the header.
    paths
        Counter paths in the order of the columns.
    encoding
        Python's name of the character encoding.
    """

    def __init__(
        self, target: Path, suffix: str, cell: str, paths: list[str], encoding: str = "utf-8"
    ) -> None:
        self.rows = 0
        self._separator = SEPARATORS[suffix]
        self._formats: dict[bytes, str] = {}
        self._file = target.open("w", encoding=encoding, errors="replace", newline="")
        self._file.write(self._separator.join(_quoted(text) for text in (cell, *paths)) + "\r\n")

    def __enter__(self) -> TextWriter:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._file.close()

    def write(self, times: np.ndarray, values: np.ndarray) -> None:
        """Write rows: local times (datetime64) and a matrix of values, NaN where there is none."""
        blank = np.isnan(values)
        stamps = _stamps(times)
        for row in range(len(values)):
            mask = blank[row]
            cells = values[row][~mask].tolist() if mask.any() else values[row].tolist()
            self._file.write(self._format(mask) % (stamps[row], *cells))
        self.rows += len(values)

    def _format(self, mask: np.ndarray) -> str:
        key = np.packbits(mask).tobytes()
        found = self._formats.get(key)
        if found is None:
            if len(self._formats) >= PATTERNS_KEPT:
                self._formats.clear()
            cells = ['"%s"', *(BLANK if is_blank else NUMBER for is_blank in mask.tolist())]
            found = self._formats[key] = self._separator.join(cells) + "\r\n"
        return found


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _stamps(times: np.ndarray) -> list[str]:
    iso = np.datetime_as_string(times.astype("datetime64[ms]"), unit="ms")
    return [f"{t[5:7]}/{t[8:10]}/{t[:4]} {t[11:]}" for t in iso.tolist()]
