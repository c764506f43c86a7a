"""Progress of a report, on the user's terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Steps:
    """A progress line with the current step and the number of finished pages; absent if piped.

    Parameters
    ----------
    pages
        Highest number of pages.
    shown
        Whether to show it; standard error must also be a terminal.
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
        """Set the number of pages."""
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
