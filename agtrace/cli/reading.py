"""What verbs over one case do before they ask it: read what is new, and say what came of it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.cli.shown import show_ingest, warn_of_settings
from agtrace.cli.terminal import wants_progress

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.ingest import IngestReport


def read_new(
    case: Path | str, *, store: str | None, jobs: int | None, follow_links: bool, trust_store: bool
) -> IngestReport:
    """Read what is new in a case, and show how far it has come."""
    from agtrace.ingest import ingest

    return ingest(
        case,
        store=store,
        jobs=jobs,
        progress=wants_progress(),
        follow_links=follow_links,
        trust_store=trust_store,
    )


@contextlib.contextmanager
def read_case(
    case: Path,
    *,
    store: str | None,
    jobs: int | None,
    utc_offsets: dict[str, int | str],
    thresholds: dict[str, float],
    no_case_settings: bool,
    follow_links: bool,
    trust_store: bool,
    shown: bool = True,
) -> Iterator[tuple[Case, IngestReport]]:
    """Give an opened case in which nothing is new, and what its reading gave, which is printed.

    Parameters
    ----------
    shown
        False prints nothing of what was read: standard output is for what the verb itself gives.

    Raises
    ------
    CaseError
        Nothing in it is usable.
    """
    from agtrace.opening import keep_utc_offsets, nothing_usable, open_case

    ingested = read_new(case, store=store, jobs=jobs, follow_links=follow_links, trust_store=trust_store)
    keep_utc_offsets(case, store, utc_offsets, trust_store=trust_store)
    if shown:
        show_ingest(ingested, str(case), most=10)
    if not ingested.usable:
        raise nothing_usable(case)
    if not no_case_settings:
        warn_of_settings(case)
    with open_case(
        case,
        store,
        ingest=False,
        thresholds=thresholds,
        case_settings=not no_case_settings,
        trust_store=trust_store,
    ) as opened:
        yield opened, ingested
