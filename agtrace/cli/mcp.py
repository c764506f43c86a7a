"""``agtrace mcp``: cases for an assistant, through the Model Context Protocol."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from agtrace.cli.options import Opening, Place, case_options, redact_options, settings_option
from agtrace.cli.outcome import DONE
from agtrace.cli.reading import read_case
from agtrace.cli.terminal import complain
from agtrace.errors import CaseError
from agtrace.extras import need
from agtrace.printable import plain
from agtrace.storage.urls import is_url

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.mcp.served import Opener


@click.command("mcp")
@click.argument("folders", metavar="[FOLDER]...", nargs=-1, type=Place())
@redact_options
@settings_option
@case_options
def command(
    folders: tuple[Path | str, ...],
    redact: bool,
    secret: Path | None,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Serve the cases in FOLDER (default: the current folder) to an assistant over standard input and output.

    Assistants start this command themselves (docs/mcp.md). It changes no capture and uses no network;
    --redact exposes pseudonyms only. It ends when the assistant closes standard input.

    \b
    agtrace mcp case-1234
    agtrace mcp before after --redact
    """
    need("mcp", "agtrace mcp")
    if secret is not None and not redact:
        raise click.UsageError("--secret goes with --redact.")
    if sys.stdin is None:
        raise click.UsageError("standard input is closed: an assistant writes to it.")
    openers = _openers(folders or (Path(),), opening, thresholds, redact, secret)
    from agtrace.mcp import Served, serve

    if sys.stdin.isatty():
        complain("waits for an assistant on standard input - see docs/mcp.md; Ctrl-C ends it")
    with Served(openers, is_redacted=redact, note=complain) as served:
        serve(served)
    return DONE


def _openers(
    folders: tuple[Path | str, ...],
    opening: Opening,
    thresholds: dict[str, float],
    redact: bool,
    secret: Path | None,
) -> dict[str, Opener]:
    """Return a function that opens each case, by its name for the client: a number if it has none."""
    from agtrace.opening import named_cases

    for folder in folders:
        if is_url(folder):
            raise click.UsageError(f"{folder}: only folders of this machine can be served.")
        if not Path(folder).exists():
            raise CaseError(f"{folder}: no such folder")
    found: dict[str, Opener] = {}
    for number, (name, folder) in enumerate(named_cases(folders).items(), 1):
        own = opening
        if opening.store is not None and len(folders) > 1:
            own = dataclasses.replace(opening, store=f"{opening.store}/{name}")
        shown = f"case-{number}" if redact else plain(name)
        if shown in found:
            # Names that differ in hidden characters alone.
            shown = f"{shown}-{number}"
        found[shown] = _opener(folder, own, thresholds, redact, secret)
    return found


def _opener(
    folder: Path | str, opening: Opening, thresholds: dict[str, float], redact: bool, secret: Path | None
) -> Opener:
    @contextmanager
    def opened() -> Iterator[Case]:
        with read_case(folder, opening, thresholds=thresholds, shown=False, redact=redact, secret=secret) as (
            case,
            _ingested,
        ):
            yield case

    return opened
