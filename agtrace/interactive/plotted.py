"""The series of a figure: counters and waits by name, with their samples in a window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from agtrace.errors import CaseError
from agtrace.globs import instead, named
from agtrace.interactive import waits
from agtrace.measure.counters import TOTAL
from agtrace.measure.series import chosen, is_called, samples_of
from agtrace.measure.steps import Steps
from agtrace.moments import LOCAL, Window
from agtrace.say.words import listing
from agtrace.store import CaseView
from agtrace.tables.rows import numbers

MOST_PANELS = 8
MOST_LINES = 20
"""Most lines of a panel: those with the highest mean."""

BYTES = {"KB": 1024.0, "MB": 1024.0**2, "KB/s": 1024.0}
"""Units of SQL Server's counters in bytes: a figure shows them in a suitable multiple."""

Row = dict[str, Any]
"""A row of the relation ``counters``."""
Samples = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Panel:
    """A counter or a wait type of all hosts and instances.

    Parameters
    ----------
    title
        Object and name.
    rows
        Its series.
    """

    title: str
    rows: list[Row]

    @property
    def name(self) -> str:
        return self.title.rpartition("\\")[2]

    @property
    def factor(self) -> float:
        return in_bytes(self._written_unit)[0]

    @property
    def unit(self) -> str:
        return in_bytes(self._written_unit)[1]

    @property
    def _written_unit(self) -> str:
        return next((row["unit"] for row in self.rows if row["unit"]), "")


@dataclass(frozen=True)
class Plotted:
    """One line or box of a figure: values in the unit of its panel at times of the window's clock.

    Parameters
    ----------
    row
        Its series.
    how
        Name of the aggregate of steps, if there are several.
    times, values
        Its samples.
    case
        Name of its case, if there are several.
    """

    row: Row
    how: str
    times: np.ndarray
    values: np.ndarray
    case: str = ""

    @property
    def name(self) -> str:
        """Host and instance for a legend."""
        host = host_of(self.row)
        if self.row["sql_instance"] not in (None, "MSSQLSERVER"):
            host += f"\\{self.row['sql_instance']}"
        name = host if self.row["instance"] is None else f"{host} ({self.row['instance']})"
        return f"{self.owner[0]}: {name} {self.how}".removeprefix(": ").rstrip()

    @property
    def owner(self) -> tuple[str, str]:
        """Its case and host, which have one colour."""
        return self.case, host_of(self.row)

    @property
    def part(self) -> tuple[str, str, str]:
        """Return the names that distinguish it from the other series of its host."""
        return counter_of(self.row), self.row["instance"] or "", self.how


def in_bytes(unit: str) -> tuple[float, str]:
    """Return the factor and the unit in which values of a counter are drawn."""
    if unit not in BYTES:
        return 1.0, unit
    return BYTES[unit], "B/s" if unit.endswith("/s") else "B"


def host_of(row: Row) -> str:
    """Return the host of a series."""
    return row["host_id"] or row["host"] or "unknown host"


def counter_of(row: Row) -> str:
    """Return the counter of a series; canonical if known."""
    return row["counter"] or row["counter_written"] or ""


def panels_of(
    view: CaseView,
    counters: Sequence[str],
    host: str | Iterable[str] | None,
    instance: str | Iterable[str] | None,
) -> list[Panel]:
    """Return the requested counters and waits, in the requested order.

    Raises
    ------
    CaseError
        One was not captured, or there are too many for a figure.
    """
    if not counters:
        raise CaseError("no counter is named", 'such as case.plot("Log Send Queue")')
    captured = view.rows("SELECT * FROM counters ORDER BY counter_id")
    found: dict[str, dict[int, Row]] = {}
    for counter in counters:
        for row in _series(view, captured, counter, host, instance):
            title = f"{row['object'] or row['object_written']}\\{counter_of(row)}"
            found.setdefault(title, {})[row["counter_id"]] = row
    panels = [Panel(title, list(rows.values())) for title, rows in found.items()]
    if len(panels) > MOST_PANELS:
        many = listing([panel.name for panel in panels])
        raise CaseError(f"{len(panels)} counters are too many for one figure: {many}", "name fewer")
    if instance is not None:
        return panels
    return [Panel(panel.title, _without_totals(panel.rows)) for panel in panels]


