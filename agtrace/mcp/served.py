"""The cases that a server offers: each is opened when first requested, and kept open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING

from agtrace import interrupts
from agtrace.errors import CaseError, in_one_line
from agtrace.mcp.unknown import MOST_LISTED, unknown

if TYPE_CHECKING:
    from agtrace.case import Case

Opener = Callable[[], AbstractContextManager["Case"]]
SEE_STANDARD_ERROR = "the server's standard error has the reason"


class Served:
    """Cases by name.

    Parameters
    ----------
    openers
        Functions that open the cases, by the names that the client uses.
    is_redacted
        Whether names were removed from the cases. If so, the client gets no errors of this machine, because
        they may contain a path or a name.
    note
        Called with such an error instead, in one line.
    """

    def __init__(
        self, openers: Mapping[str, Opener], *, is_redacted: bool = False, note: Callable[[str], None]
    ) -> None:
        self._openers = openers
        self.is_redacted = is_redacted
        self.note = note
        self._opened: dict[str, Case] = {}
        self._left = ExitStack()

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_error: object) -> None:
        self._left.close()

    def names(self) -> list[str]:
        """Return the names of all cases."""
        return list(self._openers)

    def is_open(self, name: str) -> bool:
        """Return whether a case was already opened."""
        return name in self._opened

    def name_of(self, wanted: str | None) -> str:
        """Return the name of the requested case; it is optional if there is only one.

        Raises
        ------
        CaseError
            There is no such case, or there are several and no name was given.
        """
        names = self.names()
        if wanted is None and len(names) == 1:
            return names[0]
        if wanted is None:
            raise CaseError("the argument case is missing", f"there are: {', '.join(names[:MOST_LISTED])}")
        if wanted not in names:
            raise unknown(f"no case is called {wanted!r}", wanted, names)
        return wanted

    def case(self, name: str) -> Case:
        """Return an opened case; the first time its captures are read.

        Raises
        ------
        AgtraceError
            It cannot be opened.
        """
        if name not in self._opened:
            self._opened[name] = self._open(name)
        return self._opened[name]

    def _open(self, name: str) -> Case:
        try:
            return self._left.enter_context(self._openers[name]())
        except Exception as error:
            interrupts.raise_again(error)
            if not self.is_redacted:
                raise
            self.note(f"{name}: {in_one_line(error)}")
            raise CaseError(f"{name}: cannot be opened", SEE_STANDARD_ERROR) from None
