"""Findings on analyses that fail: what to report; the other analyses are answered."""

from __future__ import annotations

import hashlib
import importlib.metadata
import traceback
from pathlib import Path

from agtrace.errors import RelationError
from agtrace.say.finding import Evidence, Finding

ID = "quality.analysis_failed"
_PACKAGE = Path(__file__).parents[1]


def finding(name: str, error: Exception) -> Finding:
    """Return the finding about an analysis that failed.

    It contains no captured data, not even the text of the error: it can be shared unchanged.

    Parameters
    ----------
    name
        Of the analysis.
    error
        What it raised.
    """
    # Not from the package, which knows everything.
    version = importlib.metadata.version("agtrace")
    rests = isinstance(error, RelationError)
    cause = error.__cause__ if rests and isinstance(error.__cause__, Exception) else error
    kind, place = type(cause).__name__, _place(cause)
    mark = hashlib.sha256(f"{kind} {place}".encode()).hexdigest()[:8]
    on = f"relation {error.relation}, on which it rests," if isinstance(error, RelationError) else ""
    source = f"agtrace {version}"
    return Finding(
        id=ID,
        severity="warning",
        title=f"The analysis {name} failed and says nothing here",
        narrative=(
            f"{f'The {on}' if on else 'It'} ended with an internal error, {kind} in {place}. The other "
            f"analyses do not rest on it. Failures of the same origin bear the same mark, {mark}."
        ),
        subject={"analysis": name},
        evidence=(
            Evidence("analysis", name, "", source),
            Evidence("error", kind, "", source),
            Evidence("place", place, "", source),
            Evidence("mark", mark, "", source),
        ),
        recommendation=(
            f"This is a defect of agtrace: please report it with these lines and the version, {version}; "
            "they hold nothing of the captures. 'agtrace --verbose findings' prints how it came about."
        ),
    )


def _place(error: Exception) -> str:
    """Return the innermost line of this package that an error passed: ``agtrace.case:128``."""
    found = "unknown"
    for frame in traceback.extract_tb(error.__traceback__):
        path = Path(frame.filename)
        if path.is_relative_to(_PACKAGE):
            module = ".".join(path.relative_to(_PACKAGE.parent).with_suffix("").parts)
            found = f"{module.removesuffix('.__init__')}:{frame.lineno}"
    return found
