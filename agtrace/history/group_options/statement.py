"""Options in a statement about an availability group: CREATE and ALTER AVAILABILITY GROUP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

LONGEST = 100_000
"""Longest statement that is parsed, in characters."""
SWITCHES = ("BASIC", "CONTAINED", "DISTRIBUTED", "REUSE_SYSTEM_DATABASES")
"""Options of a group that are on if named without a value."""

_GROUP = re.compile(r"AVAILABILITY\s+GROUP\s+(?P<name>\[(?:[^\]]|\]\])+\]|[^\s;]+)", re.IGNORECASE)
_REPLICA = re.compile(r"N?'(?P<name>(?:[^']|'')+)'\s+WITH\s*\(", re.IGNORECASE)
_OF_GROUP = re.compile(r"[^()']*\bWITH\s*\((?P<options>[^)]*)\)", re.IGNORECASE)
_SWITCH = re.compile(rf"\b(?P<name>{'|'.join(SWITCHES)})\b(?!\s*=)", re.IGNORECASE)
_OPTION = re.compile(
    r"\b(?P<name>[A-Z][A-Z_]{2,60})\s*=\s*(?P<value>\(?N?'[^']{0,256}'\)?|\w{1,60})", re.IGNORECASE
)
_QUOTED = re.compile(r"^N?'(.*)'$", re.DOTALL)
_LISTENER = re.compile(
    r"\bLISTENER\s+N?'(?P<name>[^']{1,128})'(?:[^']{0,200}?\bIP\s*\(\s*\(\s*N?'(?P<ip>[^']{1,64})')?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Option:
    """A value that a statement sets.

    Parameters
    ----------
    replica
        Replica that it is an option of, as written; None for one of the group.
    option
        Its name, lower case; ``listener`` has the name and the first address of one as its value.
    value
        As written, without quotes; ON for what needs no value.
    """

    ag: str
    replica: str | None
    option: str
    value: str


def options_of(statement: str) -> Iterator[Option]:
    """Yield the options that a statement sets, in its order; none if it names no group."""
    statement = statement[:LONGEST]
    group = _GROUP.search(statement)
    if group is None:
        return
    ag = _unquoted(group["name"])
    own = _OF_GROUP.match(statement, group.end())
    for switch in _SWITCH.finditer(own["options"]) if own else ():
        yield Option(ag, None, switch["name"].lower(), "ON")
    # Options after the name of a replica belong to it, up to the next replica or a listener.
    owners: list[tuple[int, str | None]] = [
        (match.start(), match["name"].replace("''", "'"))
        for match in _REPLICA.finditer(statement, group.end())
    ]
    listener = _LISTENER.search(statement, group.end())
    if listener is not None:
        owners = sorted([*owners, (listener.start(), None)], key=lambda owner: owner[0])
    for match in _OPTION.finditer(statement, group.end()):
        owner = next((name for at, name in reversed(owners) if at < match.start()), None)
        yield Option(ag, owner, match["name"].lower(), _QUOTED.sub(r"\1", match["value"].strip("()")))
    if listener is not None:
        yield Option(ag, None, "listener", " ".join(filter(None, (listener["name"], listener["ip"]))))


def _unquoted(name: str) -> str:
    return name[1:-1].replace("]]", "]") if name.startswith("[") else name
