"""Small captures of the neighbours of the ERRORLOG: what damage starts from, and texts that say the rest of
what it can say.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.readers.agent_logs.test_agent_logs import AGENT


def captures() -> Iterator[tuple[str, bytes]]:
    yield "SQLAGENT.OUT", AGENT.format("?").encode() * 20
