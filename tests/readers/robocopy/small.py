"""Small captures of robocopy logs: what damage starts from, and texts that say the rest of what it can
say.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from simulation.formats.host_facts import robocopy_text
from tests.readers.robocopy.test_robocopy import SHORT, SPANISH

STARTED = datetime(2019, 3, 2, 10, 11, 12)


def captures() -> Iterator[tuple[str, bytes]]:
    text = robocopy_text("\\\\jbsag3\\temp\\", started=STARTED, copied=10**9, speed=24_117_248)
    yield "robocopy0.txt", text.encode()


def said() -> Iterator[tuple[str, bytes]]:
    """Yield a log without the line of the speed, and one with every option that is reported."""
    yield "short.txt", SHORT.encode()
    lines = SPANISH.splitlines(True)
    yield "copy.txt", "".join(x for x in lines if not x.startswith("Velocidad")).encode()
