"""The ``agtrace`` command with its subcommands, each imported on first use."""

from __future__ import annotations

import contextlib
import importlib
import os
import sys

import click

from agtrace.cli.options import plugins_option, verbose_option
from agtrace.cli.outcome import Settings
from agtrace.cli.shared_options import named, shared_options

SUMMARIES = {
    "report": "Write the report of a case. Start here.",
    "ingest": "Read the captures of a case into its store.",
    "findings": "Print the findings of a case in seconds.",
    "info": "Describe a capture: kind, host, time span, damage.",
    "convert": "Convert a capture to another format, like relog.",
    "batch": "Report many cases and combine their results.",
    "watch": "Report each case dropped into a folder.",
    "lab": "Explore a case in JupyterLab.",
    "mcp": "Serve cases to an assistant (Model Context Protocol).",
    "export": "Export findings and tables as CSV or XLSX, figures as PNG.",
    "redact": "Write a case without names, for sharing.",
    "sql": "Query a case, or the results of many, in SQL.",
    "around": "Show what every host logged around a moment.",
    "kit": "Write scripts that capture what is needed.",
    "compare": "Compare two cases, such as before and after a change.",
    "what-if": "Estimate the effect of a change before making it.",
    "sample": "Copy a sample case to try agtrace.",
    "help": "Help of a command, or of the options that many share.",
}
"""Summaries of the commands, in the order of the help page; ``--help`` imports none of the commands."""

VERBS = tuple(SUMMARIES)
"""Each is a module of this package that offers ``command``."""


class VerbGroup(click.Group):
    """A group whose commands are the modules named in `VERBS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"agtrace.cli.{cmd_name.replace('-', '_')}").command
        command.epilog = named(shared_options(command))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in VERBS and not args[0].startswith("-"):
            from agtrace.globs import nearest

            near = nearest(args[0], VERBS)
            meant = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(VERBS)}"
            ctx.fail(f"No such command {args[0]!r}; {meant}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # click would return status 1, which means that a capture failed.
            _discard_output()
            raise click.exceptions.Exit(141) from None
        except EOFError as error:
            # click would treat it as Ctrl-D at a prompt, but no command prompts.
            raise RuntimeError(f"data that ends too early: {error}") from error
        return result


def _discard_output() -> None:
    """Point standard output to nowhere, so that the flush at exit does not complain."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print_version(ctx: click.Context, _parameter: click.Parameter, value: bool) -> None:
    if value:
        from agtrace import __version__

        click.echo(f"agtrace {__version__}")
        if ctx.ensure_object(Settings).tracebacks:
            _print_plugins()
        ctx.exit()


def _print_plugins() -> None:
    """Name the readers and diagnostics that are not agtrace's own, and those of them that cannot be used."""
    from agtrace import plugins
    from agtrace.cli.terminal import one_line
    from agtrace.diagnostics import analyses
    from agtrace.readers import reader, reader_names

    used = {"readers": {name for name in reader_names() if reader(name)}, "diagnostics": set(analyses())}
    for kind in plugins.KINDS:
        for plugin in plugins.found(kind).values():
            if plugin.name in used[kind] and not plugins.is_refused(plugin):
                click.echo(one_line(str(plugin)))


@click.group(
    "agtrace",
    cls=VerbGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit status: 0 done; 1 a capture, analysis or notebook failed, the rest is done; 2 wrong usage; "
    "3 --fail-on met. Start with: agtrace report FOLDER",
    no_args_is_help=True,
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version; with --verbose the plugins, too.",
)
@plugins_option
@verbose_option
def command_line() -> None:
    """Diagnose SQL Server availability groups from a folder of captures.

    Put perfmon logs (BLG, CSV, TSV), Extended Events files, ERRORLOGs, cluster logs and support
    outputs into a folder, or a zip of them. agtrace reads them on any operating system, without
    SQL Server, and reports what went wrong or what limits the group, and the remedy. Nothing
    leaves this machine.
    """
