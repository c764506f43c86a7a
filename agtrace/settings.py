"""Thresholds set by a case and by the user: which are valid, which are in force, and who set them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from agtrace.errors import CaseError
from agtrace.globs import instead
from agtrace.resolve.settings_file import settings_table as table_of_settings
from agtrace.thresholds import Thresholds, checked


def faults_of(settings: dict[str, Any] | None, source: str = "agtrace.toml") -> list[str]:
    """Return the invalid entries of a settings file, one line each; the others are in force."""
    unknown = sorted(set(settings or {}) - {"thresholds"})
    return [
        *(f"{source}: {name!r} is not known - known: [thresholds]" for name in unknown),
        *map(str, checked(settings, source)[1]),
    ]


def own(asked: Mapping[str, float] | None) -> dict[str, float]:
    """Check thresholds set by the user, as opposed to those from a file in the case.

    Raises
    ------
    CaseError
        There is no such threshold (the message suggests the nearest), or a value is not a positive number.
    """
    if asked is not None and not isinstance(asked, Mapping):
        raise CaseError(f"thresholds={asked!r:.60} gives no names", 'write it as {"rpo_s": 30}')
    known = [f.name for f in fields(Thresholds)]
    for name in asked or {}:
        if name not in known:
            raise CaseError(f"no threshold is named {name!r}", instead(str(name), known))
    valid, faults = checked({"thresholds": dict(asked or {})}, "thresholds")
    if faults:
        raise faults[0]
    return valid


def in_force(settings: dict[str, Any], mine: Mapping[str, float]) -> dict[str, Any]:
    """Return the settings of a case with the user's thresholds, which take precedence."""
    if not mine:
        return settings
    return settings | {"thresholds": checked(settings)[0] | dict(mine)}


def rows(limits: Thresholds, mine: Iterable[str]) -> list[dict[str, Any]]:
    """Return each threshold with its value, unit, default, source, and meaning."""
    asked, defaults = set(mine), Thresholds()
    found = []
    for each in fields(Thresholds):
        value, usual = getattr(limits, each.name), getattr(defaults, each.name)
        set_by = "you" if each.name in asked else "" if value == usual else "agtrace.toml"
        found.append(
            {"name": each.name, "value": value, "unit": each.metadata["unit"], "default": usual}
            | {"set_by": set_by, "meaning": each.metadata["meaning"]}
        )
    return found


def read_own(path: str | Path) -> dict[str, float]:
    """Read the thresholds of a settings file that the user names, in the form of agtrace.toml.

    Raises
    ------
    CaseError
        There is no such file, or an entry in it is invalid.
    """
    place = Path(path)
    if not place.exists():
        raise CaseError(
            f"{path}: no such file", "it is of the form of agtrace.toml (docs/diagnostics/thresholds.md)"
        )
    values = table_of_settings(place.resolve())
    if unknown := sorted(set(values) - {"thresholds"}):
        raise CaseError(f"{path}: {unknown[0]!r} is not known", "known: [thresholds]")
    try:
        return own(values.get("thresholds"))
    except CaseError as error:
        raise CaseError(f"{path}: {error}") from error
