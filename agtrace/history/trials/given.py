"""Measured values that no log holds: rows of the labelled windows that give one."""

from __future__ import annotations

import re
from typing import Any

from agtrace.history.runs import read_factors
from agtrace.history.trials.told import WrittenTrial
from agtrace.history.trials.trial import GIVEN
from agtrace.resolve.measured import SECONDS

_LOAD = re.compile(r"users?|virtual_users|threads?|load|vu", re.IGNORECASE)
MAX_LOAD = 1_000_000


def given(windows: list[dict[str, Any]]) -> list[WrittenTrial]:
    """Return one trial per window with a value; a time becomes its run time, in seconds."""
    found = []
    for window in windows:
        if window["measured"] is None:
            continue
        is_time = window["unit"] in SECONDS and not window["is_more_better"]
        scale = SECONDS[window["unit"]] if is_time else 1.0
        found.append(
            WrittenTrial(
                tool=window["measured"],
                driver=GIVEN,
                load=_load(window["factors"]),
                work=None,
                values={"elapsed_s" if is_time else "value": window["value"] * scale},
                path=window["source"],
                resolution_s=window["value_step"] * scale,
                start_us=window["start_us"],
                end_us=window["end_us"],
                run_id=window["run_id"],
                unit=None if is_time else window["unit"],
                is_more_better=None if is_time else window["is_more_better"],
                content=(window["run_id"], 0),
            )
        )
    return found


def _load(factors: str | None) -> int:
    """Return the load that a factor names; 1 if none does."""
    for name, value in read_factors(factors).items():
        if _LOAD.fullmatch(name.strip()) and value.strip().isdigit():
            return min(max(int(value.strip()[:9]), 1), MAX_LOAD)
    return 1
