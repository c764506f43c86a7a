"""The command line: ``agtrace VERB``. One module per verb; only the verb that runs is imported."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from agtrace import import_path, plugins
from agtrace.cli.group import command_line
from agtrace.cli.outcome import DONE, FAILED, USAGE, Settings, guarded
from agtrace.cli.signals import CommandEnding
from agtrace.cli.terminal import complain

__all__ = ["main"]

GARBAGE_AFTER = 200_000
"""New objects after which cycles are collected (Python's defaults: 700, or 2,000). Imported modules stay
alive, and scanning them repeatedly takes a tenth of the time of a short command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        The arguments after ``agtrace``; by default ``sys.argv``: this process is then the command, and
        signals end it.

    Returns
    -------
    int
        0 success; 1 a capture, analysis, notebook or plugin failed (the rest is complete); 2 wrong usage;
        3 ``--fail-on`` met; 130 interrupted; 141 the reader of the output has closed it.
    """
    for stream in (sys.stdout, sys.stderr):
        # A console that lacks a character of a database name must not end the run.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    settings = Settings.from_environment()

    plugins.tell(complain)

    def run() -> object:
        words = None if arguments is None else list(arguments)
        result = command_line.main(words, prog_name="agtrace", standalone_mode=False, obj=settings)
        is_done = not isinstance(result, int) or result == DONE
        return FAILED if is_done and plugins.faults() else result

    if arguments is not None:
        return guarded(run, settings)
    import_path.settle()
    gc.set_threshold(GARBAGE_AFTER)
    if not _has_output():
        return USAGE
    ending = CommandEnding()
    ending.listen()
    return ending.finish(guarded(run, settings))


def _has_output() -> bool:
    """Return whether standard output exists; no other file replaces a stream that was closed."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    if sys.stdout is None:
        complain("standard output is closed - let it go somewhere, such as >/dev/null")
    return sys.stdout is not None
