"""Recognising an ERRORLOG, and its order, by its first bytes (docs/formats/errorlog.md, section 1)."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache

from agtrace.readers.text import sniff_encoding

HEADER = re.compile(
    r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{2,3})[ \t]+([^ \t\r\n]+)(?:[ \t]+([^\r\n]*))?\r?$", re.MULTILINE
)
KNOWN_SOURCE = re.compile(r"Server|Logon|Backup|spid\d{1,9}s?")

COLUMN_TITLES = re.compile(r"\s*LogDate\s+ProcessInfo\s+Text\s*?\n(?:[-\s]*\n)?", re.IGNORECASE)
"""Header that query tools write above the rows of xp_readerrorlog."""

_PROSE = re.compile(r"\n[ \t]*\r?\n(?!\d{4}-)[A-Za-z'\"][\w'\",:;/()-]*(?: [\w'\",.:;/()?!-]+){4}")
"""Words behind a blank line."""
_INDENTED = re.compile(r"\ufeff?(?:[ \t]*\r?\n)*[ \t]+\d{4}-")


@lru_cache(4)
def head_text(head: bytes, encoding: str | None = None) -> tuple[str, str, int]:
    """Decode the head of a file; return the text, the encoding, and the length of the byte order mark.

    It is cached for all readers that inspect a file.
    """
    name, skip = sniff_encoding(head)
    if encoding is not None and encoding.lower().replace("_", "-") != name:
        name = encoding
    body = head[skip:]
    if name.startswith("utf-16"):
        body = body[: len(body) & ~1]
    return body.decode(name, errors="replace"), name, skip


def is_errorlog(text: str) -> bool:
    """Return whether the first non-blank line is a header, with a known source.

    SQL Server Agent logs have ``- ? [100]`` behind the time, the full-text launcher's logs have no
    source; logs of other programs have a level there, which no ERRORLOG has as a source.
    """
    titles = COLUMN_TITLES.match(text)
    body = text[titles.end() if titles else 0 :].lstrip("\ufeff\r\n\t ")
    if titles and "\t" in titles[0] and '\t"' in body:
        # Its cells are quoted: an export of rows, which readers/errorlog_export reads.
        return False
    first = HEADER.match(body)
    if first is None:
        return False
    if KNOWN_SOURCE.fullmatch(first[2]):
        return True
    if not re.fullmatch(r"[A-Za-z][\w.$]*", first[2]):
        return False
    return any(KNOWN_SOURCE.fullmatch(entry[2]) for entry in HEADER.finditer(body))


def is_mixed(text: str) -> bool:
    """Return whether a short log is printed in columns, broken into lines, or has prose or tables beside it.

    `agtrace.readers.pasted_text` reads such texts.
    """
    # Loaded for short files alone: the first line tells what most logs are.
    from agtrace.readers.pasted_text.mixed import has_other_content, is_wrapped

    titles = COLUMN_TITLES.match(text)
    if (titles and "---" in titles[0]) or _INDENTED.match(text) or _PROSE.search(text):
        return True
    return is_wrapped(text) or has_other_content(text, "errorlog")


def is_newest_first(text: str) -> bool:
    """Return whether the entries of the head run backwards in time, as exports of viewers do.

    A few steps back are normal in an original: threads race for the log.
    """
    times = [entry[1].ljust(23, "0") for entry in HEADER.finditer(text)]
    down = sum(a > b for a, b in itertools.pairwise(times))
    up = sum(a < b for a, b in itertools.pairwise(times))
    return down >= 3 and down > 2 * up and times[-1] < times[0]
