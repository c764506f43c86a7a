"""A trial as one file tells it."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.history.trials.trial import Trial


@dataclass(frozen=True)
class WrittenTrial(Trial):
    """A trial as one file tells it, with what it is known by: an id, or its place in a content."""

    content: tuple[str, int] = ("", 0)
