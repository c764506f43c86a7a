"""The README of a redacted case, for the recipient."""

from __future__ import annotations

from agtrace.redact.pseudonyms import DATABASE, DOMAIN, GROUP, HOST, INSTANCE, LISTENER, LOGIN, NAME

NAMES = {
    HOST: "hosts",
    INSTANCE: "instances",
    DATABASE: "databases",
    GROUP: "groups",
    LISTENER: "listeners",
    LOGIN: "logins",
    DOMAIN: "domains",
    NAME: "other names",
}
"""Display names of the kinds of names."""
DROPPED = {
    "text": "texts",
    "cell": "cells",
    "statement": "statements",
    "binary": "binary values",
    "field": "values of unknown fields",
    "event": "unknown events",
}
"""Display names of the kinds of dropped values."""
_TEXT = """\
This folder is an agtrace case without names.

It holds what was read from captures of SQL Server (in facts/, as Parquet), not the captures. Names of
hosts, databases, groups, logins and others, addresses, paths and ids were replaced by pseudonyms, such
as HOST-BCDFGH. Whoever made it keeps the file that translates them back.

    agtrace report FOLDER --trust-store     a report of it
    agtrace findings FOLDER --trust-store   its findings

Replaced: {names}.
Dropped, because it may name somebody: {dropped}.
"""


def counted(counts: dict[str, int], called: dict[str, str]) -> str:
    """Return counts as text: ``3 hosts, 1,204 texts``."""
    told = [f"{counts[kind]:,} {word}" for kind, word in called.items() if counts.get(kind)]
    return ", ".join(told) or "nothing"


def readme(names: dict[str, int], dropped: dict[str, int]) -> str:
    """Return the text, which contains no names of the case."""
    return _TEXT.format(names=counted(names, NAMES), dropped=counted(dropped, DROPPED))
