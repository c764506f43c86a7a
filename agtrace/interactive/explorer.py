"""An explorer for notebooks: hosts, counters, window and percentiles, with the code for each view."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from agtrace import strict_json
from agtrace.errors import AgtraceError
from agtrace.extras import need
from agtrace.interactive import named
from agtrace.interactive.choice import GROUPINGS, Choice, Shown
from agtrace.interactive.marks import MARKS
from agtrace.say.wording import stretch
from agtrace.say.words import plain

OVER_TIME = "over time"
NOTHING = "nothing"
STEPS = 400
"""Number of positions on the window slider."""
ROWS = 8


class Explorer:
    """Widgets over one case.

    Parameters
    ----------
    case
        The opened case.
    name
        Name of the case's variable in the notebook, used in the code.

    Raises
    ------
    AgtraceError
        The extra ``lab`` is not installed, or there is nothing to explore.
    """

    def __init__(self, case: Shown, name: str = "case") -> None:
        need("lab", "case.explore", "ipywidgets", "IPython", "plotly")
        import ipywidgets as widgets

        counters = named.counter_names(case.view)
        if not counters:
            raise AgtraceError("no counters were captured", "the explorer draws perfmon logs")
        self._case, self._name = case, name
        self.counters = widgets.SelectMultiple(
            options=options(counters), description="counters", rows=ROWS, index=(0,)
        )
        hosts = [row["host_id"] for row in case.view.rows("SELECT host_id FROM hosts ORDER BY 1")]
        self.hosts = widgets.SelectMultiple(options=options(hosts), description="hosts", rows=ROWS)
        self.show = widgets.Dropdown(options=[OVER_TIME, *GROUPINGS], value=OVER_TIME, description="show by")
        self.mark = widgets.Dropdown(options=[NOTHING, *MARKS], value=NOTHING, description="mark")
        self.window = widgets.SelectionRangeSlider(
            options=_moments(case), description="window", readout=False, layout={"width": "60%"}
        )
        self.told = widgets.Label()
        self.window.index = (0, len(self.window.options) - 1)
        self.code = widgets.Textarea(description="code", disabled=True, layout={"width": "80%"})
        self.copy = widgets.Button(description="Copy code", icon="copy")
        self.shown = widgets.Output()
        self._told = widgets.Output()
        for each in (self.counters, self.hosts, self.show, self.mark, self.window):
            each.observe(self._changed, names="value")
        self.copy.on_click(self._copied)
        self.box = widgets.VBox(
            [
                widgets.HBox([self.counters, self.hosts, widgets.VBox([self.show, self.mark])]),
                widgets.HBox([self.window, self.told]),
                widgets.HBox([self.code, self.copy]),
                self.shown,
                self._told,
            ]
        )
        self._changed()

    @property
    def choice(self) -> Choice:
        """Return the current selection."""
        start, end = self.window.value
        whole = self.window.index == (0, len(self.window.options) - 1)
        return Choice(
            counters=tuple(self.counters.value),
            hosts=tuple(self.hosts.value),
            start=None if whole else start,
            end=None if whole else end,
            mark="" if self.mark.value == NOTHING else self.mark.value,
            by="" if self.show.value == OVER_TIME else self.show.value,
        )

    def _changed(self, _change: Any = None) -> None:
        from IPython.display import display

        choice = self.choice
        self.code.value = choice.code(self._name)
        self.told.value = stretch(*self.window.value)
        self.shown.clear_output(wait=True)
        with self.shown:
            try:
                display(choice.shown(self._case))
            except AgtraceError as error:
                print(error)  # noqa: T201 - what a notebook shows

    def _copied(self, _button: Any) -> None:
        from IPython.display import Javascript, display

        self._told.clear_output()
        with self._told:
            display(Javascript(f"navigator.clipboard.writeText({_script_text(self.code.value)})"))

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self.box)


def options(names: list[str]) -> list[tuple[str, str]]:
    """Return names as options: a one-line label with control characters visible, and the name itself."""
    shown: dict[str, str] = {}
    for name in names:
        text, number = plain(name), 1
        while text in shown:
            number += 1
            text = f"{plain(name)} ({number})"
        shown[text] = name
    return list(shown.items())


def _moments(case: Shown) -> list[tuple[str, datetime]]:
    """Return the positions of the slider: the span of the perfmon logs in equal steps."""
    (row,) = case.view.rows(
        "SELECT min(first_time) AS first, max(last_time) AS last FROM captures "
        "WHERE content_id IN (SELECT content_id FROM counters)"
    )
    if row["first"] is None or row["last"] is None or row["first"] >= row["last"]:
        now = row["first"] or datetime(1970, 1, 1)
        return [("all", now), ("all ", now)]
    step = (row["last"] - row["first"]) / STEPS
    times = [*(row["first"] + step * place for place in range(STEPS)), row["last"]]
    return [(f"{time:%Y-%m-%d %H:%M:%S.%f} UTC", time) for time in times]


def _script_text(text: str) -> str:
    """Return text as a JavaScript literal."""
    return strict_json.dumps(text).replace("<", "\\u003c")
