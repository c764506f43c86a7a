"""Diagnostics: one folder per question, discovered by importing the folders of this package."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from agtrace.diagnostics.base import Analysis
from agtrace.say import cards
from agtrace.say.finding import Evidence, Finding, by_severity

__all__ = ["Analysis", "Evidence", "Finding", "analyses", "by_severity", "cards"]


@cache
def analyses() -> dict[str, type[Analysis]]:
    """Give every analysis by name, in report order."""
    found = []
    for module in pkgutil.iter_modules(__path__):
        if module.ispkg:
            found.append(importlib.import_module(f"{__name__}.{module.name}").ANALYSIS)
    return {analysis.name: analysis for analysis in sorted(found, key=lambda a: (a.order, a.name))}
