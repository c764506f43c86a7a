"""Counters and waits of hosts over time, plotted on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from agtrace.errors import CaseError
from agtrace.extras import need
from agtrace.globs import matches, named
from agtrace.interactive.boxes import BY, boxes
from agtrace.interactive.marks import Marks, say_below
from agtrace.interactive.plotted import Panel, Plotted, highest, host_of, panels_of, read
from agtrace.measure.steps import Steps
from agtrace.moments import Window
from agtrace.say.colours import COLOURS
from agtrace.say.figures import Line, lines
from agtrace.say.words import count, listing
from agtrace.store import CaseView

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
KINDS = ("line", "box")
FROM_START = "seconds from the first sample of each case"


@dataclass(frozen=True)
class Look:
    """The options of a figure; see `agtrace.case.Case.plot`."""

    together: bool = False
    secondary_y: bool | str | Iterable[str] = False
    log_y: bool = False
    kind: str = "line"
    by: str | None = None

    def check(self) -> None:
        """Check that the options are valid.

        Raises
        ------
        CaseError
            An option is unknown, or cannot be combined with another.
        """
        if self.kind not in KINDS:
            raise CaseError(f"kind={self.kind!r} is not known", f"there are: {', '.join(KINDS)}")
        if self.by is not None and self.by not in BY:
            raise CaseError(f"by={self.by!r} is not known", f"there are: {', '.join(BY)}")
        if self.by is not None and self.kind != "box":
            raise CaseError(f"by={self.by!r} groups boxes", 'write kind="box", too')


@dataclass(frozen=True)
class _Read:
    """The series of a figure: those of each panel, and the window in the clock of their times."""

    panels: list[Panel]
    found: list[list[Plotted]]
    clock: Window
    from_start: bool = False


def plot(
    view: CaseView,
    counters: Sequence[str | Iterable[str]],
    marks: Marks,
    *,
    host: str | Iterable[str] | None = None,
    instance: str | Iterable[str] | None = None,
    look: Look = Look(),
    steps: Steps | None = None,
) -> Figure:
    """Draw counters and waits; see `agtrace.case.Case.plot`."""
    need("report", "case.plot", "plotly")
    look.check()
    names = _names(counters)
    panels = panels_of(view, names, host, instance)
    series = _Read(panels, *read(view, panels, marks.window, steps))
    figure = _figure(series, names, marks, look)
    if marks.names or marks.own:
        drawn = [each for here in series.found for each in here]
        ends = min(each.times[0] for each in drawn), max(each.times[-1] for each in drawn)
        marks.draw(figure, view, {host_of(each.row) for each in drawn}, ends, series.clock)
    return figure


def plot_cases(
    views: Mapping[str, CaseView],
    counters: Sequence[str | Iterable[str]],
    window: Window,
    *,
    host: str | Iterable[str] | None = None,
    instance: str | Iterable[str] | None = None,
    look: Look = Look(),
    steps: Steps | None = None,
    from_start: bool = False,
) -> Figure:
    """Draw counters and waits of several cases; see `agtrace.cases.Cases.plot`."""
    need("report", "cases.plot", "plotly")
    look.check()
    names = _names(counters)
    panels: dict[str, Panel] = {}
    found: dict[str, list[Plotted]] = {}
    clocks: dict[str, Window] = {}
    refused: list[CaseError] = []
    for case, view in views.items():
        try:
            here = panels_of(view, names, host, instance)
        except CaseError as error:
            refused.append(error)
            continue
        drawn, clocks[case] = read(view, here, window, steps)
        first = min((each.times[0] for of_one in drawn for each in of_one), default=None)
        for panel, of_one in zip(here, drawn, strict=True):
            panels.setdefault(panel.title, panel)
            found.setdefault(panel.title, []).extend(
                replace(each, case=case, times=_since(each.times, first) if from_start else each.times)
                for each in of_one
            )
    if refused and not panels:
        raise refused[0]
    local = [case for case, clock in clocks.items() if clock.is_local]
    if local and len(local) < len(clocks) and not from_start:
        raise CaseError(f"UTC is not known of {listing(local)}", 'write tz="local", or from_start=True')
    read_all = _Read(list(panels.values()), list(found.values()), next(iter(clocks.values())), from_start)
    return _figure(read_all, names, Marks.of((), (), window), look)


def _names(counters: Iterable[str | Iterable[str]]) -> list[str]:
    """Return the requested names; several may be given as one list."""
    return [name for each in counters for name in named(each)]


def _since(times: np.ndarray, first: np.datetime64 | None) -> np.ndarray:
    return (times - first) / np.timedelta64(1, "s")


def _figure(series: _Read, counters: Sequence[str], marks: Marks, look: Look) -> Figure:
    drawn = [highest(here) for here in series.found]
    right = _right(series.panels, look)
    if not any(drawn):
        raise CaseError(
            f"no sample of {listing([repr(c) for c in counters])} lies in the window",
            "case.counters(...) lists the spans",
        )
    title = listing(list(dict.fromkeys(panel.name for panel in series.panels)))
    if left_out := sum(map(len, series.found)) - sum(map(len, drawn)):
        title += f" (without {count(left_out, 'lower series', 'lower series')})"
    if look.kind == "box":
        return boxes(series.panels, drawn, by=look.by, clock=series.clock, title=title, log_y=look.log_y)
    figure = _over_time(series, drawn, right, marks, title, look)
    if look.log_y and (none := sum(int((each.values <= 0).sum()) for here in drawn for each in here)):
        say_below(figure, f"{count(none, 'value')} of 0 or less not shown")
    return figure


def _over_time(
    series: _Read,
    drawn: list[list[Plotted]],
    right: frozenset[str] | None,
    marks: Marks,
    title: str,
    look: Look,
) -> Figure:
    panels = series.panels
    shares = (look.together or right is not None) and len(panels) > 1
    looks = _Looks([[each for here in drawn for each in here]] if shares else drawn)
    found = []
    for number, (panel, here) in enumerate(zip(panels, drawn, strict=True)):
        place = 0 if shares else number
        is_right = right is not None and panel.title in right
        for each in here:
            name = f"{each.name} {panel.name}" if shares else each.name
            if is_right:
                name += " (right axis)"
            colour, dash = looks.of(each, place)
            found.append(Line(name, each.times, each.values, place, colour, dash, is_right))
    left = [panel.unit for panel in panels if right is None or panel.title not in right]
    figure = lines(
        found,
        title=title,
        unit=left[0] if shares else left,
        right_unit=next((panel.unit for panel in panels if right and panel.title in right), ""),
        panels=[panel.title for panel in panels] if len(panels) > 1 and not shares else (),
        bands=marks.bands(series.clock),
        time_title=FROM_START if series.from_start else _title(series.clock, marks.window),
        log=look.log_y,
    )
    if series.from_start:
        figure.update_xaxes(hoverformat=".1f")
    return figure


def _right(panels: list[Panel], look: Look) -> frozenset[str] | None:
    """Return the titles of the panels on the right axis; None if there is no such axis.

    Raises
    ------
    CaseError
        The counters on an axis have different units, or one of the axes is empty.
    """
    if look.secondary_y is False:
        if look.together:
            _check_one_unit(panels, "leave together=True away, or write secondary_y=True")
        return None
    if look.kind != "line":
        raise CaseError("boxes have one axis", "leave secondary_y away")
    if look.secondary_y is True:
        right = panels[1:]
    else:
        asked = named(look.secondary_y)
        right = [p for p in panels if any(matches(p.name, a) or matches(p.title, a) for a in asked)]
    left = [panel for panel in panels if panel not in right]
    if not left or not right:
        names = listing([panel.name for panel in panels])
        raise CaseError(f"secondary_y needs a counter at either axis; there are: {names}", "name two")
    for side in (left, right):
        _check_one_unit(side, "name in secondary_y the counters of one of the units")
    return frozenset(panel.title for panel in right)


def _check_one_unit(panels: list[Panel], remedy: str) -> None:
    units = {panel.unit or "no unit" for panel in panels}
    if len(units) > 1:
        raise CaseError(f"{', '.join(sorted(units))} have no axis together", remedy)


class _Looks:
    """One colour per host (of a case), the same in every panel, and one dash style per part of a panel."""

    def __init__(self, panels: Iterable[list[Plotted]]) -> None:
        panels = list(panels)
        self._owners = sorted({each.owner for here in panels for each in here})
        self._parts = [sorted({each.part for each in here}) for here in panels]

    def of(self, series: Plotted, panel: int) -> tuple[str, str]:
        """Return colour and dash style of a series."""
        owner = self._owners.index(series.owner)
        part = self._parts[panel].index(series.part)
        return COLOURS[owner % len(COLOURS)], DASHES[part % len(DASHES)]


def _title(clock: Window, asked: Window) -> str:
    if clock.is_local:
        return "local time of each host" + ("" if asked.is_local else " (UTC is not known)")
    return f"time ({clock.tz})"
