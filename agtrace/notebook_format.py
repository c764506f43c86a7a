"""nbformat, without the two seconds of processor that importing it can take."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

_GRAMMARS = "rfc3987_syntax"
"""JupyterLab brings this along for jsonschema, which imports it where it finds it: it builds two
grammars of IRIs then, and notebooks have no IRIs."""


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
