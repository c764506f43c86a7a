"""The reader: rowsets batch by batch, the facts of those that are known, then the issues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pyarrow as pa

from agtrace.errors import CaptureError
from agtrace.readers.base import Batch, Detection, ReadOptions, Source, issue
from agtrace.readers.far_times import far_issue, far_rows
from agtrace.readers.rowsets import slabs
from agtrace.readers.rowsets.encoding import BLOCK_BYTES, Encoding, encoding_of, utf8_blocks
from agtrace.readers.rowsets.gathering import Gathered
from agtrace.readers.rowsets.neighbours import TELLING
from agtrace.readers.rowsets.topics import TOPICS
from agtrace.readers.seeding_dmv.columns import topics_of
from agtrace.readers.text import decode_text

KIND = "rowsets of sqlcmd"
DEFAULTS = ReadOptions()
SLAB_BYTES = 16 << 20
"""How much is decoded before it is given as batches."""

_SIGNS = re.compile(r"^-+(?: -+)* *\r?$|^ ?--[^\r\n]{1,120}--\r?$", re.MULTILINE)
_STARTS = re.compile(
    r"^(?:Starting (?:SQL Server Perf Stats|Redo Tasks Performance Statistics)"
    r"|Changed language setting to |-- (?:Script Source|DiagInfo|Script and Environment Details) --)",
    re.MULTILINE,
)
"""What only the collecting scripts write: a rowset may begin late, or not at all."""
_COLLECTORS = re.compile(
    r"AlwaysOnDiag|AGConfig_Info|_AlwaysOn\.OUT$|Perf_?Stats|MiscDiagInfo|MiscPssdiagInfo", re.I
)

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


class RowsetReader:
    """Reads what sqlcmd writes: rowsets of fixed width between other text."""

    topics = TOPICS
    asks = TELLING

    def detect(self, head: bytes, name: str) -> Detection | None:
        """Recognise rowsets by a header and its dashes, or by what the collecting scripts write.

        Files that hold exports of the seeding DMVs and nothing else are left to their own reader.
        """
        return Detection(KIND) if _holds(head, _COLLECTORS.search(name) is not None) else None

    def read(self, source: Source, options: ReadOptions = DEFAULTS) -> Iterator[Batch]:
        """Give heads and rows of all rowsets, then facts and issues.

        Raises
        ------
        CaptureError
            Nothing in the file is a rowset, and no script wrote it.
        """
        # Loaded when a text is read: no other format needs it.
        from xelib.rowsets import Decoder

        encoding = encoding_of(source, options)
        decoder = Decoder(measure=encoding.measure, offset=encoding.skip // encoding.unit)
        gathered = Gathered(encoding)
        far = _Far(encoding)
        for block in utf8_blocks(source, encoding, options.block_bytes or BLOCK_BYTES):
            if decoder.feed(block) >= SLAB_BYTES:
                yield from _batches(decoder, gathered, far)
        decoder.finish()
        yield from _batches(decoder, gathered, far)
        yield from gathered.facts()
        faults = decoder.faults()
        if not gathered.rowsets and not faults and not _is_script(source, options):
            raise CaptureError(source.path, f"no {KIND} in it")
        for kind, number, count, line, offset, text in faults:
            severity, said = _SAID[kind]
            message = f"line {line}: " + said.format(number=number, text=" ".join(text.split()))
            yield issue(kind, message, severity=severity, offset=offset * encoding.unit, count=count)
        yield from gathered.issues()
        if far.count:
            yield far_issue("rows", far.count, far.offset)
        if encoding.is_guess:
            message = (
                f"characters beyond ASCII are read in code page {encoding.name.removeprefix('cp')}: "
                "a guess by the look of its words, as the file names none"
            )
            yield issue("code_page_guessed", message, severity="info")


class _Far:
    """Counts the rows dated where no time in UTC is."""

    def __init__(self, encoding: Encoding) -> None:
        self._unit = encoding.unit
        self.count = 0
        self.offset: int | None = None

    def see(self, rows: pa.RecordBatch, offsets: pa.Array) -> None:
        found = far_rows(rows["time_local"])
        if len(found) and self.offset is None:
            self.offset = offsets[int(found[0])].as_py() * self._unit
        self.count += len(found)


def _batches(decoder: Any, gathered: Gathered, far: _Far) -> Iterator[Batch]:
    head_slab, row_slab = decoder.take()
    heads, rows = slabs.heads(head_slab), slabs.rows(row_slab)
    if heads.num_rows:
        yield "rowset_heads", heads
    if rows.num_rows:
        offsets = slabs.offsets(row_slab)
        far.see(rows, offsets)
        gathered.see(heads, rows, offsets)
        yield "rowset_rows", rows
    else:
        gathered.see(heads, rows, pa.array([], pa.int64()))


def _is_script(source: Source, options: ReadOptions) -> bool:
    text = decode_text(source.head(), options.encoding)
    is_named = _COLLECTORS.search(source.name) is not None
    return is_named or not text.strip() or _STARTS.search(text) is not None


@lru_cache(4)
def _holds(head: bytes, is_named: bool) -> bool:
    text = decode_text(head)
    if "\0" in text or not text.strip():
        return False
    if _STARTS.search(text):
        return True
    found = _heads(text) if _SIGNS.search(text) else []
    if found and all(topics_of(columns) for _name, columns in found):
        return is_named or "\n-- " in text
    # One column is easily the underlined title of another tool's text.
    return is_named or any(len(columns) > 1 or name for name, columns in found)


def _heads(text: str) -> list[tuple[str | None, list[str]]]:
    from xelib.rowsets import Decoder

    decoder = Decoder()
    decoder.feed(text.encode("utf-8", "replace"))
    decoder.finish()
    heads = slabs.heads(decoder.take()[0])
    return list(zip(heads["name"].to_pylist(), heads["columns"].to_pylist(), strict=True))


READING = RowsetReader()
