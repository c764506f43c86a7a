"""Detect the encoding of a text, and convert its bytes to UTF-8.

Outputs of sqlcmd are in the OEM code page of the machine that ran it, and do not name it. The code page is
taken from neighbouring files, or else guessed from how plausible the words are in each; a guess is reported.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agtrace.readers.base import ReadOptions, Source
from agtrace.readers.query_results.neighbours import code_pages
from agtrace.readers.text import sniff_encoding

BLOCK_BYTES = 1 << 20

CODE_PAGES = (
    "cp850", "cp1252", "cp437", "cp866", "cp1251", "cp932", "cp936", "cp949", "cp950", "cp852",
    "cp1250", "cp737", "cp1253", "cp857", "cp1254", "cp862", "cp1255", "cp864", "cp1256", "cp775",
    "cp1257", "cp874",
)  # fmt: skip
"""Code pages of Windows, for the console (OEM) or elsewhere (ANSI); of equal candidates the first wins."""

EAST_ASIAN = frozenset({"cp932", "cp936", "cp949", "cp950", "shift_jis", "gbk", "gb2312", "big5"})
"""Their characters take one or two bytes."""

MAX_WORDS = 2000
"""Words by which the code page is guessed."""
_WORD = re.compile(rb"[!-~]{0,40}[\x80-\xff][!-\xff]{0,40}")
_UNDECODABLE, _STRANGE, _LETTER = -20, -4, 2
MAX_ACCENTS = 2


@dataclass(frozen=True)
class Encoding:
    """The encoding of a text.

    Parameters
    ----------
    name
        Python's name of the encoding.
    skip
        Length of the byte order mark.
    is_guess
        Whether it was guessed from its words alone.
    """

    name: str
    skip: int = 0
    is_guess: bool = False

    @property
    def is_wide(self) -> bool:
        """Whether a character takes two bytes, or four."""
        return self.name.lower().replace("_", "-").startswith("utf-16")

    @property
    def measure(self) -> str:
        """Unit in which widths are counted (`xelib.rowsets.Decoder`)."""
        if self.name == "utf-8":
            return "bytes"
        return "columns" if self.name in EAST_ASIAN else "units"

    @property
    def unit(self) -> int:
        """Bytes of what the measure counts."""
        return 2 if self.is_wide else 1


def saved_encoding(source: Source, options: ReadOptions) -> Encoding:
    """Return the encoding of a text that a program saved; code pages of consoles are not considered."""
    with source.open() as file:
        name, skip = sniff_encoding(file.read(BLOCK_BYTES))
    return Encoding(codecs.lookup(options.encoding or name).name, skip)


def encoding_of(source: Source, options: ReadOptions) -> Encoding:
    """Return the encoding of a text: a text is UTF-8 only if all of it is."""
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    words: list[bytes] = []
    is_utf8 = True
    for number, block in enumerate(_raw(source, BLOCK_BYTES)):
        if number == 0:
            name, skip = sniff_encoding(block)
            if options.encoding:
                return Encoding(codecs.lookup(options.encoding).name, skip)
            if skip or name.startswith("utf-16"):
                return Encoding(name, skip)
        if block.isascii() and not decoder.getstate()[0]:
            continue
        if is_utf8:
            try:
                decoder.decode(block)
            except UnicodeDecodeError:
                is_utf8 = False
        if len(words) < MAX_WORDS:
            words += _words(block, MAX_WORDS - len(words))
        elif not is_utf8:
            break
    if is_utf8:
        return Encoding("utf-8")
    distinct = list(dict.fromkeys(words))
    told = code_pages(source, distinct, CODE_PAGES)
    # If several code pages fit the evidence but decode a word differently, the choice is still a guess.
    texts = {tuple(word.decode(name, "replace") for word in distinct) for name in told}
    return Encoding(guessed(distinct, told or CODE_PAGES), is_guess=len(texts) != 1)


def _words(block: bytes, count: int) -> list[bytes]:
    found = []
    for match in _WORD.finditer(block):
        found.append(match[0])
        if len(found) >= count:
            break
    return found


def guessed(words: Sequence[bytes], pages: Sequence[str] = CODE_PAGES) -> str:
    """Return the code page in which words look most like words."""
    distinct = list(dict.fromkeys(words))
    return max(pages, key=lambda name: sum(_likeness(word, name) for word in distinct))


def _likeness(word: bytes, code_page: str) -> int:
    """Return how much a word resembles one: letters of one script, lower case after a capital."""
    try:
        text = word.decode(code_page)
    except UnicodeDecodeError:
        return _UNDECODABLE
    score, scripts, before, accents = 0, set(), " ", 0
    for character in text:
        script = unicodedata.name(character, "?").split(" ")[0] if character.isalpha() else ""
        # Latin letters with marks stand alone or in pairs.
        accents = accents + 1 if script == "LATIN" and character > "\x7f" else 0
        if accents > MAX_ACCENTS:
            score += _STRANGE
        if script:
            scripts.add(script)
            if character > "\x7f":
                is_odd = before.islower() and character.isupper()
                score += _STRANGE if is_odd or character in "ªºƒ" else _LETTER
            elif character.isupper() and before.islower() and before > "\x7f":
                score += _STRANGE
        elif character > "\x7f":
            score += _STRANGE
        before = character
    # Japanese mixes its scripts, and Latin letters with them.
    japanese = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "FULLWIDTH"}
    if len(scripts - japanese) + bool(scripts & japanese) > 1:
        score += _STRANGE * len(text)
    return score


def utf8_blocks(source: Source, encoding: Encoding, block_bytes: int) -> Iterator[bytes]:
    """Yield the text as UTF-8, block by block; invalid bytes become U+FFFD."""
    skip = encoding.skip
    decoder = codecs.getincrementaldecoder(encoding.name)("replace")
    for raw in _raw(source, block_bytes):
        block, skip = raw[skip:], max(skip - len(raw), 0)
        if encoding.name == "utf-8":
            # Invalid UTF-8 is replaced later, line by line.
            yield block
        elif block.isascii() and not encoding.is_wide and not decoder.getstate()[0]:
            yield block
        else:
            yield decoder.decode(block).encode("utf-8", "replace")
    if encoding.name != "utf-8":
        yield decoder.decode(b"", True).encode("utf-8", "replace")


def _raw(source: Source, size: int) -> Iterator[bytes]:
    with source.open() as file:
        while block := file.read(size):
            yield block
