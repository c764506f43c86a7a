"""How many cases are read and reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from agtrace.errors import MissingExtraError
from agtrace.extras import has

Log = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """How cases are read and reported.

    Parameters
    ----------
    jobs
        Processes to decode with, and notebooks side by side; default one per core.
    pages
        False runs no notebooks: findings and results alone.
    keep_stores
        How many stores stay on disk, those reported last; None keeps all.
    case_settings, thresholds, follow_links
        As in `agtrace.open_case`.
    trust_store
        Go on with reports that somebody else began, or that were begun at another place.
    on_error
        ``go-on`` with the other cases, or ``stop`` at the first that is broken.
    again
        Report all cases, also those that have not changed since their report.
    case_timeout
        A case that takes more seconds is given up as broken, and what it started is ended; it is
        tried again when it changes, or may take longer. Only on this machine.
    """

    jobs: int | None = None
    pages: bool = True
    keep_stores: int | None = None
    case_settings: bool = True
    thresholds: Mapping[str, float] = field(default_factory=dict)
    follow_links: bool = False
    trust_store: bool = False
    on_error: str = "go-on"
    again: bool = False
    case_timeout: float | None = None


def as_installed(options: Options, log: Log) -> Options:
    """Return the options as far as this installation can meet them; what it cannot is said in a line."""
    if not options.pages or has("report"):
        return options
    lack = MissingExtraError("a page for each question", "report")
    log(f"findings and results only, as with --findings-only: {lack}")
    return replace(options, pages=False)
