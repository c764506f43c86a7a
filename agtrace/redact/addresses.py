"""Addresses to other addresses: those of one network stay in one network."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from functools import cache

_MASK = re.compile(r"255\.(?:0|128|192|224|240|248|252|254|255)\.\d+\.\d+")


class Addresses:
    """Stable pseudonyms of addresses.

    Each octet is replaced depending on the octets before it: addresses in one network stay in one network.
    The octets that make a network private are kept.

    Parameters
    ----------
    digest
        Returns bytes derived from a secret, a domain and a text.
    """

    def __init__(self, digest: Callable[[str, str], bytes]) -> None:
        self._digest = digest
        self.originals: dict[str, str] = {}
        self._given: dict[str, str] = {}
        self._real: frozenset[str] = frozenset()
        self._octets = cache(self._cycle)

    def avoid(self, addresses: frozenset[str]) -> None:
        """Keep these addresses from being the pseudonym of another."""
        self._real |= addresses

    def pseudonym(self, address: str) -> str:
        """Return the replacement of an address; a text that is not an address is returned unchanged."""
        if address[-1:] in "xX":
            # As some outputs hide the last octet.
            head, dot, hidden = address.rpartition(".")
            return self.pseudonym(f"{head}.0").rpartition(".")[0] + dot + hidden
        if address not in self._given:
            made = self._four(address) if ":" not in address else self._six(address)
            self._given[address] = made
            if made != address:
                self.originals[made] = address
        return self._given[address]

    def written(self, how: str, text: str) -> str:
        """Return an address as it is written: ``mapped`` to IPv6, ``dashed``, ``arpa`` backwards, or a
        ``code`` in hexadecimal, of which those of the system's own errors stay.
        """
        if how == "mapped":
            before, _, four = text.rpartition(":")
            is_plain = before.strip("0:").casefold() in ("", "ffff", "64:ff9b")
            head = before if is_plain else self._six(before + ":0:0").rpartition(":")[0]
            return f"{head}:{self.pseudonym(four)}"
        if how == "dashed":
            joint = text.strip("0123456789")[0]
            return self.pseudonym(text.replace(joint, ".")).replace(".", joint)
        if how == "arpa":
            labels = text.split(".")
            if len(labels) != 6:
                made = iter(self._digest("arpa", text.lower()).hex() * 2)
                return ".".join([*(next(made) for _ in labels[:-2]), *labels[-2:]])
            return ".".join([*reversed(self.pseudonym(".".join(labels[3::-1])).split(".")), *labels[4:]])
        if how == "code":
            return self._code(text)
        return self.pseudonym(text)

    def _code(self, text: str) -> str:
        digits = text[2:]
        if len(digits) != 8:
            if digits.lower().startswith(("0000", "ffff")):
                return text
            made = self._digest("code", digits.lower()).hex()[: len(digits)]
        else:
            octets = bytes.fromhex(digits)
            is_error = octets[0] in (0x00, 0xC0, 0xE0, 0xFF) or octets[0] >> 4 == 8
            if is_error and octets[:2] != b"\xc0\xa8":
                return text
            made = bytes(map(int, self.pseudonym(".".join(map(str, octets))).split("."))).hex()
        return text[:2] + (made.upper() if digits != digits.lower() else made)

    def hardware(self, address: str) -> str:
        """Return another hardware address, locally administered, written in the same way."""
        plain = re.sub("[^0-9A-Fa-f]", "", address).lower()
        if set(plain) <= {"0"} or set(plain) <= {"f"}:
            return address
        made = iter("02" + self._digest("mac", plain).hex()[:10])
        text = re.sub("[0-9A-Fa-f]", lambda _match: next(made), address)
        text = text.upper() if address != address.lower() else text
        self.originals[text] = address
        return text

    def _four(self, address: str) -> str:
        try:
            octets = list(ipaddress.IPv4Address(address).packed)
        except ValueError:
            return address
        if octets[0] in (0, 127, 255) or octets[:2] == [169, 254] or _MASK.fullmatch(address):
            return address
        for attempt in range(1000):
            made = self._mapped(octets, attempt)
            if not any(made in real or real in made for real in self._real) and made not in self.originals:
                break
        return made

    def _mapped(self, octets: list[int], attempt: int) -> str:
        made: list[int] = []
        for place, octet in enumerate(octets):
            before = ".".join(map(str, octets[:place]))
            salt = f"{before}\0{attempt}" if attempt and place == 3 else before
            made.append(self._octet(salt, octet, _range(octets, place)))
        return ".".join(map(str, made))

    def _octet(self, before: str, octet: int, within: tuple[int, int] | None) -> int:
        if within is None:
            return octet
        low, high = within
        if not low <= octet <= high:
            return octet
        return self._octets(before, low, high)[octet - low]

    def _cycle(self, before: str, low: int, high: int) -> tuple[int, ...]:
        """Return a permutation without a fixed point, derived from the preceding octets (Sattolo)."""
        order = list(range(low, high + 1))
        for place in range(len(order) - 1, 0, -1):
            chosen = int.from_bytes(self._digest("octet", f"{before}\0{low}\0{place}")[:4], "big") % place
            order[place], order[chosen] = order[chosen], order[place]
        return tuple(order)

    def _six(self, address: str) -> str:
        plain, _, zone = address.partition("%")
        try:
            value = ipaddress.IPv6Address(plain)
        except ValueError:
            return address
        if value.is_unspecified or value.is_loopback or value.is_multicast:
            return address
        network = value.packed[:8]
        if not value.is_link_local:
            network = b"\xfd" + self._digest("network", network.hex())[:7]
        made = ipaddress.IPv6Address(network + self._digest("host", value.packed.hex())[:8])
        return f"{made}%{zone}" if zone else str(made)


def _range(octets: list[int], place: int) -> tuple[int, int] | None:
    """Return the range of values for an octet; None if it is kept."""
    if place == 0:
        return None if octets[0] in (10, 172, 192) or octets[0] >= 224 else (11, 223)
    if place == 1 and octets[0] == 172 and 16 <= octets[1] <= 31:
        return (16, 31)
    if place == 1 and octets[:2] == [192, 168]:
        return None
    return (1, 254)
