"""A chain of steps that something passes, with the one that holds it back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One step of a chain; all of it plain text.

    Parameters
    ----------
    name
        What happens there.
    amount
        How much passes, with its unit; "not captured" where nothing tells it.
    is_slow
        The chain is held back on the way to this step.
    note
        What waits before it, or why it does not compare with the step before; "" for neither.
    """

    name: str
    amount: str
    is_slow: bool = False
    note: str = ""


@dataclass(frozen=True)
class Strip:
    """A chain with its name and where it leads, and the time and unit of its amounts."""

    name: str
    steps: tuple[Step, ...]
    about: str = ""
