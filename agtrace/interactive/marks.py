"""Moments and spans marked in a figure: events of the case and the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from agtrace.errors import CaseError
from agtrace.interactive.asked import Moment
from agtrace.moments import Window
from agtrace.resolve.names import is_meant
from agtrace.say.colours import FAINT, INK
from agtrace.say.figures import Band, label
from agtrace.say.words import listing
from agtrace.store import CaseView

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_MARKS = 60
NAMED_MARKS = 15
"""Most marks that get a label in the figure; with more, the texts appear on hovering."""
NEAR = 0.02
"""Share of the shown time span within which marks have one label: that of the first."""

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
"""Events that can be marked, as SQL: a moment in UTC and its text."""

Mark = Moment | Mapping[str, Moment]
"""A name in `MARKS`, a moment, or moments by their texts."""
Span = tuple[Moment, Moment]

_Row = dict[str, Any]


@dataclass(frozen=True)
class Marks:
    """The requested marks of a figure.

    Parameters
    ----------
    names
        Names in `MARKS`.
    own
        The user's moments, with ``time`` (UTC, or without zone), ``text`` and ``host_id``.
    spans
        The user's spans.
    """

    names: tuple[str, ...]
    own: tuple[_Row, ...]
    spans: tuple[Band, ...]
    window: Window

    @classmethod
    def of(
        cls, mark: Mark | Iterable[Mark], span: Span | Iterable[Span] | Mapping[str, Span], window: Window
    ) -> Marks:
        """Parse the requested marks and spans.

        Raises
        ------
        CaseError
            A mark is neither a known name nor a moment, or a span has no start and end.
        """
        names: list[str] = []
        own: list[_Row] = []
        for each in [mark] if isinstance(mark, str | datetime | Mapping) else list(mark):
            if isinstance(each, Mapping):
                own += [_own(moment, text, window) for text, moment in each.items()]
            elif isinstance(each, str) and each in MARKS:
                names.append(each)
            else:
                own.append(_own(each, "", window))
        return cls(tuple(dict.fromkeys(names)), tuple(own), tuple(_spans(span, window)), window)

    def bands(self, clock: Window) -> list[Band]:
        """Return the user's spans in the clock of a figure; empty if the conversion is unknown."""
        if clock.is_local is not self.window.is_local:
            return []
        return [Band(_shown(each.start, clock), _shown(each.end, clock), each.text) for each in self.spans]

    def draw(self, figure: Figure, view: CaseView, hosts: set[str], ends: Span, clock: Window) -> None:
        """Draw a line at each moment between the ends of a figure, and state the number of marks below it."""
        found = self._found(view, hosts, clock)
        first, last = (np.datetime64(each, "us") for each in ends)
        found = [row for row in found if first <= np.datetime64(row["time"], "us") <= last]
        found.sort(key=lambda row: row["time"])
        for row in found[:MOST_MARKS]:
            colour, dash = (INK, "dash") if row.get("is_own") else (FAINT, "dot")
            figure.add_shape(
                type="line",
                x0=row["time"],
                x1=row["time"],
                y0=0,
                y1=1,
                yref="paper",
                line={"color": colour, "width": 1, "dash": dash},
            )
        _name(figure, found, NEAR * ((last - first) / np.timedelta64(1, "s")))
        if text := self._said(found, clock):
            say_below(figure, text)

    def _found(self, view: CaseView, hosts: set[str], clock: Window) -> list[_Row]:
        happened = [
            row
            for each in (() if clock.is_local else self.names)
            for row in view.rows(f"SELECT * FROM ({MARKS[each]}) ORDER BY time")
            if each == "failovers" or any(is_meant(row["host_id"] or "", host) for host in hosts)
        ]
        own = self.own if clock.is_local is self.window.is_local else ()
        return [row | {"time": _shown(row["time"], clock)} for row in (*happened, *own)]

    def _said(self, found: list[_Row], clock: Window) -> str:
        what = listing([*self.names, *(["your marks"] if self.own else [])])
        if not what:
            return ""
        if clock.is_local and (self.names or not self.window.is_local):
            return f"{what} are not marked: they are told in UTC, and this is local time"
        if not found:
            nothing = "nothing changed" if self.names else "none is"
            return f"{what}: {nothing} in this window"
        if len(found) > MOST_MARKS:
            return f"{what}: the first {MOST_MARKS} of {len(found):,} are marked"
        return f"{what}: {len(found)} marked"


def _own(at: Moment, text: str, window: Window) -> _Row:
    try:
        time = Window.of(at, None, window.tz).start
    except CaseError as error:
        raise CaseError(
            f"mark={at!r} is not known", f"there are: {', '.join(MARKS)}, or a time such as 2024-03-05T14:00"
        ) from error
    if time is None:
        raise CaseError(f"mark={at!r} is not known", f"there are: {', '.join(MARKS)}")
    return {"time": time, "text": text, "host_id": None, "is_own": True}


def _spans(span: Span | Iterable[Span] | Mapping[str, Span], window: Window) -> Iterable[Band]:
    if isinstance(span, Mapping):
        named: list[tuple[str, Any]] = list(span.items())
    else:
        several: list[Any] = list(span)
        # One span is a pair of moments, several are pairs.
        is_one = bool(several) and isinstance(several[0], str | datetime)
        named = [("", each) for each in ([several] if is_one else several)]
    for text, bounds in named:
        if not isinstance(bounds, tuple | list) or len(bounds) != 2 or None in bounds:
            raise CaseError(f"span={bounds!r} is no span", 'write ("2024-03-05 14:00", "2024-03-05 15:00")')
        found = Window.of(bounds[0], bounds[1], window.tz)
        yield Band(found.start, found.end, text)


def _shown(time: datetime, clock: Window) -> datetime:
    """Return a moment in the clock of a figure, without zone."""
    return time if time.tzinfo is None else time.astimezone(clock.zone).replace(tzinfo=None)


def _name(figure: Figure, found: list[_Row], least_s: float) -> None:
    for together in _near(found[:MOST_MARKS], least_s):
        texts = [label(f"{row['time']:%H:%M:%S} {row['text']}".rstrip()) for row in together]
        look = {"textangle": 90, "yanchor": "top", "xanchor": "left"}
        name = texts[0] + (f" and {len(texts) - 1} more" if len(texts) > 1 else "")
        if len(found) > NAMED_MARKS:
            look, name = {"yanchor": "bottom"}, "▾"
        figure.add_annotation(
            x=together[0]["time"],
            y=1,
            yref="paper",
            showarrow=False,
            text=name,
            hovertext="<br>".join(texts),
            font={"size": 11, "color": FAINT},
            **look,
        )


def _near(rows: list[_Row], least_s: float) -> list[list[_Row]]:
    """Group moments whose labels would overlap."""
    groups: list[list[_Row]] = []
    for row in rows:
        if groups and (row["time"] - groups[-1][0]["time"]).total_seconds() < least_s:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def say_below(figure: Figure, text: str) -> None:
    """Add a text below the time axis."""
    for axis in figure.select_xaxes():
        if axis.title.text:
            axis.title.text += f"; {label(text)}"
