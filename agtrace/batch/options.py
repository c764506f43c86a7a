"""Options for reading and reporting many cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from agtrace.errors import MissingExtraError
from agtrace.extras import has

Log = Callable[[str], None]


@dataclass(frozen=True)
class Options:
    """Options for reading and reporting cases.

    Parameters
    ----------
    jobs
        Number of processes that decode, and of notebooks that run in parallel; default one per core.
    pages
        False runs no notebooks, and writes only findings and results.
    keep_stores
        Number of stores to keep on disk, those reported last; None keeps all.
    case_settings, thresholds, follow_links
        As in `agtrace.open_case`.
    trust_store
        Continue reports that another user began, or that were begun at another path.
    on_error
        ``go-on`` with the other cases, or ``stop`` at the first broken one.
    again
        Report all cases, including those that have not changed since their report.
    case_timeout
        Time limit of a case, in seconds. A case that exceeds it counts as broken, and its processes are
        ended; it is tried again when it changes, or with a longer limit. Only on this machine.
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
    """Return the options that this installation supports, and log a line for each that it does not."""
    if not options.pages or has("report"):
        return options
    lack = MissingExtraError("a page for each question", "report")
    log(f"findings and results only, as with --findings-only: {lack}")
    return replace(options, pages=False)
