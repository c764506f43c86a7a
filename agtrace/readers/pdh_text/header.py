r"""The header line of a PDH text log: its format, its time zone, and its columns.

The first cell is ``(PDH-CSV 4.0) (<zone name>)(<bias>)``, cut wherever it did not fit; the others
are counter paths, and any cell that does not start with a backslash describes the data collector
set. Source: docs/formats/pdh_text.md, sections 1 to 3.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import BinaryIO, Literal

from xelib.pdh_text import split_cells

from agtrace.errors import CaptureError
from agtrace.readers.base import HEAD_BYTES
from agtrace.readers.pdh_text.encoding import guess_ansi
from agtrace.readers.text import sniff_encoding

MAX_HEADER_BYTES = 64 * 1024 * 1024
MAX_COLUMNS = 250_000
SEPARATORS = {"PDH-CSV": ",", "PDH-TSV": "\t"}
_FORMATS = {separator: name for name, separator in SEPARATORS.items()}

_FIRST_CELL = re.compile(
    r"\((?P<format>PDH-[CT]SV) 4\.0\)(?:\s*\((?P<zone>.*?)\)?\s*(?:\((?P<bias>-?\d+)\))?)?\s*", re.DOTALL
)
# Programs that copy logs have lost the signature and kept the rest; counter paths must follow then.
_WITHOUT_SIGNATURE = re.compile(
    rb'"?\([^()"\t]{1,120}(?:\([^()"\t]{0,120}\))?\)\(-?\d{1,4}\)"?[,;\t]"?\\\\[^\\",;\t]{1,255}\\'
)
_ZONE_CELL = re.compile(r"\((?P<zone>.+)\)\((?P<bias>-?\d{1,4})\)", re.DOTALL)
_MOST_BIAS_MINUTES = 24 * 60
_LONGEST_FIRST_CELL = 1_000
_FIRST_PATH = re.compile(r'([,;\t])"?\\')
_UTF16 = ("utf-16-le", "utf-16-be")
_SPACE = b" \t\r\n\0"


@dataclass(frozen=True)
class Header:
    """The header line and its position.

    Parameters
    ----------
    format
        PDH-CSV or PDH-TSV, as written; derived from the separator if the signature was lost.
    has_signature
        False if the first cell contains only the time zone.
    zone_name
        Windows' name of the time zone, possibly truncated. It is never trusted, unlike the bias.
    bias_minutes
        UTC minus local time at the start of the log; None if it was cut off.
    separator
        Separator of the cells; ``;`` after some spreadsheets.
    cells
        All cells, including the first.
    encoding
        Python's name of the encoding of the names.
    guessed
        The language that the encoding was guessed from; "" if it was certain.
    offset
        Byte offset of the header line.
    line
        Physical line number, from 1.
    raw
        The bytes of the line without its line end.
    end
        Byte offset of the first data row.
    rest
        Bytes of the file that were read beyond the header line.
    """

    format: str
    has_signature: bool
    zone_name: str | None
    bias_minutes: int | None
    separator: str
    cells: list[str]
    encoding: str
    guessed: str
    offset: int
    line: int
    raw: bytes
    end: int
    rest: bytes

    @property
    def code_units(self) -> Literal["bytes", "utf-16-le", "utf-16-be"]:
        """Code units of the file, for the decoder of the rows."""
        match self.encoding:
            case "utf-16-le" | "utf-16-be" as units:
                return units
        return "bytes"


@dataclass(frozen=True)
class _Line:
    raw: bytes
    offset: int
    number: int
    end: int
    rest: bytes
    encoding: str | None
    """Certain encoding (a byte order mark, or UTF-16 without one)."""


def is_header(head: bytes) -> bool:
    """Return whether a file whose first bytes are ``head`` starts like a PDH text log."""
    name, skip = sniff_encoding(head)
    text = head[skip:].lstrip(_SPACE)[:1024]
    if name in _UTF16:
        text = text.replace(b"\0", b"")
    if text.removeprefix(b'"').startswith((b"(PDH-CSV 4.0)", b"(PDH-TSV 4.0)")):
        return True
    return _WITHOUT_SIGNATURE.match(text) is not None


def read_header(file: BinaryIO, path: str, block_bytes: int, encoding: str | None) -> Header:
    """Read up to the end of the header line.

    Raises
    ------
    CaptureError
        The file is empty, is not a PDH text log, or ends inside its header; or the header is too large.
    """
    line = _first_line(file, path, block_bytes)
    try:
        name, guessed = _encoding(line, encoding)
        text = line.raw.decode(name, errors="replace")
    except (LookupError, ValueError):
        # Python has codecs that are not character encodings; only the user can have named one.
        raise CaptureError(path, f"unknown encoding {encoding!r}") from None
    separator = _separator(text)
    try:
        cells = split_cells(text, separator, MAX_COLUMNS)
    except ValueError:
        raise CaptureError(
            path, "header with too many columns", offset=line.offset, need=f"at most {MAX_COLUMNS}"
        ) from None
    first = cells[0].strip()
    first = first if len(first) <= _LONGEST_FIRST_CELL else ""
    match = _FIRST_CELL.fullmatch(first)
    bare = _ZONE_CELL.fullmatch(first) if not match and len(cells) > 1 else None
    if bare and cells[1].strip().startswith("\\\\"):
        match = bare
    if not match:
        raise CaptureError(
            path,
            "no PDH header",
            offset=line.offset,
            need='a first cell like "(PDH-CSV 4.0) (zone)(bias)"',
            have=ascii(cells[0].strip()[:60]),
        )
    bias = int(match["bias"]) if match["bias"] and len(match["bias"]) < 6 else None
    if bias is not None and abs(bias) > _MOST_BIAS_MINUTES:
        bias = None
    return Header(
        format=_FORMATS.get(separator, "PDH-CSV") if match is bare else match["format"],
        has_signature=match is not bare,
        zone_name=match["zone"] or None,
        bias_minutes=bias,
        separator=separator,
        cells=cells,
        encoding=name,
        guessed=guessed,
        offset=line.offset,
        line=line.number,
        raw=line.raw,
        end=line.end,
        rest=line.rest,
    )


def _first_line(file: BinaryIO, path: str, block_bytes: int) -> _Line:
    """Read the first line that is not blank."""
    data = bytearray(file.read(max(block_bytes, 4)))
    while len(data) < 4 and (more := file.read(4)):
        data += more
    if not data:
        raise CaptureError(path, "empty file", need="a PDH header", have="0 bytes")
    name, skip = sniff_encoding(bytes(data[:4]))
    certain = name if skip or name in _UTF16 else None
    width = 2 if name in _UTF16 else 1
    line_end = "\n".encode(name) if width == 2 else b"\n"
    start = searched = skip
    number = 1
    while True:
        found = _find(data, line_end, searched, skip)
        if found < 0:
            searched = max(searched, len(data) - len(data) % width - width)
            if not (more := file.read(max(block_bytes, width))):
                raise CaptureError(
                    path,
                    "the file ends inside its header line",
                    offset=start,
                    need="a line end",
                    have=f"end of file at {len(data)}",
                )
            data += more
        elif bytes(data[start:found]).strip(_SPACE):
            raw = bytes(data[start:found]).removesuffix(b"\r" if width == 1 else "\r".encode(name))
            end = found + width
            return _Line(raw, start, number, end, bytes(data[end:]), certain)
        else:
            start = searched = found + width
            number += 1
            if start > HEAD_BYTES:
                raise CaptureError(path, "no PDH header", need="a header after few blank lines")
        if len(data) - start > MAX_HEADER_BYTES and _find(data, line_end, searched, skip) < 0:
            raise CaptureError(
                path,
                "header line too long",
                offset=start,
                need=f"at most {MAX_HEADER_BYTES} bytes",
                have=f"more than {len(data) - start}",
            )


def _find(data: bytearray, line_end: bytes, start: int, origin: int) -> int:
    """Find a line end that starts at a whole character."""
    found = data.find(line_end, start)
    while found >= 0 and (found - origin) % len(line_end):
        found = data.find(line_end, found + 1)
    return found


def _encoding(line: _Line, wanted: str | None) -> tuple[str, str]:
    """Return the encoding of the names, and the language if it is a guess."""
    if line.encoding in _UTF16:
        return str(line.encoding), ""
    if wanted:
        return codecs.lookup(wanted).name, ""
    try:
        line.raw.decode("utf-8")
    except UnicodeDecodeError:
        if line.encoding is None:
            return guess_ansi(line.raw)
    return "utf-8", ""


def _separator(text: str) -> str:
    """Return the separator of the cells; the signature's own mark if there is only one.

    A zone name may hold commas: without quotes, the mark in front of the first path counts.
    """
    first = text.lstrip(" \t")
    if first.startswith('"'):
        after = first[first.find('"', 1) + 1 :][:1]
        found = after if after in {",", ";", "\t"} else ""
    else:
        match = _FIRST_PATH.search(first)
        found = match[1] if match else ""
    return found or SEPARATORS.get(first.removeprefix('"')[1:8], ",")
