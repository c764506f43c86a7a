"""Notes which relations a process makes, for a test that starts several."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from agtrace.history import offering
from agtrace.history.base import Maker

NOTING = Path(__file__).with_name("noting")
"""On the path of a process, this folder makes it note them from its start."""
NOTES = "AGTRACE_TEST_NOTES"
"""Environment variable with the file that the names of relations are added to."""
SLOWLY_S = 1.0
"""So much longer takes each: whoever asks meanwhile asks for what is not there yet."""


def note_makers() -> None:
    """From here on, this process notes each relation that it makes."""
    makers = offering.makers()
    offering.makers = lambda: tuple(_noting(maker) for maker in makers)


def _noting(maker: Maker) -> Maker:
    def make(view):
        with Path(os.environ[NOTES]).open("a", encoding="utf-8") as notes:
            notes.write(f"{os.getpid()} {maker.relations[0]}\n")
        time.sleep(SLOWLY_S)
        return maker.make(view)

    return replace(maker, make=make)
