"""Steps of time, and the aggregates of the values in each."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agtrace.errors import CaseError
from agtrace.globs import named
from agtrace.moments import Window

if TYPE_CHECKING:
    import pandas as pd

HOW = ("mean", "median", "min", "max")


@dataclass(frozen=True)
class Steps:
    """Steps of time, and the aggregates of the values in each.

    Parameters
    ----------
    length
        Length of a step.
    how
        Names of the aggregates.
    is_several
        Whether several were requested, even with one name: the result then contains their names.
    """

    length: pd.Timedelta
    how: tuple[str, ...]
    is_several: bool = False

    @classmethod
    def of(cls, every: str | timedelta | None, how: str | Iterable[str]) -> Steps | None:
        """Parse the requested steps; None if no steps are requested.

        Raises
        ------
        CaseError
            ``every`` is not a duration, or ``how`` not an aggregate.
        """
        names = named(how)
        unknown = [each for each in names if each not in HOW and _percentile(each) is None]
        if unknown or not names:
            wrong = unknown[0] if unknown else how
            raise CaseError(f"how={wrong!r} is not known", f"write {', '.join(HOW)}, or such as 'p95'")
        if every is None:
            if names != HOW[:1]:
                raise CaseError(f"how={how!r} is told of steps", "say how long they are: every='1min'")
            return None
        return cls(length(every), names, not isinstance(how, str))

    def floor(self, times: pd.Series[Any], clock: Window) -> pd.Series[Any]:
        """Return the start of each time's step, by the clocks of the zone."""
        shown = times if clock.is_local else times.dt.tz_convert(clock.tz).dt.tz_localize(None)
        return times - (shown - shown.dt.floor(self.length))

    def values(self, groups: Any) -> dict[str, Any]:
        """Return each group's aggregates, by their names."""
        return {how: _aggregate(groups, how) for how in self.how}


def _aggregate(groups: Any, how: str) -> Any:
    percent = _percentile(how)
    return getattr(groups, how)() if percent is None else groups.quantile(percent / 100)


def _percentile(how: str) -> float | None:
    found = re.fullmatch(r"p(\d{1,3}(?:\.\d+)?)", how)
    return float(found[1]) if found and 0 <= float(found[1]) <= 100 else None


def length(every: str | timedelta) -> pd.Timedelta:
    """Parse a duration.

    Raises
    ------
    CaseError
        It is not a duration.
    """
    import pandas as pd

    if not isinstance(every, str | timedelta):
        raise CaseError(f"{every!r} is no length of time", "write it as '10s', '5min' or '1h'")
    try:
        # Fixed durations only: a day has one, a month has not.
        step = pd.Timedelta(1, every) if every in ("D", "h", "min", "s") else pd.Timedelta(every)
        if step > pd.Timedelta(0):
            return step
    except (ValueError, TypeError):
        pass
    raise CaseError(f"{every!r} is no length of time", "write it as '10s', '5min' or '1h'")
