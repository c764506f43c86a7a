"""Reversible replacement of GUIDs: with the secret, no list of them is needed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

ROUNDS = 4
"""Rounds of a Feistel network over two halves of 64 bits: enough for a pseudorandom permutation."""
_HEX = re.compile(r"[0-9A-Fa-f]")
_MASK = (1 << 64) - 1


class Guids:
    """A keyed permutation of all GUIDs.

    Parameters
    ----------
    digest
        Returns bytes derived from a secret, a domain and a text.
    """

    def __init__(self, digest: Callable[[str, str], bytes]) -> None:
        self._digest = digest
        self.pseudonym = lru_cache(200_000)(self._pseudonym)

    def _pseudonym(self, guid: str) -> str:
        """Return the pseudonym of a guid, in its original spelling; the empty one stays."""
        return self._written(guid, back=False)

    def original(self, pseudonym: str) -> str:
        """Return the guid behind a pseudonym."""
        return self._written(pseudonym, back=True)

    def _written(self, guid: str, *, back: bool) -> str:
        digits = "".join(_HEX.findall(guid))
        value = int(digits, 16)
        if value == 0 or len(digits) != 32:
            return guid
        left, right = value >> 64, value & _MASK
        for place in reversed(range(ROUNDS)) if back else range(ROUNDS):
            if back:
                left, right = right ^ self._half(place, left), left
            else:
                left, right = right, left ^ self._half(place, right)
        made = iter(f"{left << 64 | right:032x}")
        text = _HEX.sub(lambda _match: next(made), guid)
        return text.upper() if any(letter.isupper() for letter in guid) else text

    def _half(self, place: int, half: int) -> int:
        return int.from_bytes(self._digest("guid", f"{place}\0{half:016x}")[:8], "big")
