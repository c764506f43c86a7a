"""The maximum path length of Windows: 259 characters, unless the administrator has enabled long paths."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

LIMIT = 259
LONGEST_BELOW = 176
"""Length of the longest path in a store below its folder: a table in a part that is still being written."""


def fits(root: Path) -> bool:
    """Return whether all paths of a store are short enough for this system."""
    return not is_limited() or len(str(root.absolute())) + LONGEST_BELOW <= LIMIT


@cache
def is_limited() -> bool:
    """Return whether this is a Windows without long paths enabled."""
    if sys.platform != "win32":
        return False
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SYSTEM\CurrentControlSet\Control\FileSystem") as key:
            return winreg.QueryValueEx(key, "LongPathsEnabled")[0] != 1
    except OSError:
        return True
