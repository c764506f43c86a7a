"""Statements without names and literals: keywords of those about groups, backups and endpoints stay."""

from __future__ import annotations

import re
from collections.abc import Callable

from agtrace.redact.vocabulary import listed

_TOKEN = re.compile(
    r"""
      (?P<space>\s+|--[^\r\n]*|/\*.*?\*/)
    | (?P<text>N?'(?:[^']|'')*')
    | (?P<name>\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*")
    | (?P<number>0[xX][0-9A-Fa-f]*|\d+(?:\.\d+)?)
    | (?P<word>[^\W\d][\w@$#]*)
    | (?P<mark>[=(),;*.:])
    """,
    re.VERBOSE | re.DOTALL,
)
_KEPT = re.compile(
    r"\s*(?:(?:create|alter|drop)\s+availability\s+group|(?:create|alter|drop)\s+endpoint|"
    r"alter\s+database\s+(?:\[(?:[^\]]|\]\])*\]|\w+)\s+set\s+hadr|(?:backup|restore)\s+(?:database|log))\b",
    re.IGNORECASE,
)
_WORDS = listed("statements.txt")
_NUMBERED = frozenset(
    (
        "maxtransfersize",
        "buffercount",
        "blocksize",
        "stats",
        "backup_priority",
        "session_timeout",
        "listener_port",
        "port",
        "health_check_timeout",
        "failure_condition_level",
        "required_synchronized_secondaries_to_commit",
        "file",
        "retaindays",
    )
)
"""Options whose numbers describe the set-up of a group or a backup, without personal data."""


def is_kept(statement: str) -> bool:
    """Return whether a statement starts like one about groups, endpoints, backups or restores."""
    return _KEPT.match(statement) is not None


def rewritten(
    statement: str, named: Callable[[str], str], written: Callable[[str], str], number: Callable[[str], str]
) -> str | None:
    """Return one statement with its keywords, and every name, literal and comment replaced.

    Parameters
    ----------
    statement
        The text.
    named, written, number
        Replace a name, the content of a literal, and a number.

    Returns
    -------
    The statement; None if the text contains more than one, or something else.
    """
    made: list[str] = []
    at, is_over, option = 0, False, ""
    while at < len(statement):
        match = _TOKEN.match(statement, at)
        if match is None:
            return None
        at, kind, text = match.end(), match.lastgroup, match[0]
        if kind == "space":
            made.append(" ")
            continue
        if is_over:
            return None
        if kind == "mark":
            is_over = text == ";"
            made.append(text)
            option = option if text in "=" else ""
            continue
        if kind == "text":
            head = "N'" if text[0] == "N" else "'"
            made.append(head + written(text[len(head) : -1].replace("''", "'")).replace("'", "''") + "'")
        elif kind == "name":
            made.append(text[0] + named(text[1:-1].replace(text[-1] * 2, text[-1])) + text[-1])
        elif kind == "number":
            made.append(text if option in _NUMBERED or text in ("0", "1") else number(text))
        else:
            made.append(text if text.casefold() in _WORDS else named(text))
        option = text.casefold() if kind == "word" else ""
    return "".join(made).strip()
