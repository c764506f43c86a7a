"""Redaction of texts: the product's own words and numbers stay, everything else is replaced."""

from __future__ import annotations

import re
from collections.abc import Callable

from agtrace.redact.dictionary import Dictionary
from agtrace.redact.paths import Paths
from agtrace.redact.pseudonyms import DOMAIN, HOST, LETTERS, LOGIN
from agtrace.redact.vocabulary import (
    AUTHORITIES,
    BETWEEN_WORDS,
    JOINED,
    SYSTEM,
    WORD,
    is_compound,
    is_of_collectors,
    is_own,
    own_length,
)

COMPARED = 200
"""Leading characters that identify a text, wherever it was cut (`agtrace.resolve.daylight`)."""
MOST_UNKNOWN = 0.5
"""Share of unknown words in a text from which on it is dropped, since its content is unknown."""

DROPPED_TEXT, DROPPED_CELL, DROPPED_STATEMENT = "text", "cell", "statement"
DROPPED = re.compile(rf"\((text|cell|statement) dropped [{LETTERS}]+\)")
"""The placeholder for a dropped value."""

_PIECE = re.compile(
    r"""
      (?P<arpa>(?<![\w.])(?:\d{1,3}\.){4}in-addr\.arpa\b|(?<![\w.])(?:[0-9a-f]\.){4,32}ip6\.arpa\b)
    | (?P<mapped>(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:\d{1,3}\.){3}\d{1,3}(?!\d))
    | (?P<guid>(?<![^\W_])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![^\W_]))
    | (?P<sid>\bS-1-\d{1,3}(?:-\d{1,12}){2,15}\b)
    | (?P<mac>(?<![^\W_])(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}(?![^\W_-])
        |(?<![\w:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\w:]))
    | (?P<six>(?<![\w:.])(?=[0-9A-Fa-f:]*:[0-9A-Fa-f]*:)
        [0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\d+)?(?![\w:]))
        |(?<![^\W_.])(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}(?![^\W_])
    | (?P<four>(?<![\d.])(?:\d{1,3}\.){3}(?:\d{1,3}|x{1,3})(?!\d))
    | (?P<dashed>(?<!\d)(?<!\d[_-])(?:(?<=[A-Za-z][_-])|(?<=[A-Za-z]\d[_-])|(?=1(?:0|72|92|00)[_-]))
        \d{1,3}(?P<joint>[_-])(?:\d{1,3}(?P=joint)){2}\d{1,3}(?![_-]?\d))
    | (?P<literal>(?<=')\d{4,}(?='))
    | (?P<code>(?<![^\W_])0[xX](?:[0-9A-Fa-f]{8,16})(?![^\W_]))
    | (?P<url>\b[A-Za-z][A-Za-z0-9+.-]{1,15}://(?:[^\s'"<>\[\](),;@]*@)?(?:\[[0-9A-Fa-f:.%]+\])?
        [^\s'"<>\[\](),;]*[^\s'"<>\[\](),;.:])
    | (?P<switch>(?<=-)[dDeElL](?=[A-Za-z]:\\))
    | (?P<path>(?:(?<![^\W_])|(?<=-[dDeElL]))
        [A-Za-z]:\\(?:[^\\/:*?"<>|\r\n\[\](),;']{0,255}\\)*[^\\/:*?"<>|\r\n\[\](),;'\s]*
        |\\\\(?:[?.]\\(?:UNC\\)?)?[\w.:$-]{1,255}\\(?:[^\\/:*?"<>|\r\n\[\](),;']{0,255}\\)*[^\\/:*?"<>|\r\n\[\](),;'\s]*
        |(?<![^\W_])[A-Za-z]:/(?:[^\\/:*?"<>|\r\n\[\](),;']{1,255}/)*[^\\/:*?"<>|\r\n\[\](),;'\s]*
        |(?<![\w/.:<>])/(?:[\w.+@-]{1,255}/)+[\w.+@-]*)
    | (?P<account>(?<![\w\\])[\w.-]{1,128}\\[\w.$-]{1,128}(?!\\))
    | (?P<hex>(?<![^\W_])(?:0[xX])?[0-9A-Fa-f]{17,}(?![^\W_]))
    | (?P<word>WORD)
    """.replace("WORD", WORD),
    re.VERBOSE,
)
_BEFORE_NAME = re.compile(
    r"(?:databases?|groups?|replicas?|listeners?|servers?|nodes?|instances?|logins?|users?|resources?|names?|for|of|in)"
    r"\s*:?\s*N?$",
    re.IGNORECASE,
)
_QUOTES = {"'": "'", '"': '"', "[": "]", "“": "”", "«": "»", "„": "“", "‘": "’", "<": ">", "(": ")"}
_SURE = frozenset("[<")
"""Quotes used only for names."""
_UNQUOTED = re.compile(
    r"\b(?:DATABASE|LOG|GROUP)\s+$|\bDatabase:\s*$|\bTransitionToState\($|\(Group:$|\b(?:of|over) group $"
    r"|^Group $|\bMoveGroup: \(Group:$"
)
"""Text before an unquoted name: in statements, in 18264 and in the cluster log."""
_WITH_ID = re.compile(r"[^'\"\[\]{}]{0,30}[\[{][0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-")
"""Text after the name of a replica, in every language."""
_GUID_DIGITS = 32
_NUMBERED = re.compile(r"\(\d{1,4}\)")
_OF_NAMES = frozenset(
    (
        "db",
        "sql",
        "backup",
        "database",
        "databases",
        "primary",
        "secondary",
        "node",
        "group",
        "groups",
        "replica",
    )
)
"""Words of collectors that also appear in names of hosts and databases."""
_BEHIND_JOINT = re.compile(rf"(?:{WORD}[_$#@]|[^\d{BETWEEN_WORDS}]-)$")


