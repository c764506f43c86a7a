"""Read a settings file from the case's folder as untrusted input.

Such a file may come with the captures. It must be small and in the case itself, so that reading it takes
little time and memory whatever it contains.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from agtrace.errors import CaseError, NotRegularError
from agtrace.inputs import open_input

MOST_BYTES = {".toml": 256 << 10, ".csv": 4 << 20}
"""By suffix, that of TOML for others: beyond this no person wrote it."""
MOST_DOTS = 64
"""Of one line of TOML: the parser's time grows with the square of the parts of a dotted key."""


def settings_text(path: Path) -> str | None:
    """Read a settings file; None if it does not exist.

    Raises
    ------
    CaseError
        It is not a regular file, is a link out of the case, is too large, is not UTF-8, or cannot be read.
    """
    if not os.path.lexists(path):
        return None
    try:
        if not path.resolve().is_relative_to(path.parent.resolve()):
            raise CaseError(f"{path}: a link that leaves the case", "put the file itself there")
        most = MOST_BYTES.get(path.suffix, MOST_BYTES[".toml"])
        with open_input(path) as file:
            data = file.read(most + 1)
    except NotRegularError as error:
        raise CaseError(f"{path}: {error.strerror}", "remove it, or give it another name") from error
    except (OSError, RuntimeError) as error:
        # RuntimeError: raised for circular links before Python 3.13.
        reason = getattr(error, "strerror", None) or str(error)
        raise CaseError(f"{path}: cannot be read ({reason})", "check the permissions") from error
    if len(data) > most:
        raise CaseError(f"{path}: not valid (larger than {most >> 10:,} KiB)")
    try:
        # Spreadsheets save "Unicode text" as UTF-16.
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except ValueError as error:
        raise CaseError(f"{path}: not valid ({error})", "save it as UTF-8") from error


def settings_table(path: Path) -> dict[str, Any]:
    """Read a TOML file; empty if it does not exist.

    Raises
    ------
    CaseError
        As in `settings_text`; also if it is not valid TOML.
    """
    text = settings_text(path)
    if text is None:
        return {}
    if max((line.count(".") for line in text.splitlines()), default=0) > MOST_DOTS:
        raise CaseError(f"{path}: not valid (more than {MOST_DOTS} dots in a line)")
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise CaseError(f"{path}: not valid (nested too deeply)") from error
    except ValueError as error:
        raise CaseError(f"{path}: not valid ({error})") from error
