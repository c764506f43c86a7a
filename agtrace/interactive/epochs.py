"""Counters around events, aligned on them: an epoch per event, as in the analysis of signals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

import pandas as pd

from agtrace.errors import CaseError
from agtrace.globs import instead
from agtrace.interactive.asked import Moment
from agtrace.interactive.marks import MARKS
from agtrace.interactive.plotted import MOST_PANELS, in_bytes
from agtrace.measure.series import Key, chosen, samples_around, units_of
from agtrace.measure.steps import Steps, length
from agtrace.moments import Window
from agtrace.say.colours import COLOURS, FAINT
from agtrace.say.figures import Band, Line, lines
from agtrace.say.words import count
from agtrace.store import CaseView
from agtrace.store.quoting import identifier
from agtrace.tables.history import RELATIONS

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Events: TypeAlias = "str | Mapping[str, Moment] | Iterable[Moment] | pd.DataFrame"
MOST_EVENTS = 1_000
MOST_DRAWN = 60
SERIES = ["host_id", "object", "instance", "counter"]
TIMES = ("time", "start", "_time")
"""Columns that contain the time of an event; the first existing one is used."""


class Epochs(pd.DataFrame):
    """A long frame of samples around events, with a method to plot itself.

    Columns: event (numbered from 0), event_time, event_text, t_s (seconds from the event), time, host_id,
    object, instance, counter, value, unit.
    """

    @property
    def _constructor(self) -> type[Epochs]:
        return Epochs

    def plot(self, *, log_y: bool = False) -> Figure:
        """Draw a panel per counter: a line per series and event, and the median of several events.

        Raises
        ------
        CaseError
            Too many counters, or the columns of epochs are missing.
        """
        if missing := sorted({"event", "t_s", "value", "unit", *SERIES} - set(self)):
            raise CaseError(f"not epochs: {', '.join(missing)} missing", "plot pd.DataFrame(frame) instead")
        if "how" in self:
            raise CaseError("epochs of several aggregates have no figure", "name one in how")
        return _figure(self, log_y=log_y)


def around_events(
    view: CaseView,
    events: Events,
    counter: str | Iterable[str],
    *,
    before: str | timedelta,
    after: str | timedelta,
    host: str | Iterable[str] | None = None,
    instance: str | Iterable[str] | None = None,
    window: Window,
    steps: Steps | None = None,
) -> Epochs:
    """Return the samples around events; see `agtrace.case.Case.around_events`."""
    if window.is_local:
        raise CaseError("events are aligned in UTC", "name the zone of start and end: tz='Europe/Berlin'")
    moments = [each for each in _moments(view, events, window) if _is_within(each[0], window)]
    if not moments:
        raise CaseError("there are no such events", "case.timeline() and case.failovers() list events")
    if len(moments) > MOST_EVENTS:
        raise CaseError(f"{len(moments):,} events are too many", "narrow them with start and end")
    captured = view.rows("SELECT * FROM counters ORDER BY counter_id")
    found = chosen(captured, counter, host, instance)
    frame = samples_around(view, found, [time for time, _text in moments], length(before), length(after))
    if not len(frame):
        raise CaseError(
            "no sample lies around the events", "samples without a known offset from UTC cannot be aligned"
        )
    frame = frame.join(_names(found), on="counter_id")
    if steps is not None:
        frame = _in_steps(frame, steps)
    frame.insert(1, "event_time", pd.DatetimeIndex([moments[n][0] for n in frame["event"]]))
    frame.insert(2, "event_text", [moments[n][1] for n in frame["event"]])
    frame["event_time"] = frame["event_time"].dt.tz_convert(window.tz)
    frame["time"] = frame["event_time"] + pd.to_timedelta(frame["t_s"], unit="s")
    frame["unit"] = frame["counter"].map(units_of(captured, found))
    frame = frame.sort_values(["event", *SERIES, "t_s"], kind="stable", ignore_index=True)
    frame["instance"] = frame["instance"].where(frame["instance"] != "")
    how = ["how"] if "how" in frame else []
    head = ["event", "event_time", "event_text", "t_s", "time"]
    return Epochs(frame[[*head, *SERIES, *how, "value", "unit"]])


def _is_within(time: datetime, window: Window) -> bool:
    return (window.start is None or time >= window.start) and (window.end is None or time < window.end)


def _names(found: Mapping[int, Key]) -> pd.DataFrame:
    return pd.DataFrame.from_dict(found, orient="index", columns=SERIES)


def _in_steps(frame: pd.DataFrame, steps: Steps) -> pd.DataFrame:
    step = steps.length.total_seconds()
    frame["t_s"] = (frame["t_s"] // step) * step
    groups = frame.groupby(["event", *SERIES, "t_s"])["value"]
    found = {how: value.reset_index() for how, value in steps.values(groups).items()}
    if not steps.is_several:
        return next(iter(found.values()))
    return pd.concat([value.assign(how=how) for how, value in found.items()])


def _moments(view: CaseView, events: Events, window: Window) -> list[tuple[datetime, str]]:
    """Return the times of events in UTC, in chronological order, with a text for each."""
    if isinstance(events, str):
        rows = view.rows(_question(events))
        found = [(row["time"], row["text"]) for row in rows]
    elif isinstance(events, pd.DataFrame):
        column = next((each for each in TIMES if each in events), None)
        if column is None:
            raise CaseError("the frame of events has no time", f"it needs a column {' or '.join(TIMES)}")
        texts = events["kind"] if "kind" in events else [""] * len(events)
        there = [(time, text) for time, text in zip(events[column], texts, strict=True) if not pd.isna(time)]
        found = [(_instant(time, window), str(text)) for time, text in there]
    elif isinstance(events, Mapping):
        found = [(_instant(time, window), text) for text, time in events.items()]
    else:
        found = [(_instant(time, window), "") for time in events]
    return sorted(found)


def _instant(time: Any, window: Window) -> datetime:
    asked = time.to_pydatetime(warn=False) if isinstance(time, pd.Timestamp) else time
    start = Window.of(asked, None, window.tz).start
    if start is None:
        raise CaseError(f"{time!r} is not a time", "write it as 2024-03-05T14:00:00")
    return start


def _question(name: str) -> str:
    """Return the query for the times of a relation of events."""
    if name in MARKS:
        return f"SELECT time, text FROM ({MARKS[name]}) ORDER BY 1"
    having = {each: schema.names for each, schema in RELATIONS.items() if {"time", "start"} & {*schema.names}}
    if name not in having:
        raise CaseError(f"no relation of events is called {name!r}", instead(name, [*MARKS, *having]))
    column = next(each for each in TIMES if each in having[name])
    return f"SELECT {column} AS time, '' AS text FROM {identifier(name)} WHERE time IS NOT NULL ORDER BY 1"


def _figure(epochs: Epochs, *, log_y: bool) -> Figure:
    counters = list(dict.fromkeys(zip(epochs["object"], epochs["counter"], strict=True)))
    if len(counters) > MOST_PANELS:
        raise CaseError(f"{len(counters)} counters are too many for one figure", "name fewer")
    drawn: list[Line] = []
    units = []
    colours: dict[str, str] = {}
    for panel, (of_object, counter) in enumerate(counters):
        here = epochs[(epochs["object"] == of_object) & (epochs["counter"] == counter)]
        factor, unit = in_bytes(next(iter(here["unit"].dropna()), ""))
        units.append(unit)
        for (host, instance), rows in here.groupby(["host_id", "instance"], dropna=False):
            name = host if pd.isna(instance) else f"{host} ({instance})"
            colour = colours.setdefault(name, COLOURS[len(colours) % len(COLOURS)])
            drawn += _drawn(name, rows.assign(value=rows["value"] * factor), panel, colour)
    events = epochs["event"].nunique()
    names = ", ".join(dict.fromkeys(counter for _object, counter in counters))
    figure = lines(
        drawn,
        title=f"{names} around {count(events, 'event')}"
        + (f" (the first {MOST_DRAWN} as thin lines)" if events > MOST_DRAWN else ""),
        unit=units,
        panels=[f"{of_object}\\{counter}" for of_object, counter in counters] if len(counters) > 1 else (),
        bands=_zero(epochs),
        time_title="seconds from the event",
        log=log_y,
    )
    figure.update_xaxes(hoverformat=".1f")
    look = {"color": FAINT, "width": 1, "dash": "dot"}
    figure.add_shape(type="line", x0=0, x1=0, y0=0, y1=1, yref="paper", line=look)
    return figure


def _zero(epochs: Epochs) -> list[Band]:
    """Return the text of the event, if all epochs have the same."""
    texts = epochs["event_text"].unique() if "event_text" in epochs else []
    return [Band(0, 0, texts[0])] if len(texts) == 1 else []


def _drawn(name: str, rows: pd.DataFrame, panel: int, colour: str) -> list[Line]:
    """Return a line for each event, and of several their median."""
    epochs = [one for _event, one in rows.groupby("event")]
    width = 0.75 if len(epochs) > 1 else 1.75
    found = [Line(name, one["t_s"], one["value"], panel, colour, width=width) for one in epochs[:MOST_DRAWN]]
    if len(epochs) > 1:
        median = _median(rows)
        found.append(Line(f"{name}, median", median.index, median, panel, colour, width=3))
    return found


def _median(rows: pd.DataFrame) -> pd.Series[Any]:
    """Return the median over events at steps of the usual interval of their samples."""
    steps = rows.sort_values("t_s").groupby("event")["t_s"].diff()
    step = float(steps.median()) or 1.0
    place = (rows["t_s"] / step).round() * step if step == step else rows["t_s"]
    return rows.groupby(place)["value"].median()
