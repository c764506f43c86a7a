"""Find the code page of an output from the files beside it.

Collectors write some files in UTF-16 that contain the same names of databases and servers, and one with the
locale of Windows. These resolve the encoding of an output that does not state it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agtrace.errors import AgtraceError
from agtrace.readers.base import Source
from agtrace.readers.text import sniff_encoding

TELLING = re.compile(r"AGTopology|EventLog_|SystemInfo|_cluster\.log$|AlwaysOn\.OUT$", re.I)
MAX_FILES = 20
MAX_WORDS = 20_000
_WORD = re.compile(r"\w+")
_LOCALE = re.compile(r":\s+(?P<locale>[a-z]{2,3}(?:-[a-z]{2,4})?);", re.IGNORECASE)
"""A line of systeminfo: ``System Locale: de;German (Germany)``, in the words of any language."""

_LOCALES = {
    "cp437": "en-us",
    "cp850": "en de fr es it pt nl da sv nb nn no fi is ca",
    "cp852": "pl cs hu sk sl hr ro sq",
    "cp866": "ru uk bg be",
    "cp932": "ja",
    "cp936": "zh zh-cn zh-sg",
    "cp949": "ko",
    "cp950": "zh-tw zh-hk zh-mo",
    "cp737": "el",
    "cp857": "tr",
    "cp862": "he",
    "cp775": "lt lv et",
    "cp874": "th",
}
_OEM = {locale: page for page, locales in _LOCALES.items() for locale in locales.split()}
"""Code page of the console, by locale."""


def code_pages(source: Source, words: Sequence[bytes], known: Sequence[str]) -> list[str]:
    """Return the code pages in which words of an output match those of the files beside it.

    Parameters
    ----------
    words
        Words of the output beyond ASCII, as its bytes.
    known
        The code pages that come into question.

    Returns
    -------
    list of str
        Those in which most of the words are found again, else that of the locale of Windows;
        empty where nothing beside the output tells.
    """
    vocabulary, locale = _heard(source)
    hits = {page: sum(_is_heard(word, page, vocabulary) for word in words) for page in known}
    most = max(hits.values(), default=0)
    if most:
        return [page for page in known if hits[page] == most]
    page = _OEM.get(locale, _OEM.get(locale.partition("-")[0])) if locale else None
    return [page] if page and all(_decoded(word, page) is not None for word in words) else []


def _heard(source: Source) -> tuple[set[str], str]:
    """Return words beyond ASCII of the files beside a capture, and the locale that one of them names."""
    vocabulary: set[str] = set()
    locale = ""
    telling = [each for each in source.beside() if TELLING.search(each.name)]
    for other in telling[:MAX_FILES]:
        if other.path == source.path:
            continue
        try:
            head = other.head()
        except (OSError, AgtraceError):
            # It has its own row in the overview.
            continue
        encoding, skip = sniff_encoding(head)
        text = head[skip:].decode(encoding, "ignore")
        if encoding.startswith("utf-16") and len(vocabulary) < MAX_WORDS:
            vocabulary.update(_names(text))
        if "systeminfo" in other.name.lower() and (match := _LOCALE.search(text)):
            locale = match["locale"].lower()
    return vocabulary, locale


def _is_heard(word: bytes, page: str, vocabulary: set[str]) -> bool:
    text = _decoded(word, page)
    return text is not None and any(name in vocabulary for name in _names(text))


def _names(text: str) -> Iterator[str]:
    """Return the words of a text that are not ASCII."""
    return (match[0] for match in _WORD.finditer(text) if not match[0].isascii())


def _decoded(word: bytes, page: str) -> str | None:
    try:
        return word.decode(page)
    except UnicodeDecodeError:
        return None
