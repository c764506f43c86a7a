"""Message templates of 21 languages to RE2 patterns.

``templates.tsv`` holds what of each message is needed to tell it apart: number, language, wording
with %1, %2, ... for the arguments, cut behind the last of them. Languages order the arguments
differently, so they go by number, never by place.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from agtrace.readers.errorlog.catalogue import DECIMALS, LSNS, NUMBERS, RECOGNISED, VERBATIM, Literal, Message
from agtrace.readers.errorlog.match import Pattern, PatternSet

QUOTES = "'\"„“”«»‘’"
TRIMMED = (1480, 19406, 35201, 35202, 35206, 35264, 35265, 35266, 35267)
"""Messages that people copy without their last sentence; in English, the rest is still unique."""
_ARGUMENT = re.compile(r"%(\d{1,2})")
_SPACE = "[\\s\\x{A0}]*"
_INDEFINITE = re.compile(rf"[{QUOTES}\u00a0\u3000]|\s\s|(?<=[.;])\s")
_ALWAYS = re.compile("Always ?On")
_MARK = "\x01"
_APOSTROPHE = re.compile(r"(?<=[A-Za-z])['’](?=[^\W\d])")
_LOOSE = re.compile(rf"(\s+|[{QUOTES}]|Always ?On)")
_ESCAPED = str.maketrans({character: f"\\{character}" for character in r"\.+*?()|[]{}^$"})
_SHAPES = {
    "statement": "[A-Z][A-Z ]*?",
    "step": r"Backup\w*(?:::\w+)*",
    "kind": f"[^{QUOTES}.:]+?",
    "role": "[^ ]+?",
    "remote_role": "[^ ]+?",
}
"""Patterns of arguments, so that they do not match in much longer texts."""


@cache
def message_patterns() -> PatternSet:
    """Return every pattern, English before the other languages."""
    wordings: dict[int, list[tuple[str, str]]] = {}
    table = files("agtrace.readers.errorlog").joinpath("templates.tsv").read_text("utf-8")
    for row in table.rstrip("\n").split("\n")[1:]:
        number, language, text = row.split("\t")
        wordings.setdefault(int(number), []).append((language, text))
    found: list[Pattern] = []
    for entry in RECOGNISED:
        if isinstance(entry, Literal):
            found.append(Pattern(entry, "en", entry.pattern, _heads(entry.prefix)))
        else:
            found += [_pattern(entry, *wording) for wording in wordings[entry.id]]
    return PatternSet(tuple(sorted(found, key=lambda pattern: pattern.language != "en")))


def _pattern(entry: Message, language: str, text: str) -> Pattern:
    pieces = _ARGUMENT.split(text)
    literals, numbers = pieces[::2], [int(n) for n in pieces[1::2]]
    if entry.arguments and entry.arguments[0] in VERBATIM:
        literals[0] = literals[0].rstrip()
    regex = "(?s)^" + literal_pattern(literals[0])
    for place, (number, literal) in enumerate(zip(numbers, literals[1:], strict=True)):
        regex += _group(entry.arguments[number - 1])
        if place < len(numbers) - 1 or re.search(r"\w", literal):
            is_short = place == len(numbers) - 1 and language == "en" and entry.id in TRIMMED
            regex += rf"(?:{literal_pattern(literal)}|\W{{0,4}}$)" if is_short else literal_pattern(literal)
        else:
            # A closing full stop may also stand inside the argument: only the last one ends it.
            regex += literal_pattern(literal.rstrip(".。 ")) + r"[.。]?\s*$"
    heads = _heads(literals[0]) or tuple(head.encode() for head in entry.heads)
    fragment = literal_pattern(max(literals, key=len).strip())
    return Pattern(
        entry, language, regex, heads, fragment, ascii=not re.search(rf"[^\x00-\x7f\u00a0{QUOTES}]", text)
    )


def _heads(literal: str) -> tuple[bytes, ...]:
    """Return the prefixes of a text; an apostrophe and Always On are written in two ways."""
    plain = _APOSTROPHE.sub("’", _ALWAYS.sub("Always On", literal))
    definite = _INDEFINITE.split(plain.replace("’", _MARK), maxsplit=1)[0].rstrip()
    spellings = [
        definite.replace(_MARK, mark).replace("Always On", always)
        for mark in "'’"
        for always in ("Always On", "AlwaysOn")
    ]
    return tuple(dict.fromkeys(spelling.encode() for spelling in spellings if definite))


def _group(name: str) -> str:
    """Return the pattern of one argument."""
    if not name:
        return ".*?"
    if name in NUMBERS:
        return f"(?P<{name}>-?[0-9]+)"
    if name in LSNS:
        return rf"\(?(?P<{name}>[0-9:]+)\)?"
    if name in DECIMALS:
        return f"(?P<{name}>[0-9]+[.,][0-9]+)"
    if name in _SHAPES:
        return f"(?P<{name}>{_SHAPES[name]})"
    return f"(?P<{name}>.*?)"


def literal_pattern(text: str) -> str:
    """Escape a literal; quotation marks, AlwaysOn or Always On, and blanks between sentences compare
    loosely.
    """
    out = ""
    for piece in _LOOSE.split(text):
        if piece == " " and not out.endswith((".", ":", ";")):
            out += " "
        elif piece.isspace():
            out += _SPACE
        elif piece in QUOTES and piece:
            out += f"[{QUOTES}]"
        elif piece.startswith("Always"):
            out += "Always ?On"
        else:
            out += piece.translate(_ESCAPED)
    return out
