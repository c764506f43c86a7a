"""Errors that every decoder of the package can raise."""

from __future__ import annotations


class FormatError(ValueError):
    """A file is not of the format it was opened as, or of another version.

    Parameters
    ----------
    what
        What was being read, in the format's terms.
    offset
        Byte offset in the file.
    need, have
        What the format requires there, and what was found.
    """

    def __init__(self, what: str, offset: int, need: str, have: str) -> None:
        self.what = what
        self.offset = offset
        self.need = need
        self.have = have
        super().__init__(what, offset, need, have)

    def __str__(self) -> str:
        return f"{self.what} at offset {self.offset} (need {self.need}, have {self.have})"
