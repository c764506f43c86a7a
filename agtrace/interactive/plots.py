"""Counters of hosts over time, drawn as a person asks for them, with what happened marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from agtrace.errors import CaseError
from agtrace.extras import need
from agtrace.globs import named
from agtrace.measure.counters import TOTAL
from agtrace.measure.series import Steps, chosen, samples_of
from agtrace.moments import ALWAYS, Window
from agtrace.resolve.names import is_meant
from agtrace.say.colours import COLOURS, FAINT
from agtrace.say.figures import Line, label, lines
from agtrace.say.words import count, listing
from agtrace.store import CaseView
from agtrace.tables.rows import numbers

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MOST_PANELS = 8
MOST_LINES = 20
"""Lines of a panel, those with the highest mean."""
MOST_MARKS = 60
NAMED_MARKS = 15
"""Up to this many marks are named in the figure; of more the text shows on hovering."""

NEAR = 0.02
"""Share of the time shown within which marks have one name: that of the first."""

BYTES = {"KB": 1024.0, "MB": 1024.0**2, "KB/s": 1024.0}
"""Units of SQL Server's counters in bytes: a figure then shows the multiple that suits."""

MARKS = {
    "roles": """SELECT start AS time, host_id, concat_ws(' ', host_id, role, ag) AS text FROM roles
        QUALIFY start IS NOT NULL AND role IS NOT NULL
            AND row_number() OVER (PARTITION BY ag, host_id, sql_instance ORDER BY start NULLS FIRST) > 1""",
    "failovers": """SELECT coalesce(start, "end") AS time, to_host AS host_id,
        concat_ws(' ', ag, mode, 'failover to', to_host, '(' || cause || ')') AS text FROM failovers
        WHERE coalesce(start, "end") IS NOT NULL""",
    "timeline": """SELECT time, host_id, concat_ws(' ', host_id, kind, "after") AS text FROM timeline
        WHERE time IS NOT NULL""",
}
"""What can be marked: a moment in UTC, and what stands beside it."""


def plot(
    view: CaseView,
    counters: Sequence[str],
    *,
    host: str | Iterable[str] | None = None,
    instance: str | Iterable[str] | None = None,
    mark: str | Iterable[str] = (),
    together: bool = False,
    window: Window = ALWAYS,
    steps: Steps | None = None,
) -> Figure:
    """Draw counters over time, as `agtrace.case.Case.plot` says."""
    need("report", "case.plot", "plotly")
    marks = named(mark)
    for each in marks:
        if each not in MARKS:
            raise CaseError(f"mark={each!r} is not known", f"there are: {', '.join(MARKS)}")
    if not counters:
        raise CaseError("no counter is named", 'such as case.plot("Log Send Queue")')
    panels = _panels(view, counters, host, instance)
    together = together and len(panels) > 1
    if together:
        _check_one_unit(panels)
    everything = [row for rows in panels.values() for row in rows]
    samples, clock = _samples(view, everything, window)
    drawn: list[Line] = []
    units, left_out = [], 0
    looks = _Looks([everything] if together else panels.values())
    for number, rows in enumerate(panels.values()):
        factor, unit = _unit(rows)
        units.append(unit)
        place = 0 if together else number
        # What shares a name is one series in several captures.
        called: dict[str, list[int]] = {}
        first: dict[str, dict[str, Any]] = {}
        for row in rows:
            name = f"{_name(row)} {_counter(row)}" if together else _name(row)
            called.setdefault(name, []).append(row["counter_id"])
            first.setdefault(name, row)
        parts = {name: _joined([samples[i] for i in ids if i in samples]) for name, ids in called.items()}
        if steps is not None:
            parts = {name: _in_steps(part, steps, clock) for name, part in parts.items()}
        there = {name: part for name, part in parts.items() if len(part[1])}
        highest = sorted(there, key=lambda name: -float(np.nanmean(there[name][1])))[:MOST_LINES]
        left_out += len(there) - len(highest)
        for name in sorted(highest):
            times, values = there[name]
            drawn.append(
                Line(name, _shown(times, clock), values * factor, place, **looks.of(first[name], place))
            )
    if not drawn:
        raise CaseError(
            f"no sample of {listing([repr(c) for c in counters])} lies in the window",
            "case.counters(...) lists the spans",
        )
    names = [name.rpartition("\\")[2] for name in panels]
    title = listing(list(dict.fromkeys(names)))
    if left_out:
        title += f" (without {count(left_out, 'lower series', 'lower series')})"
    figure = lines(
        drawn,
        title=title,
        unit=units[0] if together else units,
        panels=list(panels) if len(panels) > 1 and not together else (),
        time_title=_title(clock, window),
    )
    if marks:
        _mark(figure, view, marks, drawn, clock)
    return figure


