"""The reason why the stream of a seeding counts as compressed, the same text for runs and seedings."""

from __future__ import annotations

from agtrace.history.seedings import Compressed
from agtrace.say.said import Said

SAID = Said(__package__ or "")


def why(compressed: Compressed) -> str:
    """Return the reasoning that follows a verdict."""
    return SAID.text(f"stream.{compressed.reason.name}.why", compressed.reason.figures)
