"""The names of a case: their kinds, and their positions in texts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from agtrace.redact.pseudonyms import DATABASE, DOMAIN, GROUP, HOST, INSTANCE, KINDS, LOGIN, NAME, Pseudonyms
from agtrace.redact.vocabulary import AUTHORITIES, SUFFIXES, SYSTEM, WORD, is_ordinary

NETBIOS_LENGTH = 15
LONGEST = 400
"""Longest name searched in texts, in characters; names of SQL Server have at most 128."""

_ALNUM = re.compile(WORD)
_ADDRESS = re.compile(
    r"(?:\d{1,3}\.){3}(?:\d{1,3}|x{1,3})|[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*:[0-9A-Fa-f.]*(?:%\w+)?"
)
_PART = re.compile(r"[^\\/:,.;@()\[\]\s<>'\"=|]+")
_PROTOCOLS = frozenset(("tcp", "np", "lpc", "admin", "http", "https", "udp"))


class Dictionary:
    """The names in the typed columns of a case.

    Parameters
    ----------
    pseudonyms
        Assigns the pseudonyms.
    """

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        self.pseudonyms = pseudonyms
        self._kinds: dict[str, str] = {}
        self._spelled: dict[str, str] = {}
        self._whole: dict[str, str] = {}
        self._standing: dict[str, list[tuple[str, int, bool]]] = {}

    def add(self, name: str | None, kind: str) -> None:
        """Add a name, or the names contained in the name of a server, a replica's counters or an account."""
        if not name or len(name) > LONGEST:
            return
        if kind in (HOST, LOGIN):
            for part, of in self._parts(name, kind):
                self._note(part, of)
        elif kind == GROUP + ":" + HOST:
            group, _, replica = name.partition(":")
            self.add(group, GROUP)
            self.add(replica, HOST)
        else:
            self._note(name, kind)

    def _note(self, name: str, kind: str) -> None:
        key = name.casefold()
        if key in SYSTEM or not name.strip():
            return
        before = self._kinds.get(key)
        if before is None or KINDS.index(kind) < KINDS.index(before):
            self._kinds[key] = kind
        self._spelled.setdefault(key, name)

    @property
    def names(self) -> dict[str, str]:
        """The names by themselves in lower case, as first written."""
        return self._spelled

    def counts(self) -> dict[str, int]:
        """Return how many names there are, by kind."""
        return dict(Counter(self._kinds.values()))

    def settle(self) -> None:
        """Return every name its pseudonym; a host that is cut to 15 characters has that of the whole one."""
        self.pseudonyms.avoid(self._spelled.values())
        hosts = [key for key, kind in self._kinds.items() if kind == HOST]
        longer: dict[str, list[str]] = defaultdict(list)
        for key in hosts:
            if len(key) > NETBIOS_LENGTH:
                longer[key[:NETBIOS_LENGTH]].append(key)
        for kind in KINDS:
            self.pseudonyms.assign(
                (self._spelled[key] for key in self._kinds if self._kinds[key] == kind), kind
            )
        for key, kind in self._kinds.items():
            whole = longer.get(key, []) if kind == HOST else []
            meant = whole[0] if len(whole) == 1 else key
            self._whole[key] = self.pseudonyms.name(self._spelled[meant], self._kinds[meant])
        standing: dict[str, list[tuple[str, int, bool]]] = defaultdict(list)
        for key, name in self._spelled.items():
            first = _ALNUM.search(key)
            if first:
                standing[first[0]].append((key, first.start(), is_ordinary(name)))
        for found in standing.values():
            found.sort(key=lambda each: -len(each[0]))
        self._standing = dict(standing)

    def whole(self, name: str) -> str | None:
        """Return the pseudonym of a name of the case; None for any other text."""
        return self._whole.get(name.casefold())

    def kind(self, name: str) -> str:
        """Return the kind of a name of the case."""
        return self._kinds.get(name.casefold(), "")

    def standing(self, token: str) -> Iterable[tuple[str, int, bool]]:
        """Return the names whose first word this is, the longest first.

        Each has the name, the position of the word in it, and whether it consists of ordinary words.
        """
        return self._standing.get(token.casefold(), ())

    def typed(self, value: str, kind: str) -> str:
        """Return a value of a typed column with each name in it replaced, ordinary words or not."""
        if value.casefold() in SYSTEM:
            return value
        if kind == GROUP + ":" + HOST:
            group, colon, replica = value.partition(":")
            return self.typed(group, GROUP) + colon + self.typed(replica, HOST)
        found = self.whole(value)
        if found is not None:
            return found
        if kind == HOST and _ADDRESS.fullmatch(value):
            return self.pseudonyms.addresses.pseudonym(value)
        if kind in (HOST, LOGIN):
            pieces, at = [], 0
            for match, of in self._matches(value, kind):
                pieces += [value[at : match.start()], self._replaced(match[0], of)]
                at = match.end()
            return "".join([*pieces, value[at:]])
        return self.pseudonyms.name(value, kind) if value.strip() else value

    def _replaced(self, part: str, kind: str) -> str:
        return self.whole(part) or self.pseudonyms.name(part, kind)

    def _parts(self, value: str, kind: str) -> list[tuple[str, str]]:
        return [
            (match[0], of) for match, of in self._matches(value, kind) if not _ADDRESS.fullmatch(match[0])
        ]

    def _matches(self, value: str, kind: str) -> list[tuple[re.Match[str], str]]:
        """Split the name of a server or account: host, domain, instance; domain and user."""
        if _ADDRESS.fullmatch(value.strip()):
            return []
        found: list[tuple[re.Match[str], str]] = []
        pattern = _LOGIN_PART if kind == LOGIN else _PART
        is_account = kind == LOGIN and "\\" in value
        if is_account and value.casefold().partition("\\")[0] in AUTHORITIES:
            return []
        for match in pattern.finditer(value):
            lower, before = match[0].casefold(), value[match.start() - 1 : match.start()]
            follows = value[match.end() : match.end() + 1]
            if kind == LOGIN:
                of = DOMAIN if (is_account and follows == "\\") or before == "@" else LOGIN
            else:
                if match[0].isdecimal() and (found or before in ",:"):
                    continue
                of = INSTANCE if before == "\\" and found else DOMAIN if before == "." and found else HOST
            is_plain = lower in SYSTEM or lower in _PROTOCOLS or (of == DOMAIN and lower in SUFFIXES)
            if not is_plain:
                found.append((match, of))
        return found


_LOGIN_PART = re.compile(r"[^\\@]+")

COMPOSITE = GROUP + ":" + HOST
"""Form of the instances of a replica's counters: its group and its name."""

__all__ = ["COMPOSITE", "DATABASE", "NAME", "Dictionary"]
