"""Rowsets of fixed width, as sqlcmd and results to text of SSMS show them: read block by block."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from agtrace.readers.base import Batch, issue
from agtrace.readers.query_results.encoding import Encoding
from agtrace.readers.query_results.layouts import slabs

SLAB_BYTES = 16 << 20
"""How much is decoded before it is given as batches."""
SIGNS = re.compile(r"^-+(?: -+)* *\r?$|^ ?--(?=[^\r\n]*\w)[^\r\n|]{1,120}--\r?$", re.MULTILINE)
"""The dashes under a header, or the name of a rowset."""
STARTS = re.compile(
    r"^(?:Starting (?:SQL Server Perf Stats|Redo Tasks Performance Statistics)"
    r"|Changed language setting to |-- (?:Script Source|DiagInfo|Script and Environment Details) --)",
    re.MULTILINE,
)
"""Lines that only the collecting scripts write; rowsets may begin much later, or be missing."""

_SAID = {
    "server_error": ("warning", "the server reported message {number}: {text}"),
    "sqlcmd_error": ("warning", "sqlcmd reports: {text}"),
    "script_error": ("warning", "the script reports: {text}"),
    "row_limit": ("warning", "the script left rows out: {text}"),
    "damaged_row": (
        "warning",
        "lines left out that stand among rows and are none: their values are not under the dashes",
    ),
    "truncated": ("warning", "the last row is cut off"),
    "no_line_end": ("info", "the last line has no line end: should the file be cut, it may be"),
    "long_line": ("data_loss", "only the first 1,048,576 bytes of a line are read"),
}

Slab = tuple[pa.RecordBatch, pa.RecordBatch, pa.Array]
"""Heads, rows, and where the rows begin."""


class Rowsets:
    """Decodes a text, and keeps what the decoder reports.

    Parameters
    ----------
    encoding
        That of the file, in whose units offsets count.
    """

    def __init__(self, encoding: Encoding) -> None:
        # Loaded when a text is read: no other format needs it.
        from xelib.rowsets import Decoder

        self._unit = encoding.unit
        self._decoder = Decoder(measure=encoding.measure, offset=encoding.skip // encoding.unit)
        self._faults: list[Any] = []

    def read(self, blocks: Iterable[bytes]) -> Iterator[Slab]:
        """Return heads and rows of a text in UTF-8."""
        for block in blocks:
            if self._decoder.feed(block) >= SLAB_BYTES:
                yield self._taken()
        self._decoder.finish()
        yield self._taken()
        self._faults = list(self._decoder.faults())

    def _taken(self) -> Slab:
        head_slab, row_slab = self._decoder.take()
        heads, rows = slabs.heads(head_slab), slabs.rows(row_slab)
        return heads, rows, slabs.offsets(row_slab) if rows.num_rows else pa.array([], pa.int64())

    @property
    def has_faults(self) -> bool:
        """Whether the decoder reported anything."""
        return bool(self._faults)

    def issues(self) -> Iterator[Batch]:
        """Return one issue for each kind of fault."""
        for kind, number, count, line, offset, text in self._faults:
            severity, said = _SAID[kind]
            message = f"line {line}: " + said.format(number=number, text=" ".join(text.split()))
            yield issue(kind, message, severity=severity, offset=offset * self._unit, count=count)


def heads_of(text: str) -> list[tuple[str | None, list[str]]]:
    """Return name and columns of each rowset of a short text."""
    from xelib.rowsets import Decoder

    decoder = Decoder()
    decoder.feed(text.encode("utf-8", "replace"))
    decoder.finish()
    heads = slabs.heads(decoder.take()[0])
    return list(zip(heads["name"].to_pylist(), heads["columns"].to_pylist(), strict=True))
