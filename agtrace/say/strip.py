"""A chain of steps, with its limiting step."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One step of a chain; all of it plain text.

    Parameters
    ----------
    name
        Name of the step.
    amount
        The amount that passes, with its unit; "not captured" if unknown.
    is_slow
        Whether the chain is limited on the way to this step.
    note
        The queue before it, or why it cannot be compared with the previous step; "" for neither.
    """

    name: str
    amount: str
    is_slow: bool = False
    note: str = ""


@dataclass(frozen=True)
class Strip:
    """A chain with its name and target, and the time and unit of its amounts."""

    name: str
    steps: tuple[Step, ...]
    about: str = ""
