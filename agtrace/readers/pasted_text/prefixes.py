"""Prefixes of pasted log lines: container timestamps, file names, line numbers, quote marks."""

from __future__ import annotations

import json
import re

_STAMP = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)"
_DAY = r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,6})?"
PREFIX = re.compile(
    rf"(?:{_STAMP} std(?:out|err) [FP] "  # the Container Runtime Interface
    rf"|(?:{_STAMP}|{_DAY}) [\w.-]{{1,255}} [\w./@-]{{1,80}}(?:\[\d{{1,9}}\])?: "  # journald, syslog
    rf"|{_STAMP}[ \t]"  # docker logs -t, kubectl logs --timestamps
    r"|[\w.-]{1,80}[ \t]+\| ?"  # docker compose
    r"|[\w .()/\\:-]{0,200}(?:ERRORLOG|errorlog|\.log|\.txt)(?:\.\d{1,3})?"
    r"(?::(?:\d{1,9}:)?|-(?:\d{1,9}-)?(?=\d{4}-\d\d-\d\d ))"  # grep
    r"|> ?"  # mails
    r"|\d{1,9}[ \t]*[:.)|\]-][ \t]?|\d{1,9}\t|L?\d{1,6} {1,4}"  # numbers of lines
    r"|[ \t]{1,32})"
)
"""One of them, at the beginning of a line."""
BOX = '{"log":'
"""How an object of docker's json-file driver begins."""
MOST = 4
"""Prefixes of one line."""


def undressed(line: str, is_entry: re.Pattern[str]) -> tuple[str, str]:
    """Return the prefixes of a line and the rest, where that is an entry; else no prefix and the line."""
    at = 0
    for _ in range(MOST + 1):
        if is_entry.match(line, at):
            return line[:at], line[at:]
        found = PREFIX.match(line, at)
        if found is None or found.end() == at:
            break
        at = found.end()
    return "", line


def unboxed(line: str) -> str:
    """Return the line in an object of docker's json-file driver, or a line as it is."""
    if not line.startswith(BOX):
        return line
    try:
        found = json.loads(line)
    except ValueError:
        return line
    text = found.get("log") if isinstance(found, dict) else None
    return text.rstrip("\r\n") if isinstance(text, str) else line
