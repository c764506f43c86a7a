"""The end of a run: the exit status, and one line with the reason."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import click

from agtrace import interrupts
from agtrace.cli.terminal import complain, show_traceback
from agtrace.errors import CaseError, in_one_line

DONE = 0
FAILED = 1
USAGE = 2
FAIL_ON = 3
INTERRUPTED = 130


@dataclass
class Settings:
    """The settings of the whole run."""

    tracebacks: bool = False

    @classmethod
    def from_environment(cls) -> Settings:
        """Take ``AGTRACE_DEBUG`` into account."""
        return cls(tracebacks=os.environ.get("AGTRACE_DEBUG", "") not in ("", "0"))


def guarded(run: Callable[[], object], settings: Settings) -> int:
    """Run, and turn whatever happens into an exit status and one line on standard error."""
    try:
        result = run()
        return result if isinstance(result, int) else DONE
    except click.exceptions.Exit as end:
        return end.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _interrupted()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.message, err=True)
        return USAGE
    except click.UsageError as error:
        verb = error.ctx.command_path if error.ctx else "agtrace"
        complain(f"{error.format_message().rstrip('.')} - see '{verb} --help'")
        return USAGE
    except click.ClickException as error:
        complain(error.format_message())
        return USAGE
    except Exception as error:
        try:
            interrupts.raise_again(error)
        except KeyboardInterrupt:
            return _interrupted()
        if settings.tracebacks:
            show_traceback(error)
        line, status = describe(error)
        complain(line)
        return status


def _interrupted() -> int:
    complain("interrupted; what was decoded so far is kept")
    return INTERRUPTED


def describe(error: Exception) -> tuple[str, int]:
    """Return a one-line message for an error, and its exit status."""
    return in_one_line(error), USAGE if isinstance(error, CaseError) else FAILED
