"""Runs to compare: the labelled windows of a case, the backups that measure throughput, and their factors.

A run is a backup, a seeding, a load test or a window labelled in runs.csv. Runs with equal factors are one
configuration.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pyarrow as pa

from agtrace.history.base import View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

UNSAID = "not known"
"""Shown as the value of a factor that is unknown."""

Run = TypeVar("Run")


@dataclass(frozen=True, eq=False, kw_only=True)
class Configuration(Generic[Run]):
    """Runs with equal factors.

    Parameters
    ----------
    factors
        Their factors, by name.
    runs
        The runs, or their indexes if stored in columns.
    """

    factors: dict[str, Any]
    runs: Sequence[Run]

    @property
    def n(self) -> int:
        """How many runs it has."""
        return len(self.runs)


def labelled_windows(view: View) -> list[dict[str, Any]]:
    """Return every row of ``runs`` (runs.csv, runs.toml) in time order, its ends also in microseconds."""
    return view.rows(_sql("runs.sql"))


def measured_backups(view: View, least_s: float) -> pa.Table:
    """Return the backups and restores of at least that many seconds with a rate, as in ``backups``."""
    return view.table(_sql("measured_backups.sql"), {"least_s": least_s})


def read_factors(text: str | None) -> dict[str, str]:
    """Return the factors of a labelled window, a JSON object of texts; empty if the text is not one."""
    try:
        given = json.loads(text or "{}")
    except ValueError:
        return {}
    return {str(name): str(value) for name, value in given.items()} if isinstance(given, dict) else {}


def shown(value: object) -> str:
    """Return a factor's value as text, for comparing values."""
    if value is None:
        return UNSAID
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


def varying(configurations: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Name the factors that take more than one value, in the order in which they are given."""
    given = list(configurations)
    names = dict.fromkeys(name for factors in given for name in factors)
    return tuple(name for name in names if len({shown(factors.get(name)) for factors in given}) > 1)
