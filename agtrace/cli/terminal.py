"""Text on a terminal: colours, wrapping, progress, and protection against control characters in captures."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import traceback
from pathlib import Path

import click

from agtrace.printable import visible

MAX_WIDTH = 100
STANDARD_OUTPUT = Path("-")
"""The file name that stands for standard output."""


def one_line(text: str) -> str:
    """Make text safe and put it on one line."""
    return visible(" ".join(text.split()))


def colour(text: str, **style: object) -> str:
    """Style text; `say` removes the style if colours are off."""
    return click.style(text, **style)  # type: ignore[arg-type]


def say(text: str = "") -> None:
    """Print to standard output; coloured only on a terminal, and never under NO_COLOR."""
    click.echo(text, color=False if os.environ.get("NO_COLOR") else None)


def print_file(path: Path) -> None:
    """Print a file as it is, for another program."""
    with path.open("rb") as file:
        sys.stdout.flush()
        shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def complain(text: str) -> None:
    """Print one line to standard error."""
    click.echo(f"agtrace: {one_line(text)}", err=True)


def show_traceback(error: BaseException) -> None:
    """Print how an error came about to standard error; its text may quote a capture."""
    click.echo(visible("".join(traceback.format_exception(error))), err=True, nl=False)


def wants_progress() -> bool:
    """Return whether to show progress: standard error is a terminal."""
    # The stream is None if it was closed, as in agtrace ... 2>&-.
    return sys.stderr is not None and sys.stderr.isatty()


def width() -> int:
    """Return the width to wrap at."""
    return max(40, min(shutil.get_terminal_size((MAX_WIDTH, 24)).columns, MAX_WIDTH))


def wrapped(text: str, indent: str = "  ") -> str:
    """Wrap the paragraphs of a text, each line indented."""
    paragraphs = visible(text).strip().split("\n")
    return "\n".join(
        textwrap.fill(
            paragraph.strip(),
            width(),
            initial_indent=indent,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for paragraph in paragraphs
    )
