"""``-`` in place of a case: the text on standard input, as a temporary case."""

from __future__ import annotations

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from agtrace.cli.terminal import complain
from agtrace.errors import CaseError

STANDARD_INPUT = "-"
NAME = "pasted.txt"
MAX_BYTES = 16 << 20


def is_standard_input(case: Path | str) -> bool:
    """Return whether a case is given as ``-``."""
    return str(case) == STANDARD_INPUT


def shown(case: Path | str) -> str:
    """Return the display name of a case."""
    return "standard input" if is_standard_input(case) else str(case)


def nothing_found() -> CaseError:
    """Return the error for a text without recognised contents."""
    problem = "no log line and no query result was found on standard input"
    return CaseError(problem, "docs/formats/pasted_text.md lists what is recognised")


@contextlib.contextmanager
def pasted(case: Path | str) -> Iterator[Path | str]:
    """Return a case; for ``-``, a temporary folder with the text from standard input.

    Raises
    ------
    CaseError
        The text is blank, or larger than 16 MB.
    """
    if not is_standard_input(case):
        yield case
        return
    # Help is shown without the store.
    from agtrace.store.scratch import prefix

    if sys.stdin.isatty():
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        complain(f"Paste log lines or query results, then press {end} on a line of its own.")
    text = sys.stdin.buffer.read(MAX_BYTES + 1)
    if not text.strip():
        raise CaseError("standard input is empty", "pipe a text into it, or paste one")
    if len(text) > MAX_BYTES:
        problem = f"standard input has more than {MAX_BYTES >> 20} MB"
        raise CaseError(problem, "put the text into a file in a folder, and name the folder")
    with tempfile.TemporaryDirectory(prefix=prefix("pasted")) as folder:
        Path(folder, NAME).write_bytes(text)
        yield Path(folder)
