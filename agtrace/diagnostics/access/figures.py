"""The figure of failed attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from agtrace.diagnostics.access.endpoints import Trouble
from agtrace.say.figures import Line, lines

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST_LINES, MOST_BUCKETS = 8, 200
MINUTE = timedelta(minutes=1)


def attempts(found: Sequence[Trouble], title: str) -> Figure:
    """Draw the attempts of each pair and kind, counted in equal steps of time."""
    shown = sorted(found, key=lambda each: -each.n)[:MOST_LINES]
    if not shown:
        return lines([], title=f"{title}: none", unit="attempts")
    first = min(each.first for each in shown).replace(second=0, microsecond=0)
    last = max(each.last for each in shown)
    # Entries are counted per minute: a step shorter than that would contain all or none of a minute's
    # entries.
    step = MINUTE * max(1, -(-(last - first) // (MINUTE * MOST_BUCKETS)))
    series = []
    for each in shown:
        counts: Counter[int] = Counter()
        for one in each.own:
            counts[int((one.first - first) / step)] += one.n
        # A step on either side shows the start and end.
        places = range(min(counts) - 1, max(counts) + 2)
        times: list[datetime] = [first.replace(tzinfo=None) + step * place for place in places]
        other = each.most.replica or "its own port"
        series.append(Line(f"{each.host} and {other}: {each.kind}", times, [counts[at] for at in places]))
    minutes = step / MINUTE
    return lines(series, title=title, unit=f"attempts in {minutes:.3g} min")
