"""The settings of an opened case, for code in higher layers that reports them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class GivenSettings:
    """Contents of the settings files of a case.

    Parameters
    ----------
    paths, aliases, runs
        Contents of hosts.toml and the labelled runs (`agtrace.resolve.settings.CaseSettings`).
    faults
        Invalid entries of the files, one line each.
    mine
        Thresholds set by the user; they take precedence, and are not settings of the case.
    """

    paths: dict[str, str]
    aliases: dict[str, list[str]]
    runs: list[dict[str, Any]]
    faults: tuple[str, ...]
    mine: dict[str, float]
