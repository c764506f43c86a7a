"""Shared parts of the commands over many cases: their options, and a log line per step."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from functools import wraps
from typing import Any

import click

from agtrace.cli.options import Place, jobs_option, scheduler_option, settings_option, trust_store_option
from agtrace.cli.shared_options import SharedOption
from agtrace.cli.terminal import one_line, say


def many_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add ``--out``, ``--scheduler`` and the options of `agtrace.batch.Options`, passed as one object.

    These are ``--findings-only``, ``--keep-stores``, ``--jobs``, ``--case-timeout``, ``--settings``,
    ``--no-case-settings``, ``--follow-links`` and ``--trust-store``.
    """

    @wraps(function)
    def command(*, findings_only: bool, no_case_settings: bool, **given: Any) -> int:
        from agtrace.batch import Options

        chosen = {each.name: given.pop(each.name) for each in fields(Options) if each.name in given}
        options = Options(pages=not findings_only, case_settings=not no_case_settings, **chosen)
        return function(options=options, **given)

    with_options: Callable[..., int] = command
    for option in (
        trust_store_option,
        settings_option,
        click.option(
            "--follow-links",
            cls=SharedOption,
            is_flag=True,
            help="Also read links that point outside the case. By default they are listed, not read.",
        ),
        click.option(
            "--no-case-settings",
            cls=SharedOption,
            is_flag=True,
            help="Ignore the settings files in the case: agtrace.toml, hosts.toml, runs.csv.",
        ),
        click.option(
            "--case-timeout",
            type=click.FloatRange(min=0.0, min_open=True),
            metavar="SECONDS",
            help="Stop a case that takes longer and list it as broken. It runs again when it changes or the "
            "timeout is raised. Default: no limit.",
        ),
        scheduler_option,
        jobs_option,
        click.option(
            "--keep-stores",
            type=click.IntRange(min=0),
            metavar="N",
            help="Keep the stores of the last N cases. Default: all. Without its store, a case that "
            "grows is read again from the start.",
        ),
        click.option(
            "--findings-only",
            is_flag=True,
            help="Write findings and results without notebooks, in a fraction of the time.",
        ),
        click.option(
            "--out",
            required=True,
            type=Place(),
            metavar="DIR|URL",
            help="Folder for reports, stores and results. Only one run may write there at a time.",
        ),
    ):
        with_options = option(with_options)
    return with_options


def say_step(text: str) -> None:
    """Print a step with its time, flushed at once for readers of the log."""
    say(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {one_line(text)}")
    sys.stdout.flush()
