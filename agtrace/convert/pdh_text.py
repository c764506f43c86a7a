"""PDH text logs (PDH-CSV 4.0, PDH-TSV 4.0) as Performance Monitor and relog write them.

Every cell quoted, lines ended by CR LF, times ``MM/DD/YYYY HH:MM:SS.mmm`` in local time, numbers
with 17 significant digits (they read back to the same double), a missing value as one space.
"""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
from xelib.pdh_text import RowWriter

SEPARATORS = {".csv": ",", ".tsv": "\t"}
PIECE_BYTES = 4 << 20


def header_cell(facts: dict[tuple[str, str], str], suffix: str) -> str:
    """Return the first cell of the header: signature, zone and bias as the capture states them.

    A cell that was cut short when the log was made stays cut: what it lacks is not known.
    """
    signature = f"(PDH-{suffix.lstrip('.').upper()} 4.0)"
    zone, bias = (_stated(facts, key) for key in ("zone_name", "bias_minutes"))
    if bias is not None:
        return f"{signature} ({zone or ''})({bias})"
    return f"{signature} ({zone}" if zone else signature


def _stated(facts: dict[tuple[str, str], str], key: str) -> str | None:
    return facts.get(("pdh_header", key)) or facts.get(("blg_header", key))


def text_encoding(facts: dict[tuple[str, str], str]) -> str:
    """Return the encoding to write: the capture's own, as relog does, but UTF-8 for UTF-16."""
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
        self._width = len(paths)
        header = self._separator.join(_quoted(text) for text in (cell, *paths)) + "\r\n"
        self._file = target.open("wb")
        self._file.write(header.encode(encoding, errors="replace"))

    def __enter__(self) -> TextWriter:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write(self, ticks: np.ndarray, times: np.ndarray, samples: pa.RecordBatch) -> None:
        """Write rows: their numbers and local times (datetime64), and their values.

        ``samples`` has the schema of `agtrace.tables.SAMPLES`, sorted by (counter_no, tick); what
        has no value is left blank.
        """
        lines = RowWriter(
            ticks.astype(np.int32).tobytes(),
            times.astype("datetime64[us]").astype(np.int64).tobytes(),
            *(samples[name].to_numpy().tobytes() for name in ("counter_no", "tick", "value")),
            width=self._width,
            separator=self._separator,
        )
        while text := lines.read(PIECE_BYTES):
            self._file.write(text)
        self.rows += len(ticks)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
