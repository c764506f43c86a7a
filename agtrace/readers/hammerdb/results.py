"""The line with the result of a timed run, in the wordings of all versions."""

from __future__ import annotations

import re

_RESULTS = (
    re.compile(
        r"TEST RESULT : System achieved (?P<nopm>\d{1,12}) NOPM from (?P<tpm>\d{1,12}) "
        r"(?P<database>\S.{0,30}?) TPM\s*"
    ),
    re.compile(
        r"TEST RESULT : System achieved (?P<tpm>\d{1,12}) (?P<database>\S.{0,30}?) TPM at "
        r"(?P<nopm>\d{1,12}) NOPM\s*"
    ),
)


def result_of(text: str) -> dict[str, str] | None:
    """Return nopm, tpm and database; None if a line states no result."""
    found = next(filter(None, (pattern.fullmatch(text) for pattern in _RESULTS)), None)
    return found.groupdict() if found else None
