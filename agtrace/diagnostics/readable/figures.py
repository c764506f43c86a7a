"""The figure of version stores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agtrace.diagnostics.readable.rows import Series
from agtrace.say.figures import Line, lines

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PANELS = {
    "Version Store Size (KB)": ("version store", "B"),
    "Free Space in tempdb (KB)": ("free in tempdb", "B"),
    "Longest Transaction Running Time": ("longest transaction", "s"),
}
"""The measure of each panel, from the top, and its unit."""


def sizes(rows: Iterable[Series], title: str, colours: Mapping[str, str]) -> Figure:
    """Draw the version store of each secondary, free space, and the longest transaction below it."""
    found: dict[tuple[str, str, str], tuple[list[Any], list[float]]] = defaultdict(lambda: ([], []))
    for row in rows:
        times, values = found[row.host_id, row.sql_instance, row.counter]
        times.append(row.time)
        values.append(row.value)
    shown = [name for name in PANELS if any(counter == name for _, _, counter in found)]
    if not shown:
        return lines([], title=f"{title}: none")
    several = len({instance for _, instance, _ in found}) > 1
    series = [
        Line(
            f"{host}, {instance}" if several else host,
            times,
            values,
            panel=shown.index(counter),
            colour=None if several else colours.get(host),
        )
        for (host, instance, counter), (times, values) in found.items()
    ]
    return lines(
        series,
        title=title,
        unit=[PANELS[name][1] for name in shown],
        panels=[PANELS[name][0] for name in shown],
    )
