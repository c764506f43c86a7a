"""nbformat and papermill, without what importing them takes longest for and notebooks of agtrace never
use.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

_GRAMMARS = "rfc3987_syntax"
"""JupyterLab brings this along for jsonschema, which imports it where it finds it: it builds two
grammars of IRIs then, and notebooks have no IRIs."""

_STORAGES = ("papermill.s3", "papermill.adl", "papermill.abs")
"""How papermill reads and writes notebooks in the clouds; each imports a client of its own, in half a second.
"""


def leave_out_storages() -> None:
    """Make papermill run without storage clients, as if they were not installed.

    For a process that runs notebooks of agtrace and nothing else.
    """
    modules: dict[str, Any] = sys.modules
    for name in _STORAGES:
        modules.setdefault(name, None)


def load() -> ModuleType:
    """Import nbformat; to be called before anything else that imports it, such as papermill."""
    modules: dict[str, Any] = sys.modules
    is_here = _GRAMMARS in modules
    modules.setdefault(_GRAMMARS, None)
    try:
        import nbformat
    finally:
        if not is_here:
            modules.pop(_GRAMMARS, None)
    return nbformat