class _Looks:
    """One colour per host, the same in every panel, and one kind of dash per part of a panel."""

    def __init__(self, panels: Iterable[list[dict[str, Any]]]) -> None:
        panels = list(panels)
        self._hosts = sorted({_host(row) for rows in panels for row in rows})
        self._parts = [sorted({_part(row) for row in rows}) for rows in panels]

    def of(self, row: dict[str, Any], panel: int) -> dict[str, str]:
        """Return the line style of a series."""
        host = self._hosts.index(_host(row))
        part = self._parts[panel].index(_part(row))
        return {"colour": COLOURS[host % len(COLOURS)], "dash": DASHES[part % len(DASHES)]}


def _without_totals(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out _Total of a host whose instances are there: it is no series of its own."""
    split = {_host(row) for row in rows if row["instance"] not in (None, TOTAL)}
    return [row for row in rows if row["instance"] != TOTAL or _host(row) not in split]


def _panels(
    view: CaseView,
    counters: Iterable[str],
    host: str | Iterable[str] | None,
    instance: str | Iterable[str] | None,
) -> dict[str, list[dict[str, Any]]]:
    """Return the series by counter, in the requested order."""
    captured = view.rows("SELECT * FROM counters ORDER BY counter_id")
    hosts = [None] if host is None else named(host)
    by_id = {row["counter_id"]: row for row in captured}
    panels: dict[str, dict[int, dict[str, Any]]] = {}
    for counter in counters:
        for each in hosts:
            for found in chosen(captured, counter, each, instance):
                row = by_id[found]
                name = f"{row['object'] or row['object_written']}\\{row['counter'] or row['counter_written']}"
                panels.setdefault(name, {})[found] = row
    if len(panels) > MOST_PANELS:
        many = listing([name.rpartition("\\")[2] for name in panels])
        raise CaseError(f"{len(panels)} counters are too many for one figure: {many}", "name fewer")
    drawn = {name: list(rows.values()) for name, rows in panels.items()}
    if instance is not None:
        return drawn
    return {name: _without_totals(rows) for name, rows in drawn.items()}


def _samples(
    view: CaseView, rows: list[dict[str, Any]], window: Window
) -> tuple[dict[int, tuple[np.ndarray, np.ndarray]], Window]:
    """Return times (datetime64[us]) and values by series, and the window by the clock of the times."""
    table, clock = samples_of(view, [row["counter_id"] for row in rows], window)
    number, value = numbers(table["counter_id"]), numbers(table["value"])
    time = numbers(table["time"].cast(pa.int64()))
    ids = np.unique(number)
    cuts = np.searchsorted(number, [*ids, np.inf])
    times = time.astype("datetime64[us]")
    found = {int(each): (times[a:b], value[a:b]) for each, a, b in zip(ids, cuts[:-1], cuts[1:], strict=True)}
    return found, clock


def _in_steps(
    part: tuple[np.ndarray, np.ndarray], steps: Steps, clock: Window
) -> tuple[np.ndarray, np.ndarray]:
    import pandas as pd

    if not len(part[0]):
        return part
    times = pd.Series(pd.DatetimeIndex(part[0], tz=None if clock.is_local else "UTC"))
    found = steps.value(pd.Series(part[1]).groupby(steps.floor(times, clock)))
    # numpy has no zones: these are UTC.
    index = found.index if clock.is_local else found.index.tz_convert(None)
    return index.to_numpy().astype("datetime64[us]"), found.to_numpy()


def _shown(times: np.ndarray, clock: Window) -> np.ndarray:
    """Return times in UTC by the clocks of the zone."""
    if clock.is_local or clock.tz == "UTC":
        return times
    import pandas as pd

    shown = pd.DatetimeIndex(times, tz="UTC").tz_convert(clock.tz).tz_localize(None)
    return np.asarray(shown.to_numpy().astype("datetime64[us]"))


def _title(clock: Window, asked: Window) -> str:
    if clock.is_local:
        return "local time of each host" + ("" if asked.is_local else " (UTC is not known)")
    return f"time ({clock.tz})"


def _joined(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    if not parts:
        return np.empty(0, "datetime64[us]"), np.empty(0)
    times, values = (np.concatenate(each) for each in zip(*parts, strict=True))
    order = np.argsort(times, kind="stable")
    return times[order], values[order]


def _unit(rows: list[dict[str, Any]]) -> tuple[float, str]:
    unit = next((row["unit"] for row in rows if row["unit"]), "")
    if unit in BYTES:
        return BYTES[unit], "B/s" if unit.endswith("/s") else "B"
    return 1.0, unit


def _check_one_unit(panels: dict[str, list[dict[str, Any]]]) -> None:
    units = {_unit(rows)[1] or "no unit" for rows in panels.values()}
    if len(units) > 1:
        raise CaseError(f"{', '.join(sorted(units))} have no axis together", "leave together=True away")


def _part(row: dict[str, Any]) -> tuple[str, str]:
    return _counter(row), row["instance"] or ""


def _counter(row: dict[str, Any]) -> str:
    return row["counter"] or row["counter_written"] or ""


def _host(row: dict[str, Any]) -> str:
    return row["host_id"] or row["host"] or "unknown host"


def _name(row: dict[str, Any]) -> str:
    """Return host and instance of a series for a legend."""
    host = _host(row)
    if row["sql_instance"] not in (None, "MSSQLSERVER"):
        host += f"\\{row['sql_instance']}"
    return host if row["instance"] is None else f"{host} ({row['instance']})"


def _mark(figure: Figure, view: CaseView, marks: Sequence[str], drawn: list[Line], clock: Window) -> None:
    """Draw a line at each moment within the figure, and say so where there is none."""
    first = min(line.times[0] for line in drawn)
    last = max(line.times[-1] for line in drawn)
    hosts = {line.name.partition(" (")[0].partition("\\")[0] for line in drawn}
    known = not clock.is_local
    found = [
        row | {"time": row["time"].astimezone(clock.zone).replace(tzinfo=None)}
        for each in (marks if known else ())
        for row in view.rows(f"SELECT * FROM ({MARKS[each]}) ORDER BY time")
        if each == "failovers" or any(is_meant(row["host_id"] or "", host) for host in hosts)
    ]
    found = [row for row in found if first <= np.datetime64(row["time"], "us") <= last]
    found.sort(key=lambda row: row["time"])
    for row in found[:MOST_MARKS]:
        figure.add_shape(
            type="line",
            x0=row["time"],
            x1=row["time"],
            y0=0,
            y1=1,
            yref="paper",
            line={"color": FAINT, "width": 1, "dash": "dot"},
        )
    least_s = NEAR * ((last - first) / np.timedelta64(1, "s"))
    for together in _near(found[:MOST_MARKS], least_s):
        texts = [label(f"{row['time']:%H:%M:%S} {row['text']}") for row in together]
        look = {"textangle": 90, "yanchor": "top", "xanchor": "left"}
        name = texts[0] + (f" and {len(texts) - 1} more" if len(texts) > 1 else "")
        if len(found) > NAMED_MARKS:
            look, name = {"yanchor": "bottom"}, "▾"
        figure.add_annotation(
            x=together[0]["time"], y=1, yref="paper", showarrow=False, text=name,
            hovertext="<br>".join(texts), font={"size": 11, "color": FAINT}, **look,
        )  # fmt: skip
    _say(figure, _told(found, marks, known=known))


def _near(rows: list[dict[str, Any]], least_s: float) -> list[list[dict[str, Any]]]:
    """Put moments together whose names would lie on each other."""
    groups: list[list[dict[str, Any]]] = []
    for row in rows:
        if groups and (row["time"] - groups[-1][0]["time"]).total_seconds() < least_s:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _told(found: list[dict[str, Any]], marks: Sequence[str], *, known: bool) -> str:
    what = listing(list(marks))
    if not known:
        return f"{what} are not marked: they are told in UTC, and this is local time"
    if not found:
        return f"{what}: nothing changed in this window"
    if len(found) > MOST_MARKS:
        return f"{what}: the first {MOST_MARKS} of {len(found):,} are marked"
    return f"{what}: {len(found)} marked"


def _say(figure: Figure, text: str) -> None:
    """Add a text below the time axis."""
    for axis in figure.select_xaxes():
        if axis.title.text:
            axis.title.text += f"; {label(text)}"
