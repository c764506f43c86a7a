"""Markdown for tickets, which reads well unrendered: names from captures are escaped as little as will do."""

from __future__ import annotations

import re

from agtrace.say.wording import has_steps, lines_of
from agtrace.say.words import count, plain

LONGEST = 400
"""Longest advice, in characters."""

_MARKS = re.compile(r"([\\`*{}\[\]#|$~]|(?<!\w)_|_(?!\w))")
"""Characters that Markdown may treat as markup; an underscore within a word is not."""
_LINK = re.compile(r"(?<=\w):(?=//)|(?<=\bwww)\.", re.IGNORECASE)
_BEGINS = re.compile(r"^(?=[-+=])|(?<=^\d)(?=[.)])|(?<=^\d\d)(?=[.)])")
"""Characters that Markdown treats as markup only at the start of a line."""


def prose(value: str, limit: int = LONGEST) -> str:
    """Escape text of ours for Markdown, but for `commands` between backticks."""
    pieces = plain(value, limit).split("`")
    if len(pieces) % 2 == 0:
        return text(value, limit)
    return "".join(f"`{each}`" if n % 2 else _escaped(each) for n, each in enumerate(pieces))


def advice(remedy: str, limit: int = LONGEST, left: int = 0) -> list[str]:
    """Return the remedy as lines of Markdown: a list if it has steps, of which ``left`` are left out."""
    if not has_steps(remedy):
        return [f"**Do:** {prose(remedy, limit)}"]
    head = f"**Do** (the report has {count(left, 'more step')}):" if left else "**Do:**"
    return [head, *(prose(line, limit) for line in lines_of(remedy))]


def text(value: object, limit: int = 200) -> str:
    """Escape text for Markdown, as little as necessary: tickets often show it unrendered."""
    return _escaped(plain(value, limit))


def _escaped(line: str) -> str:
    escaped = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LINK.sub(lambda hit: f"&#{ord(hit[0])};", _MARKS.sub(r"\\\1", escaped))


def begun(value: object, limit: int = 200) -> str:
    """Escape text at the start of a line or list item."""
    return _BEGINS.sub(r"\\", text(value, limit))


def code(value: object, limit: int = 200) -> str:
    """Return text as code, in which only a backtick is structure."""
    return f"`{plain(value, limit).replace('`', chr(39))}`"
