"""Finds the entries of logs in a text, and writes them as the log would have them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from agtrace.readers.pasted_text.prefixes import BOX, PREFIX, unboxed, undressed

ERRORLOG = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{2,3}[ \t]+(?:Server|Logon|Backup|spid\d{1,9}s?)(?:[ \t]|$)"
)
CLUSTER_LOG = re.compile(
    r"(?:\[[^\]\n]{1,40}\] )?[0-9a-fA-F]{8}\.[0-9a-fA-F]{8}::\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d\.\d{3} "
)
_SIGNS = {ERRORLOG: ("Server", "Logon", "Backup", "spid"), CLUSTER_LOG: ("::",)}
"""What every entry has one of: to search for a word takes a tenth of the time of a pattern."""
WIDTHS = range(40, 141)
"""Characters at which mails and forums break lines."""
MOST_LINES = 200
"""Lines of one entry."""


@dataclass
class Log:
    """The entries of one kind of log in a text.

    Parameters
    ----------
    lines
        Their lines, as the log would have them.
    numbers
        The number in the text of each, from 1.
    """

    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    has_prefix: bool = False
    breaks: int = 0


def lines_of(text: str) -> list[str]:
    """Return the lines of a text."""
    return text.replace("\r\n", "\n").split("\n")


def has_entries(text: str, is_entry: re.Pattern[str]) -> bool:
    """Return whether a text has an entry; most texts are decided without splitting them into lines."""
    has_sign = any(sign in text for sign in _SIGNS[is_entry])
    is_possible = BOX in text or (has_sign and is_entry.search(text) is not None)
    return is_possible and bool(log_in(lines_of(text), is_entry).lines)


def log_in(lines: Sequence[str], is_entry: re.Pattern[str]) -> Log:
    """Return the entries among the lines of a text.

    A line behind an entry belongs to it when it has the same prefix, when it is indented, or when the line
    above was broken for want of room: one line may end there by chance. Other text ends the entry.
    """
    log = _log(lines, is_entry, _width(lines))
    return log if log.breaks != 1 else _log(lines, is_entry, 0)


def _log(lines: Sequence[str], is_entry: re.Pattern[str], width: int) -> Log:
    log = Log()
    prefix, last, used = "", "", 0
    for number, raw in enumerate(lines, 1):
        line = unboxed(raw)
        front, rest = undressed(line, is_entry)
        if is_entry.match(rest):
            log.has_prefix |= bool(front) or line is not raw
            prefix, last, used = (front or ("{" if line is not raw else "")), line, 0
            log.lines.append(rest.rstrip())
            log.numbers.append(number)
            log.taken.add(number)
            continue
        if not log.lines or log.numbers[-1] + used != number - 1 or used >= MOST_LINES:
            continue
        more = _rest_of(line, raw, prefix)
        if more is None or not more.strip():
            continue
        if _is_broken(last, more, width):
            log.lines[-1] += f" {more.strip()}"
            log.breaks += 1
        elif prefix.strip() or more.startswith((" ", "\t")):
            log.lines[-1] += f"\n{more.rstrip()}"
        else:
            continue
        used += 1
        last = line
        log.taken.add(number)
    return log


def _rest_of(line: str, raw: str, prefix: str) -> str | None:
    """Return a line without the prefix of the entry above; None where it has another one."""
    if prefix == "{":
        return line if line is not raw else None
    if not prefix.strip():
        return line
    found = PREFIX.match(line)
    return line[found.end() :] if found and _kind(found[0]) == _kind(prefix[: found.end()]) else None


def _kind(prefix: str) -> str:
    return re.sub(r"\d+", "0", prefix).strip()


def _width(lines: Sequence[str]) -> int:
    """Return the width at which a text is broken; 0 where some line is longer than mails break them."""
    longest = max(map(len, lines), default=0)
    return longest if longest in WIDTHS else 0


def _is_broken(line: str, more: str, width: int) -> bool:
    """Return whether a line ended because the first word of the next had no room on it."""
    is_word = more[:1].isalnum() or more[:1] in "'\"(["
    return bool(width) and is_word and len(line.rstrip()) + 1 + len(more.split(maxsplit=1)[0]) > width
