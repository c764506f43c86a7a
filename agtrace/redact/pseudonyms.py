"""Stable pseudonyms: with the same secret, a name has the same pseudonym in every case and format."""

from __future__ import annotations

import hashlib
import hmac
from bisect import bisect_left
from collections.abc import Iterable

from agtrace.redact.addresses import Addresses
from agtrace.redact.guids import Guids

LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words appear; no digits, so that no number on a page is part of a pseudonym."""
NAME_LETTERS = 6
WORD_LETTERS = 8
SHORTEST_FOUND = 3
"""A shorter name may be part of a pseudonym by chance, which reveals nothing."""
MOST_WORDS = 500_000
"""Most words and paths stored for translating back; those beyond also get pseudonyms."""

HOST, INSTANCE, DATABASE, GROUP, LISTENER = "HOST", "INST", "DB", "AG", "LSNR"
LOGIN, DOMAIN, NAME, WORD, FOLDER, FILE = "USER", "DOM", "NAME", "W", "DIR", "FILE"
KINDS = (HOST, INSTANCE, GROUP, LISTENER, DATABASE, LOGIN, DOMAIN, NAME)
"""Kinds of names of a case: the first kind under which a name is found applies everywhere."""


class Pseudonyms:
    """Pseudonyms derived from one secret.

    Parameters
    ----------
    secret
        Without it, they can be neither created nor reversed.
    known
        Originals by pseudonym from earlier redactions, which are kept.
    """

    def __init__(self, secret: bytes, known: dict[str, str] | None = None) -> None:
        self._secret = secret
        self.originals: dict[str, str] = dict(known or {})
        self._given = {original.casefold(): pseudonym for pseudonym, original in self.originals.items()}
        self._real: frozenset[str] = frozenset()
        self.addresses = Addresses(self.digest)
        self.guids = Guids(self.digest)

    def digest(self, domain: str, text: str) -> bytes:
        """Return 32 bytes derived from the secret and the text, revealing neither."""
        said = f"{domain}\0{text}".encode("utf-8", "surrogatepass")
        return hmac.new(self._secret, said, hashlib.sha256).digest()

    def avoid(self, names: Iterable[str]) -> None:
        """Keep these names from occurring in pseudonyms by chance."""
        self._real |= {name.casefold() for name in names if len(name) >= SHORTEST_FOUND}

    def name(self, original: str, kind: str) -> str:
        """Return the pseudonym of a name; upper and lower case are one name."""
        return self._one(original, kind, NAME_LETTERS)

    def assign(self, originals: Iterable[str], kind: str) -> None:
        """Assign pseudonyms to names of one kind, in the order of the names.

        Rules break ties by name, and must give the same answer with and without names.
        """
        new = sorted({name for name in originals if name.casefold() not in self._given})
        known = sorted(
            (original, _number(made[len(kind) + 1 :]))
            for made, original in self.originals.items()
            if made.startswith(f"{kind}-") and len(made) == len(kind) + 1 + NAME_LETTERS
        )
        for (low, high), run in _runs(new, known).items():
            codes: list[str] = []
            for name in run:
                made = self._between(name, kind, low, high, codes)
                if made is None:
                    break
                codes.append(made)
            if len(codes) == len(run):
                for name, made in zip(run, sorted(codes), strict=True):
                    self._given[name.casefold()] = made
                    self.originals[made] = name

    def _between(self, name: str, kind: str, low: int, high: int, taken: list[str]) -> str | None:
        room = high - low - 1
        for attempt in range(100 if room > 0 else 0):
            key = f"{name.casefold()}\0{attempt}" if attempt else name.casefold()
            number = low + 1 + int.from_bytes(self.digest("name", key), "big") % room
            made = f"{kind}-{_written(number, NAME_LETTERS)}"
            if made not in taken and not self._is_taken(made):
                return made
        return None

    def word(self, original: str, kind: str = WORD) -> str:
        """Return the pseudonym of a word, folder or file of unknown kind."""
        return self._one(original, kind, WORD_LETTERS)

    def identity(self, original: str) -> str:
        """Return another id of the same length and letters for one written in hexadecimal."""
        body = original.removeprefix("0x").removeprefix("0X")
        made, need = "", len(body)
        while len(made) < need:
            made += self.digest("id", f"{body.lower()}{len(made)}").hex()
        made = made[:need]
        return original[: len(original) - need] + (made.upper() if body.isupper() else made)

    def number(self, original: str) -> str:
        """Return another number of as many digits."""
        value = int.from_bytes(self.digest("number", original), "big")
        return str(value % 9 + 1) + str(value // 9)[-(len(original) - 1) :] if len(original) > 1 else original

    def mark(self, text: str) -> str:
        """Return a mark by which equal dropped texts are recognised."""
        return _letters(self.digest("text", text), WORD_LETTERS)

    def _one(self, original: str, kind: str, letters: int) -> str:
        key = original.casefold()
        if key in self._given:
            return self._given[key]
        for attempt in range(1000):
            digest = self.digest("name", f"{key}\0{attempt}" if attempt else key)
            made = f"{kind}-{_letters(digest, letters)}"
            if not self._is_taken(made):
                break
        if len(self.originals) < MOST_WORDS:
            self._given[key] = made
            self.originals[made] = original
        return made

    def _is_taken(self, made: str) -> bool:
        if made in self.originals:
            return True
        code = made.casefold()
        ends = range(SHORTEST_FOUND, len(code) + 1)
        parts = (code[start:end] for end in ends for start in range(end - SHORTEST_FOUND + 1))
        return any(part in self._real for part in parts)


def _letters(digest: bytes, count: int) -> str:
    return _written(int.from_bytes(digest, "big"), count)


def _written(number: int, count: int) -> str:
    """Return the lowest digits of a number, as letters."""
    found = ""
    for _ in range(count):
        number, place = divmod(number, len(LETTERS))
        found = LETTERS[place] + found
    return found


def _number(code: str) -> int:
    number = 0
    for letter in code:
        number = number * len(LETTERS) + LETTERS.index(letter)
    return number


def _runs(new: list[str], known: list[tuple[str, int]]) -> dict[tuple[int, int], list[str]]:
    """Return the names between the same two known ones, by the numbers of these."""
    least, most = [-1], [len(LETTERS) ** NAME_LETTERS]
    for _original, number in known:
        least.append(max(least[-1], number))
    for _original, number in reversed(known):
        most.append(min(most[-1], number))
    most.reverse()
    originals = [original for original, _number in known]
    found: dict[tuple[int, int], list[str]] = {}
    for name in new:
        place = bisect_left(originals, name)
        found.setdefault((least[place], most[place]), []).append(name)
    return found