def _series(
    view: CaseView,
    captured: list[Row],
    counter: str,
    host: str | Iterable[str] | None,
    instance: str | Iterable[str] | None,
) -> list[Row]:
    if not any(is_called(row, counter) for row in captured) and (types := waits.wait_types(view)):
        if waited := waits.series_of(view, counter, host):
            return waited
        names = sorted({*map(counter_of, captured), *types})
        raise CaseError(f"no counter and no wait {counter!r} was captured", instead(counter, names))
    by_id = {row["counter_id"]: row for row in captured}
    hosts = [None] if host is None else named(host)
    return [by_id[found] for each in hosts for found in chosen(captured, counter, each, instance)]


def _without_totals(rows: list[Row]) -> list[Row]:
    """Return the rows without _Total of hosts whose instances are shown."""
    split = {host_of(row) for row in rows if row["instance"] not in (None, TOTAL)}
    return [row for row in rows if row["instance"] != TOTAL or host_of(row) not in split]


def read(
    view: CaseView, panels: Sequence[Panel], window: Window, steps: Steps | None
) -> tuple[list[list[Plotted]], Window]:
    """Read the series of each panel, by name, and return the window by the clock of their times."""
    samples, clock = _samples(view, [row for panel in panels for row in panel.rows], window)
    return [_plotted(panel, samples, steps, clock) for panel in panels], clock


def _plotted(panel: Panel, samples: dict[int, Samples], steps: Steps | None, clock: Window) -> list[Plotted]:
    # Rows with the same name are one series in several captures.
    called: dict[str, list[Row]] = {}
    for row in panel.rows:
        called.setdefault(Plotted(row, "", *_NOTHING).name, []).append(row)
    found = []
    for rows in called.values():
        whole = _joined([samples[row["counter_id"]] for row in rows if row["counter_id"] in samples])
        parts = {"": whole} if steps is None else _in_steps(whole, steps, clock)
        for how, (times, values) in parts.items():
            if len(values):
                found.append(Plotted(rows[0], how, _shown(times, clock), values * panel.factor))
    return sorted(found, key=lambda each: each.name)


def highest(found: list[Plotted]) -> list[Plotted]:
    """Return the series with the highest means, up to the limit of a panel."""
    kept = sorted(found, key=lambda each: -float(np.nanmean(each.values)))[:MOST_LINES]
    return sorted(kept, key=lambda each: each.name)


_NOTHING = np.empty(0, "datetime64[us]"), np.empty(0)


def _samples(view: CaseView, rows: list[Row], window: Window) -> tuple[dict[int, Samples], Window]:
    """Return times (datetime64[us]) and values by series, and the window by the clock of the times."""
    waited = [row for row in rows if row["counter_id"] < 0]
    if not window.is_local and any(row["is_local"] for row in waited):
        start, end = (each and each.replace(tzinfo=None) for each in (window.start, window.end))
        window = Window(start, end, LOCAL)
    counted = [row["counter_id"] for row in rows if row["counter_id"] >= 0]
    table, clock = samples_of(view, counted, window)
    number, value = numbers(table["counter_id"]), numbers(table["value"])
    times = numbers(table["time"].cast(pa.int64())).astype("datetime64[us]")
    ids = np.unique(number)
    cuts = np.searchsorted(number, [*ids, np.inf])
    found = {int(each): (times[a:b], value[a:b]) for each, a, b in zip(ids, cuts[:-1], cuts[1:], strict=True)}
    for row in waited:
        ends, values = waits.samples_of(view, row, clock)
        found[row["counter_id"]] = ends.astype("datetime64[us]"), values
    return found, clock


def _in_steps(part: Samples, steps: Steps, clock: Window) -> dict[str, Samples]:
    import pandas as pd

    if not len(part[0]):
        return {}
    times = pd.Series(pd.DatetimeIndex(part[0], tz=None if clock.is_local else "UTC"))
    found = steps.values(pd.Series(part[1]).groupby(steps.floor(times, clock)))
    return {
        how if steps.is_several else "": (_in_numpy(values.index, clock), values.to_numpy())
        for how, values in found.items()
    }


def _in_numpy(index: Any, clock: Window) -> np.ndarray:
    # numpy has no zones: these are UTC.
    known = index if clock.is_local else index.tz_convert(None)
    return np.asarray(known.to_numpy().astype("datetime64[us]"))


def _shown(times: np.ndarray, clock: Window) -> np.ndarray:
    """Return times in UTC by the clocks of the zone."""
    if clock.is_local or clock.tz == "UTC":
        return times
    import pandas as pd

    shown = pd.DatetimeIndex(times, tz="UTC").tz_convert(clock.tz).tz_localize(None)
    return np.asarray(shown.to_numpy().astype("datetime64[us]"))


def _joined(parts: list[Samples]) -> Samples:
    if not parts:
        return _NOTHING
    times, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.argsort(times, kind="stable")
    return times[order], values[order]
