"""Small captures of Extended Events files: what damage starts from, and texts that say the rest of what it
can say.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.readers.xel.test_xel import states


def captures() -> Iterator[tuple[str, bytes]]:
    yield "AlwaysOn_health_0_131532683190890000.xel", states(20)
