"""The user's own series, converted to the clock of a case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from agtrace.errors import CaseError
from agtrace.history.reference_clock import reference_clock
from agtrace.interactive.asked import hosts_meant
from agtrace.measure.series import Key
from agtrace.moments import Window

if TYPE_CHECKING:
    from agtrace.store import CaseView

HOST = "own"
"""Host name in the columns of the user's series."""


def own_series(
    view: CaseView, own: pd.Series[Any] | pd.DataFrame, window: Window, clock: str | None
) -> dict[Key, pd.Series[Any]]:
    """Return the user's series in UTC of the case's reference clock, or in local time.

    Parameters
    ----------
    view
        The case.
    own
        A series or frame with a time index.
    window
        Its zone applies to times without a zone.
    clock
        Host whose clock the times are from; None: the reference clock.

    Raises
    ------
    CaseError
        ``own`` has no time index, its times cannot be converted to UTC, or the host is unknown.
    """
    if not isinstance(own, pd.Series | pd.DataFrame) or not isinstance(own.index, pd.DatetimeIndex):
        raise CaseError("not a series by time", "write a pandas Series or DataFrame with a DatetimeIndex")
    columns = {HOST: own} if isinstance(own, pd.Series) else dict(own.items())
    index = _in_utc(own.index, window) - _ahead(view, clock)
    named = {
        str(series.name if series.name is not None else name): series for name, series in columns.items()
    }
    return {(HOST, "", "", name): pd.Series(series.to_numpy(), index) for name, series in named.items()}


def _in_utc(index: pd.DatetimeIndex, window: Window) -> pd.DatetimeIndex:
    if index.tz is not None:
        return index.tz_convert("UTC")
    if window.is_local:
        return index
    try:
        return index.tz_localize(window.tz).tz_convert("UTC")
    except ValueError as error:
        raise CaseError(
            f"a time is not one moment in {window.tz} ({error})", "write times with their offset from UTC"
        ) from error


def _ahead(view: CaseView, clock: str | None) -> pd.Timedelta:
    if clock is None:
        return pd.Timedelta(0)
    hosts = sorted(hosts_meant(view, clock) or ())
    if len(hosts) != 1:
        raise CaseError(f"clock={clock!r} matches {len(hosts)} hosts", "name one")
    return pd.Timedelta(reference_clock(view).ahead.get(hosts[0], pd.Timedelta(0)))
