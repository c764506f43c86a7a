"""The first step of commands over one case: read new captures and report the result."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace.cli.shown import show_ingest, warn_of_faults
from agtrace.cli.terminal import complain, wants_progress
from agtrace.storage.urls import is_url

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.cli.options import Opening
    from agtrace.ingested import IngestReport
    from agtrace.kept_answer import KeptAnswer
    from agtrace.redact import Redacted


def read_new(case: Path | str, opening: Opening) -> IngestReport:
    """Read new captures of a case, show the progress, and store the user's clock settings."""
    from agtrace.ingest import ingest
    from agtrace.opening import keep_utc_offsets

    ingested = ingest(
        case,
        store=opening.store,
        jobs=opening.jobs,
        progress=wants_progress(),
        follow_links=opening.follow_links,
        trust_store=opening.trust_store,
    )
    if ingested.usable:
        keep_utc_offsets(case, opening.store, opening.utc_offsets, trust_store=opening.trust_store)
    return ingested


def kept_answer(
    case: Path | str, opening: Opening, thresholds: dict[str, float], report: str = ""
) -> KeptAnswer | None:
    """Return the cache of a case's answer; None for a remote case, or if the answer cannot be cached.

    Parameters
    ----------
    case, opening, thresholds
        As given by the user.
    report
        The requested kind of report; "" for none.
    """
    place, store = str(case), opening.store
    if is_url(place) or (store and is_url(store)) or opening.utc_offsets or opening.trust_store:
        return None
    from agtrace.answer_key import Asked
    from agtrace.kept_answer import KeptAnswer

    asked = Asked(opening.case_settings, opening.follow_links, thresholds, report=report)
    return KeptAnswer(Path(place), store, asked)


def check_usable(case: Path | str, ingested: IngestReport, opening: Opening) -> list[str]:
    """Warn about the settings in the case, and return their faults.

    Raises
    ------
    AgtraceError
        No capture of it could be read.
    """
    from agtrace.opening import nothing_usable, settings_of

    if not ingested.usable:
        raise nothing_usable(case)
    faults = list(settings_of(case).faults)
    if opening.case_settings:
        warn_of_faults(faults)
    return faults


@contextlib.contextmanager
def read_case(
    case: Path | str,
    opening: Opening,
    *,
    thresholds: dict[str, float],
    shown: bool = True,
    redact: bool = False,
    secret: Path | None = None,
) -> Iterator[tuple[Case, IngestReport]]:
    """Return the opened case after reading new captures, and the result of the reading, which is printed.

    Parameters
    ----------
    shown
        False prints nothing about the reading: standard output is for the command's own result.
    redact, secret
        As in `handed_out`.

    Raises
    ------
    AgtraceError
        The case has no usable capture.
    """
    ingested = read_new(case, opening)
    if shown:
        show_ingest(ingested, str(case), most=10)
    check_usable(case, ingested, opening)
    with open_read(case, opening, thresholds=thresholds, redact=redact, secret=secret) as opened:
        yield opened, ingested


@contextlib.contextmanager
def open_read(
    case: Path | str,
    opening: Opening,
    *,
    thresholds: dict[str, float],
    redact: bool = False,
    secret: Path | None = None,
) -> Iterator[Case]:
    """Open a case whose captures are all read, with or without names."""
    from agtrace.opening import open_case

    with (
        handed_out(case, opening, redact, secret) as (folder, kept),
        open_case(
            folder,
            kept,
            ingest=False,
            thresholds=thresholds,
            case_settings=opening.case_settings,
            trust_store=opening.trust_store,
        ) as opened,
    ):
        yield opened


@contextlib.contextmanager
def handed_out(
    case: Path | str, opening: Opening, redact: bool, secret: Path | None
) -> Iterator[tuple[Path | str, str | None]]:
    """Return the case and the store to use: unchanged, or a temporary copy without names.

    Parameters
    ----------
    case, opening
        As given by the user; new captures have been read.
    redact
        Whether to remove names.
    secret
        File with the secret and the map; default that of the case.

    Raises
    ------
    click.UsageError
        A secret is named, and no redaction asked for.
    """
    store = opening.store
    if not redact:
        if secret is not None:
            raise click.UsageError("--secret goes with --redact.")
        yield case, store
        return
    from agtrace.redact import redacted_case

    with redacted_case(
        case, store=store, secret=secret, case_settings=opening.case_settings, trust_store=opening.trust_store
    ) as (folder, made):
        if made is not None:
            say_redacted(made)
        yield folder, store if made is None else None


def say_redacted(made: Redacted) -> None:
    """Print what was replaced and dropped to standard error; standard output may be data."""
    from agtrace.redact.readme import DROPPED, NAMES, counted

    complain(
        f"redacted: replaced {counted(made.names, NAMES)}; dropped {counted(made.dropped, DROPPED)} that "
        f"nobody can judge; the secret, which stays here: {made.secret}"
    )
