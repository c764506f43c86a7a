"""Which words of a text are the product's own, so that they tell nothing of a customer."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from importlib.resources import files

_MARKS = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M")
WORD = rf"[^\W_]+(?:[{_MARKS}]+[^\W_]*)*"
"""Pattern of a word: letters and digits, with the marks that are part of a letter in many scripts."""

_WITH_DIGITS = re.compile(
    r"kb\d{6,7}|cu\d{1,2}|sp\d|spid\d+s?|mssql\d{1,2}|errorlog\d*|cp\d{3,5}|x64|x86|arm64|ipv[46]|utf\d+|win\d\d|"
    r"u?int\d+|r2|regedit4|msinfo32|w32tm|tcpv[46]|im002|bbr2|tls\d|sha\d+|aes\d+|sql20\d\d|p\d\d|vmxnet\d|e1000e?|"
    r"\d+(?:ms|us|s|m|h|d|b|kb|mb|gb|tb|k|g|th|nd|rd|st|gbit|gbps|mbps|am|pm|z|t\d+|bit)|\d{8}t\d{4,12}z?|"
    r"0x[0-9a-f]{1,16}|harddiskvolume\d+|harddisk\d+|physicaldrive\d+|sqlarg\d|sqlservr\d*|f\d",
    re.IGNORECASE,
)
"""Words with digits that the product writes: builds, sessions, encodings, quantities, short hexadecimals."""

_PARTS = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z]{2,}(?![a-z])")

SYSTEM = frozenset((
    "master", "tempdb", "model", "msdb", "mssqlsystemresource", "resource", "distribution",
    "model_msdb", "model_replicatedmaster", "mssqlserver", "_total", "total", "all", "none", "null",
    "unknown", "sa", "guest", "public", "localhost", "local", "(local)", ".", "n/a", "any",
))  # fmt: skip
"""Names that every server has."""

AUTHORITIES = frozenset(
    ("nt authority", "nt service", "builtin", "font driver host", "window manager", "authority")
)
"""Domains of accounts that every machine has."""

SUFFIXES = frozenset((
    "com", "net", "org", "edu", "gov", "mil", "int", "io", "co", "local", "lan", "internal",
    "intranet", "corp", "home", "test", "example", "invalid", "localdomain", "database", "windows",
    "chinacloudapi", "usgovcloudapi", "blob", "core", "file", "dfs", "azure", "cloudapp", "cn",
    "uk", "de", "fr",
))  # fmt: skip
"""Labels of domains that name nobody."""


@cache
def words() -> frozenset[str]:
    """Give the words without digits, in lower case."""
    folder = files("agtrace.redact")
    found = [folder.joinpath(name).read_text("utf-8").split() for name in ("words.txt", "more_words.txt")]
    return frozenset().union(*found) | SYSTEM | SUFFIXES


def is_own(word: str) -> bool:
    """Tell whether a word is the product's own, or a number."""
    lower = word.lower()
    is_letter = len(word) == 1 and word.isascii()
    return is_letter or word.isdecimal() or lower in words() or _WITH_DIGITS.fullmatch(lower) is not None


def is_compound(word: str) -> bool:
    """Tell whether a word is put together of the product's own, as ``ProcessingFailure`` is."""
    parts = _PARTS.findall(word)
    return len(parts) > 1 and "".join(parts) == word and all(part.lower() in words() for part in parts)


def is_ordinary(name: str) -> bool:
    """Tell whether a name is made of the product's own words: in a sentence it need not be the name.

    Words that only a name puts together are none, such as ``SQL-01`` and ``DB_PRIMARY``.
    """
    found = re.findall(WORD, name)
    return all(map(is_own, found)) and not _is_put_together(name, found)


def _is_put_together(name: str, words: list[str]) -> bool:
    if len(words) == 1 or re.search(r"[^\w.#$-]", name):
        return False
    has_word = any(word.isalpha() and len(word) > 1 for word in words)
    return has_word and ("_" in name or any(word.isdecimal() or len(word) == 1 for word in words))
