"""Small captures of ping: what damage starts from, and texts that say the rest of what it can say."""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.host_facts import ping_text
from tests.readers.ping.test_ping import DOUBLED, LINUX, MACOS6


def captures() -> Iterator[tuple[str, bytes]]:
    yield "ping0.txt", ping_text("JBSAG3", "10.2.0.4", [31, 30, None, 33]).encode()
    yield "ping1.txt", LINUX.encode()
    yield "ping2.txt", DOUBLED.encode()
    yield "ping6.txt", MACOS6.encode()


def said() -> Iterator[tuple[str, bytes]]:
    yield "ping.txt", ping_text("JBSAG3", "10.2.0.4", [31, 30]).split("Ping statistics")[0].encode()
