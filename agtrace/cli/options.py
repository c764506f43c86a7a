"""Options that several verbs share."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agtrace.cli.outcome import Settings
from agtrace.cli.shared_options import SharedOption
from agtrace.storage.urls import is_url

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.engines import Engine

Function = TypeVar("Function", bound=Callable[..., Any])


def verbose_option(function: Function) -> Function:
    """Add ``--verbose``, which shows the traceback of an error."""

    def remember(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
        if value:
            ctx.ensure_object(Settings).tracebacks = True

    return click.option(
        "-v",
        "--verbose",
        cls=SharedOption,
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=remember,
        help="Show the traceback of an error (as AGTRACE_DEBUG=1 does).",
    )(function)


def _use_plugins(_ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> None:
    if values:
        from agtrace import plugins

        plugins.use(*values)


plugins_option = click.option(
    "--plugins",
    cls=SharedOption,
    multiple=True,
    metavar="DIR",
    expose_value=False,
    is_eager=True,
    callback=_use_plugins,
    help="Load readers and diagnostics from DIR and run them (docs/extend.md). Repeatable. Those of "
    "installed packages are loaded anyway.",
)
"""For commands that read captures or answer questions."""


jobs_option = click.option(
    "--jobs",
    cls=SharedOption,
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of worker processes. Default: the number of cores.",
)


scheduler_option = click.option(
    "--scheduler",
    cls=SharedOption,
    metavar="ADDRESS",
    help="Use a Dask cluster, such as tcp://10.0.0.4:8786. Its workers need the same paths and the "
    "same version of agtrace.",
)


def engine_at(scheduler: str | None) -> contextlib.AbstractContextManager[Engine | None]:
    """Connect to the cluster named by the user; None if there is none."""
    if scheduler is None:
        return contextlib.nullcontext()
    from agtrace.engines import connected

    return connected(scheduler)


trust_store_option = click.option(
    "--trust-store",
    cls=SharedOption,
    is_flag=True,
    help="Use the decoded data that came with a moved or copied case. Without this option, such data is "
    "decoded again. Needed once per case.",
)


@dataclass(frozen=True)
class Opening:
    """How the user wants a case opened; each as in `agtrace.open_case`."""

    store: str | None
    jobs: int | None
    utc_offsets: dict[str, int | str]
    case_settings: bool
    follow_links: bool
    trust_store: bool

    def to_open(self) -> dict[str, Any]:
        """Return the options as keywords for opening a case."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def open(self, case: Path | str, *, thresholds: dict[str, float] | None = None) -> Case:
        """Read new captures of a case and open it, without messages about the reading."""
        from agtrace.opening import open_case

        return open_case(case, thresholds=thresholds, **self.to_open())


def case_options(function: Callable[..., int]) -> Callable[..., int]:
    """Add the options of every command that opens a case, passed as one `Opening`, and ``--plugins``.

    These are ``--store``, ``--jobs``, ``--utc-offset``, ``--no-case-settings``, ``--follow-links`` and
    ``--trust-store``.
    """

    @wraps(function)
    def command(*, no_case_settings: bool, **given: Any) -> int:
        opening = {each.name: given.pop(each.name) for each in fields(Opening) if each.name in given}
        return function(opening=Opening(case_settings=not no_case_settings, **opening), **given)

    options = (
        plugins_option,
        trust_store_option,
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
            "--utc-offset",
            "utc_offsets",
            cls=SharedOption,
            multiple=True,
            metavar="[HOST=]H:MM|ZONE",
            callback=parse_utc_offsets,
            help="Local time minus UTC for captures that do not state it, for one host or for all: "
            "--utc-offset SQL1=-5:00, or --utc-offset SQL1=America/New_York. Repeatable.",
        ),
        jobs_option,
        click.option(
            "--store",
            cls=SharedOption,
            metavar="DIR|URL",
            help="Folder for decoded captures. Default: .agtrace in the case, or your cache folder if the "
            "case is read-only or at a URL.",
        ),
        verbose_option,
    )
    with_options: Callable[..., int] = command
    for option in options:
        with_options = option(with_options)
    return with_options


def parse_settings(_ctx: click.Context, _parameter: click.Parameter, value: Path | None) -> dict[str, float]:
    """Read the user's thresholds for this run, before any capture is read.

    Raises
    ------
    click.BadParameter
        The file does not exist, or contains an invalid value.
    """
    if value is None:
        return {}
    from agtrace.errors import CaseError
    from agtrace.settings import read_own

    try:
        return read_own(value)
    except CaseError as error:
        raise click.BadParameter(str(error)) from error


settings_option = click.option(
    "--settings",
    "thresholds",
    cls=SharedOption,
    type=click.Path(path_type=Path),
    metavar="FILE",
    callback=parse_settings,
    help="Your thresholds for this run, in the format of agtrace.toml (docs/diagnostics/thresholds.md). They "
    "override those of the case; findings name them.",
)


def parse_utc_offsets(
    _ctx: click.Context, _parameter: click.Parameter, values: tuple[str, ...]
) -> dict[str, int | str]:
    """Parse ``[HOST=]H:MM`` or ``[HOST=]ZONE`` into offsets by host; the key ``*`` means every host.

    Raises
    ------
    click.BadParameter
        The text does not have this form, or the offset is larger than that of any zone.
    """
    if not values:
        return {}
    from agtrace.errors import CaseError
    from agtrace.resolve.offsets import offset

    offsets: dict[str, int | str] = {}
    for value in values:
        host, _, text = value.strip().rpartition("=")
        try:
            offsets[host.strip() or "*"] = offset(text)
        except CaseError as error:
            raise click.BadParameter(str(error)) from error
    return offsets


def parse_encoding(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Check the name of a character encoding before any capture is read with it."""
    from agtrace.readers.text import is_encoding

    if value is not None and not is_encoding(value):
        raise click.BadParameter(f"{value!r} is not a character encoding such as cp1251 or utf-16")
    return value


def parse_severity(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> str | None:
    """Check a severity without importing the diagnostics for ``--help``."""
    if value is None:
        return None
    from agtrace.say.finding import SEVERITY_ORDER

    if value.lower() not in SEVERITY_ORDER:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(SEVERITY_ORDER)}")
    return value.lower()


fail_on_option = click.option(
    "--fail-on",
    metavar="SEVERITY",
    callback=parse_severity,
    help="Exit with status 3 if a finding is at least this severe: info, notice, warning, critical.",
)


def redact_options(function: Function) -> Function:
    """Add ``--redact`` and ``--secret``."""
    for option in (
        click.option(
            "--secret",
            cls=SharedOption,
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE",
            help="With --redact: file of the secret and its name map, created if missing. Use one file for "
            "all cases of a customer to compare them. Default: in your data folder, one per case.",
        ),
        click.option(
            "--redact",
            is_flag=True,
            help="Replace names, addresses, paths and ids with stable pseudonyms (docs/redact.md).",
        ),
    ):
        function = option(function)
    return function


class Place(click.ParamType):
    """A folder or file of this machine (a Path), or a storage URL (text)."""

    name = "path"

    def convert(
        self, value: str | Path, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> Path | str:
        return value if is_url(value) else Path(value)


case_argument = click.argument("case", type=Place())
