"""The product's own short text of an error that a text names by number.

Texts are those of ``agtrace/tables/error_texts.tsv``. Of messages that agtrace recognises, the English ones
of ``agtrace/readers/errorlog/templates.tsv`` do where these are not cut within their first sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

SQL_SERVER, WINDOWS = "SQL Server", "Windows"
_OF_WINDOWS = r"(?:operating system error|windows(?: system)? error|os error|error code)"
_OF_SQL_SERVER = r"(?:error_number|error|exception|message|msg)"
_NUMBERS = r"\d{1,5}(?:(?:,| or| and) \d{4,5})*"
_NAMED = re.compile(
    rf"\b(?:(?P<windows>{_OF_WINDOWS})|{_OF_SQL_SERVER})(?: number)?\s?[:=]?\s?"
    rf"(?P<numbers>{_NUMBERS})\b(?![.:]\d)"
    r"|\((?P<alone>\d{5}(?:, \d{5})*)\)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+")
_ARGUMENT = re.compile(r"%\d+")
_SENTENCE_END = re.compile(r"(?<=[\w)'\"\]}%])\.(?= )")
_OPEN = re.compile(r"\s*\([^)]*$")
LIKE_A_TEXT = 24
"""Characters of a message's own words needed to recognise the message in a text."""


class NamedError(NamedTuple):
    """An error named in a text: the position of its number, and the product's text for it."""

    start: int
    end: int
    number: str
    text: str


def named_errors(text: str) -> Iterator[NamedError]:
    """Yield the errors that a text names by number and that have a text, in their order."""
    for found in _NAMED.finditer(text):
        product = WINDOWS if found["windows"] else SQL_SERVER
        group = "alone" if found["alone"] else "numbers"
        for number in _NUMBER.finditer(text, *found.span(group)):
            # SQL Server's own messages contain errors of sockets without "operating system".
            meant = error_text(int(number[0]), product) or (
                error_text(int(number[0]), WINDOWS) if group == "numbers" and len(number[0]) == 5 else ""
            )
            if meant:
                yield NamedError(*number.span(), number[0], meant)


def meanings(text: str) -> str:
    """Return the meanings of the errors named in a log line; "" if the line already contains them."""
    own = text.casefold()
    found = {each.number: each.text for each in named_errors(text)}
    return " ".join(
        f"{number}: {meant}" for number, meant in found.items() if not _is_said(meant.casefold(), own)
    )


def _is_said(meant: str, own: str) -> bool:
    parts = sorted((part.strip(" .'\"[]()") for part in meant.split("…")), key=len)
    return any(part[:LIKE_A_TEXT] in own for part in parts[-2:] if len(part) >= LIKE_A_TEXT - 4)


@cache
def _texts() -> dict[tuple[str, int], str]:
    found: dict[tuple[str, int], str] = {}
    for row in _rows("agtrace.readers.errorlog", "templates.tsv"):
        number, language, text = row
        if language == "en":
            found.setdefault((SQL_SERVER, int(number)), _short(text))
    for product, number, text in _rows("agtrace.tables", "error_texts.tsv"):
        found[product, int(number)] = _ARGUMENT.sub("…", text)
    return found


def error_text(number: int, product: str = SQL_SERVER) -> str:
    """Return the product's text of an error, with arguments as "…"; "" if unknown."""
    return _texts().get((product, number), "")


def _rows(package: str, name: str) -> list[list[str]]:
    table = files(package).joinpath(name).read_text("utf-8")
    return [row.split("\t") for row in table.rstrip("\n").split("\n")[1:]]


def _short(template: str) -> str:
    """Return the first sentence of a template, which is cut behind its last argument."""
    end = _SENTENCE_END.search(template)
    sentence = template[: end.end()] if end else _OPEN.sub("", template)
    return _ARGUMENT.sub("…", " ".join(sentence.split()))
