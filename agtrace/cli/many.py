"""What the verbs over many cases share: their options, and a line of log per step."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import click

from agtrace.cli.options import Place, jobs_option, scheduler_option, settings_option, trust_store_option
from agtrace.cli.terminal import one_line, say

Function = TypeVar("Function", bound=Callable[..., Any])


def many_options(function: Function) -> Function:
    """Add ``--out``, ``--findings-only``, ``--keep-stores``, ``--jobs``, ``--scheduler``,
    ``--case-timeout``, ``--settings``, ``--no-case-settings``, ``--follow-links`` and ``--trust-store``."""
    for option in (
        trust_store_option,
        settings_option,
        click.option(
            "--follow-links",
            is_flag=True,
            help="Read links to cases and files elsewhere, too. They are named and not read otherwise.",
        ),
        click.option(
            "--no-case-settings",
            is_flag=True,
            help="Leave out the settings files that lie in a case: agtrace.toml, hosts.toml, runs.csv.",
        ),
        click.option(
            "--case-timeout",
            type=click.FloatRange(min=0.0, min_open=True),
            metavar="SECONDS",
            help="Give up a case that takes longer, as broken, and end what it started; the others go "
            "on. It is tried again when it changes, or may take longer. Default: as long as it takes.",
        ),
        scheduler_option,
        jobs_option,
        click.option(
            "--keep-stores",
            type=click.IntRange(min=0),
            metavar="N",
            help="Keep the stores of the N cases reported last. Default: all. Without its store, a "
            "case that grows is read anew.",
        ),
        click.option(
            "--findings-only",
            is_flag=True,
            help="Run no notebooks: findings and results, in a fraction of the time.",
        ),
        click.option(
            "--out",
            required=True,
            type=Place(),
            metavar="DIR|URL",
            help="Where reports, stores and results go. One run at a time writes there.",
        ),
    ):
        function = option(function)
    return function


def say_step(text: str) -> None:
    """Print a step with its time, at once: somebody may follow the log."""
    say(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {one_line(text)}")
    sys.stdout.flush()
