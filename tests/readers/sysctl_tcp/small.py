"""Small captures of sysctl: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

from tests.readers.sysctl_tcp.test_sysctl_tcp import KIT, WHOLE


def captures() -> Iterator[tuple[str, bytes]]:
    yield "sysctl_tcp0.txt", KIT.encode()
    yield "sysctl_tcp1.txt", WHOLE.encode()
