"""A trial as recorded in one file."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.history.trials.trial import Trial


@dataclass(frozen=True)
class WrittenTrial(Trial):
    """A trial as recorded in one file, with its id, or its position in a content."""

    content: tuple[str, int] = ("", 0)