class Texts:
    """Rewrites texts.

    Parameters
    ----------
    dictionary
        The names of the case.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self.names = dictionary
        self.pseudonyms = dictionary.pseudonyms
        self.paths = Paths(dictionary, self.words, self.of_hosts)

    def text(self, value: str) -> str:
        """Return a text with every name, address, path and id replaced.

        Texts with more unknown than known words are dropped; equal texts stay equal.
        """
        made, known, unknown = self._rewritten(value)
        if unknown > 1 and unknown / (known + unknown) >= MOST_UNKNOWN:
            return self.gone(value, DROPPED_TEXT)
        return made

    def cell(self, value: str) -> str:
        """Return a cell of unknown kind: dropped if any word in it is unknown."""
        made, _known, unknown = self._rewritten(value)
        return self.gone(value, DROPPED_CELL) if unknown else made

    def named(self, value: str) -> str:
        """Return a short text; if it is a name of the case, its pseudonym, even for ordinary words."""
        return self.names.whole(value) or self.words(value)

    def words(self, value: str) -> str:
        """Return a short text, such as a file name, with each unknown word replaced by a pseudonym."""
        return self._rewritten(value)[0]

    def of_hosts(self, value: str) -> str:
        """Return a file or folder name; host names in it are replaced even if they are ordinary words."""
        return self._rewritten(value, HOST, is_of_collectors)[0]

    def path_or_text(self, value: str) -> str:
        """Return a path, web address or device name rewritten; any other text word by word."""
        if value[1:3] == ":\\" or value.startswith(("\\\\", "/")):
            return self.paths.path(value)
        return self.names.whole(value) or self.words(value)

    def shaped(self, value: str) -> str | None:
        """Return a value that is a single address, path, GUID or id, replaced; None for any other."""
        match = _PIECE.fullmatch(value)
        if match is None and (value[1:3] == ":\\" or value.startswith(("\\\\", "/"))):
            return self.paths.path(value)
        return (
            None if match is None or match.lastgroup == "word" else self._shaped(match.lastgroup or "", value)
        )

    def holds_address(self, value: str) -> bool:
        """Return whether a value contains an address."""
        return any(
            match.lastgroup in ("four", "six", "mapped", "arpa", "url") for match in _PIECE.finditer(value)
        )

    def holds_name(self, value: str) -> bool:
        """Return whether a text contains a name of the case that is not an ordinary word."""
        return any(
            self._name_at(value, match.start(), match.end(), match.start()) is not None
            for match in _PIECE.finditer(value)
            if match.lastgroup == "word"
        )

    def gone(self, value: str, what: str) -> str:
        """Return the placeholder for a dropped text: equal texts have equal placeholders."""
        return f"({what} dropped {self.pseudonyms.mark(value.strip()[:COMPARED])})"

    def _rewritten(
        self, value: str, certain: str = "", is_own: Callable[[str], bool] = is_own
    ) -> tuple[str, int, int]:
        pieces: list[str] = []
        at = known = unknown = 0
        while match := _PIECE.search(value, at):
            start, end = match.span()
            kind = match.lastgroup or "word"
            pieces.append(value[at:start])
            at = end
            if kind != "word":
                pieces.append(self._shaped(kind, match[0]))
                known += 1
                continue
            found = self._name_at(value, start, end, len(pieces[-1]), certain)
            if found is not None:
                begin, at, made = found
                if begin < start:
                    pieces[-1] = pieces[-1][: len(pieces[-1]) - (start - begin)]
                pieces.append(made)
                known += 1
                continue
            stays = self._own(value, start, end, is_own)
            if stays:
                at = start + stays
                pieces.append(value[start:at])
            else:
                pieces.append(self.pseudonyms.word(match[0]))
            is_known = bool(stays) or is_own(match[0])
            known, unknown = known + is_known, unknown + (not is_known)
        pieces.append(value[at:])
        return "".join(pieces), known, unknown

    def _own(self, value: str, start: int, end: int, is_own: Callable[[str], bool]) -> int:
        """Return how many characters from a word on are the products' own; 0 if the word may be a name."""
        joined = JOINED.match(value, start)
        word = value[start:end].casefold()
        if is_own is is_of_collectors and is_own(word) and word not in _OF_NAMES:
            # Collectors join their words with names: HOST_cluster.log.
            return end - start
        if joined is not None and joined.end() > end:
            return own_length(joined[0])
        if _BEHIND_JOINT.search(value, max(start - 3, 0), start):
            return own_length(value[start:end])
        return end - start if is_own(value[start:end]) or is_compound(value[start:end]) else 0

    def _name_at(
        self, value: str, start: int, end: int, free: int, certain: str = ""
    ) -> tuple[int, int, str] | None:
        """Return the longest name of the case at this position: start, end and pseudonym.

        So many characters before the word belong to nothing else.
        """
        for name, offset, ordinary in self.names.standing(value[start:end]):
            begin = start - offset
            stop = _end(value, begin, name)
            if offset > free or stop is None:
                continue
            if stop < len(value) and name[-1].isalnum() and value[stop].isalnum():
                continue
            is_certain = not ordinary or self.names.kind(name) == certain
            if not is_certain and not self._is_named(value, begin, stop):
                continue
            return begin, stop, self.names.whole(name) or name
        return None

    def _is_named(self, value: str, begin: int, stop: int) -> bool:
        """Return whether ordinary words are used as a name: after a keyword for names, or in quotes."""
        before = value[max(begin - 40, 0) : begin]
        if _UNQUOTED.search(before) or (_NUMBERED.match(value, stop) and before.endswith((" from ", " to "))):
            return True
        closing = _QUOTES.get(before[-1:])
        is_quoted = closing is not None and value[stop : stop + 1] == closing
        return is_quoted and (
            before[-1:] in _SURE
            or _BEFORE_NAME.search(before[:-1]) is not None
            or _WITH_ID.match(value, stop + 1) is not None
        )

    def _shaped(self, kind: str, piece: str) -> str:
        made = self.pseudonyms
        found = self.names.whole(piece)
        if found is not None:
            return found
        if kind == "guid":
            return made.guids.pseudonym(piece)
        if kind == "switch":
            # A start-up parameter; its path follows directly.
            return piece
        if kind == "mac":
            return made.addresses.hardware(piece)
        if kind in ("four", "six", "mapped", "dashed", "arpa", "code"):
            return made.addresses.written(kind, piece)
        if kind == "literal":
            return made.number(piece)
        if kind == "hex":
            # A guid without dashes is that guid.
            other = made.guids.pseudonym if len(piece) == _GUID_DIGITS else made.identity
            return piece if piece.isdecimal() else other(piece)
        if kind == "sid":
            first, *rest = piece.split("-")[3:]
            return "-".join(
                [*piece.split("-")[:3], first, *(made.number(n) if len(n) > 3 else n for n in rest)]
            )
        if kind == "url":
            return self.paths.url(piece)
        if kind == "path":
            return self.paths.path(piece)
        return self._account(piece)

    def _account(self, piece: str) -> str:
        """Return ``DOMAIN\\user`` or ``HOST\\INSTANCE``: both parts are replaced, even ordinary words."""
        first, _, second = piece.partition("\\")
        if first.casefold() in AUTHORITIES:
            return piece
        return "\\".join((self._certain(first, DOMAIN), self._certain(second, LOGIN)))

    def _certain(self, part: str, kind: str) -> str:
        found = self.names.whole(part)
        if found is None and "." in part:
            return ".".join(self._certain(label, kind) for label in part.split("."))
        if found is not None or part.casefold() in SYSTEM or not part:
            return found or part
        made = self.words(part)
        return self.pseudonyms.name(part, kind) if made == part and not part.isdecimal() else made


def _end(value: str, begin: int, name: str) -> int | None:
    """Return the end of a lower-case name that starts at a position; None if the text differs."""
    most = begin + len(name)
    if value[begin:most].casefold() == name:
        return most
    if name.isascii() and value[begin:most].isascii():
        return None
    # In lower case some letters are two: ß is ss.
    ends = range(min(most, len(value)) - 1, begin, -1)
    return next((end for end in ends if value[begin:end].casefold() == name), None)
