"""The product's own words, which reveal nothing about a customer."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

BETWEEN_WORDS = (
    r"\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\xa1\xa7\xa9\xab\xac\xae\xb0\xb1\xb6\xb7\xbb\xbf\xd7\xf7"
    r"\u2000-\u200a\u2010-\u2027\u202f-\u205f\u2122\u2190-\u2193\u2260\u2264\u2265\u3000-\u3003\u3008-\u3011"
    r"\u3014-\u301b\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3e\uff40\uff5b-\uff65"
)
"""Spaces, punctuation and the signs of the product's own texts."""
WORD = rf"[^{BETWEEN_WORDS}]+"
"""Pattern of a word: any characters but spaces and punctuation, so that an emoji is part of a name."""
JOINTS = r"[_$#@-]"
JOINED = re.compile(rf"{WORD}(?:{JOINTS}+{WORD})*")
"""Words connected by joints into one name, such as ``svc_backup``."""

_WITH_DIGITS = re.compile(
    r"kb\d{6,7}|cu\d{1,2}|sp\d|spid\d+s?|mssql\d{1,2}|errorlog\d*|cp\d{3,5}|x64|x86|arm64|ipv[46]|utf\d+|win\d\d|"
    r"u?int\d+|r2|regedit4|msinfo32|w32tm|tcpv[46]|im002|bbr2|tls\d|sha\d+|aes\d+|sql20\d\d|p\d\d|vmxnet\d|e1000e?|"
    r"\d+(?:ms|us|s|m|h|d|b|kb|mb|gb|tb|k|g|th|nd|rd|st|gbit|gbps|mbps|am|pm|z|t\d+|bit)|\d{8}t\d{4,12}z?|"
    r"0x[0-9a-f]{1,16}|harddiskvolume\d+|harddisk\d+|physicaldrive\d+|sqlarg\d|sqlservr\d*|f\d",
    re.IGNORECASE,
)
"""Words with digits written by the product: builds, sessions, encodings, quantities, short hexadecimals."""

_ALONE = frozenset(("mssql", "sqlagent", "mssqlserver", "errorlog", "sqldiag", "msas", "sqltelemetry", "kb"))
"""Words that stay beside a user's name, as in ``MSSQL$NAME``."""


SYSTEM = frozenset((
    "master", "tempdb", "model", "msdb", "mssqlsystemresource", "resource", "distribution",
    "model_msdb", "model_replicatedmaster", "mssqlserver", "_total", "total", "all", "none", "null",
    "unknown", "sa", "guest", "public", "localhost", "local", "(local)", ".", "n/a", "any",
))  # fmt: skip
"""Names that exist on every server."""

AUTHORITIES = frozenset(
    ("nt authority", "nt service", "builtin", "font driver host", "window manager", "authority")
)
"""Domains of accounts that exist on every machine."""

SUFFIXES = frozenset((
    "com", "net", "org", "edu", "gov", "mil", "int", "io", "co", "local", "lan", "internal",
    "intranet", "corp", "home", "test", "example", "invalid", "localdomain", "database", "windows",
    "chinacloudapi", "usgovcloudapi", "blob", "core", "file", "dfs", "azure", "cloudapp", "cn",
    "uk", "de", "fr",
))  # fmt: skip
"""Labels of domains that identify no organisation."""


@cache
def listed(name: str) -> frozenset[str]:
    """Return the lines of a list stored beside this module."""
    return frozenset(files("agtrace.redact").joinpath(name).read_text("utf-8").splitlines())


@cache
def words() -> frozenset[str]:
    """Return the words without digits, in lower case."""
    return listed("words.txt") | listed("more_words.txt") | SYSTEM | SUFFIXES


def is_own(word: str) -> bool:
    """Return whether a word is the product's own, or a number."""
    lower = word.lower()
    is_letter = len(word) == 1 and word.isascii()
    return is_letter or word.isdecimal() or lower in words() or _WITH_DIGITS.fullmatch(lower) is not None


def is_declared(name: str) -> bool:
    """Return whether an event, a field or a column is one that the products define."""
    return name.strip().casefold() in listed("names.txt")


def is_compound(word: str) -> bool:
    """Return whether a word is a compound of product words, such as ``ProcessingFailure``."""
    return word.casefold() in listed("names.txt")


def own_length(joined: str) -> int:
    """Return how many characters of joined words are a product name; 0 if none.

    Ordinary words connected by joints count as a name: no part of ``svc_backup`` is kept.
    """
    parts = list(re.finditer(WORD, joined))
    for last in range(len(parts) - 1, 0, -1):
        if joined[: parts[last].end()].casefold() in listed("names.txt"):
            return parts[last].end()
    first = parts[0][0].casefold()
    alone = first in _ALONE or first.isdecimal() or _WITH_DIGITS.fullmatch(first)
    return parts[0].end() if alone else 0


def is_of_collectors(word: str) -> bool:
    """Return whether a word in a capture's name is one that collectors or SQL Server use."""
    lower = word.casefold()
    return lower in listed("collectors.txt") or word.isdecimal() or _WITH_DIGITS.fullmatch(lower) is not None


def is_ordinary(name: str) -> bool:
    """Return whether a name consists of the product's own words: in a sentence it need not be the name.

    Compounds used only in names are not ordinary, such as ``SQL-01`` and ``DB_PRIMARY``.
    """
    found = re.findall(WORD, name)
    return all(map(is_own, found)) and not _is_put_together(name, found)


def _is_put_together(name: str, words: list[str]) -> bool:
    if len(words) == 1 or re.search(r"[^\w.#$-]", name):
        return False
    has_word = any(word.isalpha() and len(word) > 1 for word in words)
    return has_word and ("_" in name or any(word.isdecimal() or len(word) == 1 for word in words))
