"""What an opened case carries of the settings files that lie in it: for those who tell of it, above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class GivenSettings:
    """What the settings files of a case say.

    Parameters
    ----------
    paths, aliases, runs
        What hosts.toml and the labelled runs say (`agtrace.resolve.settings.CaseSettings`).
    faults
        What in the files does not hold, one line each.
    mine
        Thresholds that whoever asks has set: they come first, and are no settings of the case.
    """

    paths: dict[str, str]
    aliases: dict[str, list[str]]
    runs: list[dict[str, Any]]
    faults: tuple[str, ...]
    mine: dict[str, float]
