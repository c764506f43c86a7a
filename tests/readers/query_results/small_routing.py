"""Small captures of routing lists: what damage starts from, and texts that say the rest of what they can
say.
"""

from __future__ import annotations

from collections.abc import Iterator

from simulation.formats.host_facts import text_of
from tests.readers.query_results.test_routing import NAMES, ROUTE, TEXT


def captures() -> Iterator[tuple[str, bytes]]:
    yield "routing.txt", TEXT.encode()
    yield "routing.csv", text_of(",".join(NAMES), ",".join(ROUTE)).encode()


def said() -> Iterator[tuple[str, bytes]]:
    names = "Availability Group,When Primary Replica Is,Routing Priority,RO Routed To"
    yield "named.csv", text_of(names, "BAG,A,1,B").encode()
