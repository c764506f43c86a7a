"""Import nbformat and papermill without the slow imports that notebooks of agtrace never use."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

_GRAMMARS = "rfc3987_syntax"
"""JupyterLab installs it for jsonschema, which imports it if present and then builds two grammars of IRIs;
notebooks contain no IRIs.
"""

_STORAGES = ("papermill.s3", "papermill.adl", "papermill.abs")
"""papermill's modules for cloud storage; importing their clients takes half a second."""


def leave_out_storages() -> None:
    """Make papermill run without storage clients, as if they were not installed.

    For a process that only runs notebooks of agtrace.
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
