"""What a life is: a wording with the three cases that hold it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agtrace.diagnostics.base import Analysis
from tests.diagnostics.tiny import Case, case

Made = Callable[[], Analysis]


@dataclass(frozen=True)
class Life:
    """A wording with its three lives.

    Parameters
    ----------
    said
        Question and words: ``database/log_full.replica``.
    id
        The finding that it is.
    true, near, missing
        Asked of the case in which it is true; nearly true; and true, with what it rests on not captured.
    """

    said: str
    id: str
    true: Made
    near: Made
    missing: Made


def of(question: type[Analysis], *rows: str, **given: Any) -> Made:
    """Ask a question of a case with these rows of relations."""
    return lambda: question(case(relations="\n".join(rows), **given))


def asked(question: type[Analysis], made: Callable[[], Case]) -> Made:
    return lambda: question(made())


def nothing(question: type[Analysis]) -> Made:
    """Ask it of a case without any capture."""
    return lambda: question(case())
