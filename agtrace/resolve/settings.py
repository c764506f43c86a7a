"""Read the settings files in a case's folder: agtrace.toml, hosts.toml, runs.csv or runs.toml.

They may have come with the captures, and they change verdicts. So the user can ignore them, and their
contents are reported with the results. Invalid files are skipped and reported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agtrace.errors import CaseError
from agtrace.resolve.hosts import Configuration, read_configuration
from agtrace.resolve.runs import valid_runs
from agtrace.resolve.settings_file import settings_table

MOST_FAULTS = 20
"""Of the runs, so many are named."""


@dataclass(frozen=True)
class CaseSettings:
    """Contents of the settings files of a case.

    Parameters
    ----------
    values
        ``agtrace.toml``, unchanged.
    hosts
        ``hosts.toml``.
    runs
        Rows of the relation ``runs``, from ``runs.csv`` or ``runs.toml``.
    faults
        One line for each invalid entry; the other entries are in force.
    """

    values: dict[str, Any] = field(default_factory=dict)
    hosts: Configuration = field(default_factory=Configuration)
    runs: list[dict[str, Any]] = field(default_factory=list)
    faults: tuple[str, ...] = ()


def read_settings(case: Path) -> CaseSettings:
    """Read the settings files of a case. Never raises for what is in them."""
    faults: list[str] = []
    values: dict[str, Any] = {}
    hosts = Configuration()
    try:
        values = settings_table(case / "agtrace.toml")
    except CaseError as error:
        faults.append(str(error))
    try:
        hosts = read_configuration(case)
    except CaseError as error:
        faults.append(str(error))
    runs, wrong = valid_runs(case)
    faults += map(str, wrong[:MOST_FAULTS])
    if len(wrong) > MOST_FAULTS:
        faults.append(f"{case}: {len(wrong) - MOST_FAULTS:,} more runs that are not valid")
    return CaseSettings(values, hosts, runs, tuple(faults))
