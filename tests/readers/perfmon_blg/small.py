"""Small captures of binary performance logs: what damage starts from, and texts that say the rest of what it
can say.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.readers.perfmon_blg.test_contract import typical_log


def captures() -> Iterator[tuple[str, bytes]]:
    yield "perf.blg", typical_log(20)
