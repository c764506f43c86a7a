"""Diagnostics: one folder per question, discovered by importing the folders of this package, and plugins."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache, partial
from pathlib import Path

from agtrace import plugins
from agtrace.diagnostics.base import Analysis
from agtrace.say import cards
from agtrace.say.finding import Evidence, Finding
from agtrace.say.findings import by_severity

__all__ = ["Analysis", "Evidence", "Finding", "analyses", "by_severity", "cards"]


_OWN = tuple(each.name for each in pkgutil.iter_modules(__path__) if each.ispkg)


def analyses() -> dict[str, type[Analysis]]:
    """Return every analysis by name, in report order."""
    return _analyses(plugins.generation())


@cache
def _analyses(_generation: int) -> dict[str, type[Analysis]]:
    found = [importlib.import_module(f"{__name__}.{name}").ANALYSIS for name in _OWN]
    for plugin in plugins.found("diagnostics").values():
        if plugin.name in _OWN:
            plugins.refuse(plugin, "agtrace has one of that name")
        elif (offered := plugins.load(plugin, partial(_why_none, name=plugin.name))) is not None:
            found.append(offered)
    return {analysis.name: analysis for analysis in sorted(found, key=lambda a: (a.order, a.name))}


def _why_none(offered: object, name: str) -> str:
    """Explain why no analysis has that name; "" if one does."""
    if not (isinstance(offered, type) and issubclass(offered, Analysis)):
        return "it is no subclass of agtrace.diagnostics.Analysis (docs/extend.md)"
    lacking = [
        each for each in ("name", "title", "question") if not isinstance(getattr(offered, each, None), str)
    ]
    if lacking:
        return f"it has no {', '.join(lacking)} (docs/extend.md)"
    return "" if offered.name == name else f"it calls itself {offered.name!r}"


def notebook_of(name: str) -> Path | None:
    """Return the notebook of an analysis; None if it has none.

    A plugin's notebook is in its own folder, under its name.
    """
    import inspect

    from agtrace.bundled import notebooks

    if name in _OWN:
        path = notebooks() / f"{name}.ipynb"
    else:
        path = Path(inspect.getfile(analyses()[name])).with_name(f"{name}.ipynb")
    return path if path.is_file() else None
