"""Counters and waits of hosts over time, drawn as a person asks for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agtrace.errors import CaseError
from agtrace.extras import need
from agtrace.globs import matches, named
from agtrace.interactive.boxes import boxes, grouping
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


@dataclass(frozen=True)
class Look:
    """How a figure is to look, as `agtrace.case.Case.plot` says."""

    together: bool = False
    secondary_y: bool | str | Iterable[str] = False
    log_y: bool = False
    kind: str = "line"
    by: str | None = None


def plot(
    view: CaseView,
    counters: Sequence[str],
    marks: Marks,
    *,
    host: str | Iterable[str] | None = None,
    instance: str | Iterable[str] | None = None,
    look: Look = Look(),
    steps: Steps | None = None,
) -> Figure:
    """Draw counters and waits, as `agtrace.case.Case.plot` says."""
    need("report", "case.plot", "plotly")
    if look.kind not in KINDS:
        raise CaseError(f"kind={look.kind!r} is not known", f"there are: {', '.join(KINDS)}")
    by = grouping(look.by)
    panels = panels_of(view, counters, host, instance)
    right = _right(panels, look)
    found, clock = read(view, panels, marks.window, steps)
    drawn = [highest(here) for here in found]
    if not any(drawn):
        raise CaseError(
            f"no sample of {listing([repr(c) for c in counters])} lies in the window",
            "case.counters(...) lists the spans",
        )
    title = listing(list(dict.fromkeys(panel.name for panel in panels)))
    if left_out := sum(map(len, found)) - sum(map(len, drawn)):
        title += f" (without {count(left_out, 'lower series', 'lower series')})"
    if look.kind == "box":
        return boxes(panels, drawn, by=by, clock=clock, title=title, log_y=look.log_y)
    if by is not None:
        raise CaseError(f"by={by!r} groups boxes", 'write kind="box", too')
    figure = _over_time(panels, drawn, right, marks, clock, title, look)
    if look.log_y and (none := sum(int((each.values <= 0).sum()) for here in drawn for each in here)):
        say_below(figure, f"{count(none, 'value')} of 0 or less not shown")
    if marks.names or marks.own:
        times = [each.times for here in drawn for each in here]
        ends = min(each[0] for each in times), max(each[-1] for each in times)
        hosts = {host_of(each.row) for here in drawn for each in here}
        marks.draw(figure, view, hosts, ends, clock)
    return figure


def _over_time(
    panels: list[Panel],
    drawn: list[list[Plotted]],
    right: frozenset[str] | None,
    marks: Marks,
    clock: Window,
    title: str,
    look: Look,
) -> Figure:
    shares = (look.together or right is not None) and len(panels) > 1
    looks = _Looks([[each for here in drawn for each in here]] if shares else drawn)
    series = []
    for number, (panel, here) in enumerate(zip(panels, drawn, strict=True)):
        place = 0 if shares else number
        is_right = right is not None and panel.title in right
        for each in here:
            name = f"{each.name} {panel.name}" if shares else each.name
            if is_right:
                name += " (right axis)"
            colour, dash = looks.of(each, place)
            series.append(Line(name, each.times, each.values, place, colour, dash, is_right))
    left = [panel.unit for panel in panels if right is None or panel.title not in right]
    return lines(
        series,
        title=title,
        unit=left[0] if shares else left,
        right_unit=next((panel.unit for panel in panels if right and panel.title in right), ""),
        panels=[panel.title for panel in panels] if len(panels) > 1 and not shares else (),
        bands=marks.bands(clock),
        time_title=_title(clock, marks.window),
        log=look.log_y,
    )


def _right(panels: list[Panel], look: Look) -> frozenset[str] | None:
    """Return the titles of the panels at the right axis; None if there is no such axis.

    Raises
    ------
    CaseError
        What shares an axis has several units, or nothing is left for one of the axes.
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
    """One colour per host, the same in every panel, and one dash style per part of a panel."""

    def __init__(self, panels: Iterable[list[Plotted]]) -> None:
        panels = list(panels)
        self._hosts = sorted({host_of(each.row) for here in panels for each in here})
        self._parts = [sorted({each.part for each in here}) for here in panels]

    def of(self, series: Plotted, panel: int) -> tuple[str, str]:
        """Return colour and dash style of a series."""
        host = self._hosts.index(host_of(series.row))
        part = self._parts[panel].index(series.part)
        return COLOURS[host % len(COLOURS)], DASHES[part % len(DASHES)]


def _title(clock: Window, asked: Window) -> str:
    if clock.is_local:
        return "local time of each host" + ("" if asked.is_local else " (UTC is not known)")
    return f"time ({clock.tz})"
