"""Progress of a report, on the user's terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Steps:
    """A line that says what is being done and how many pages have been made; nothing when piped.

    Parameters
    ----------
    pages
        How many there may be.
    shown
        Whether anybody watches; standard error must be a terminal, too.
    """

    def __init__(self, pages: int, *, shown: bool) -> None:
        from tqdm import tqdm

        self._bar = tqdm(
            total=pages, desc="opening the case", unit="page", leave=False, disable=None if shown else True
        )

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_error: object) -> None:
        self._bar.close()

    def begin(self, pages: int) -> None:
        """Set how many pages are made."""
        self._bar.total = pages
        self.say("starting the notebooks")

    def say(self, text: str) -> None:
        """Show the current step."""
        self._bar.set_description(text)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the line away while something else is printed."""
        self._bar.clear()
        yield
        self._bar.refresh()

    def after(self, make: Callable[P, T], *words: P.args, **named: P.kwargs) -> T:
        """Make a page and count it."""
        made = make(*words, **named)
        self._bar.update()
        return made
