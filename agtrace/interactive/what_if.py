"""A notebook control for what-if estimates, with the code for the same estimate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from agtrace import thresholds
from agtrace.errors import AgtraceError, CaseError
from agtrace.extras import need
from agtrace.interactive.explorer import options
from agtrace.replay.outcome import WhatIf
from agtrace.say.places import MARKDOWN

AS_IT_WAS = "as it was"
FACTORS = ("capacity", "disk", "redo", "load")
NAMED = {"capacity": "path x", "disk": "log disk x", "redo": "redo x", "load": "load x"}
MOST = 10.0


class Asked(Protocol):
    """The parts of a case that the control uses."""

    view: Any

    @property
    def what_if(self) -> Callable[..., WhatIf]:
        """Estimate the effect of a change."""


class WhatIfControl:
    """Widgets over one case.

    Parameters
    ----------
    case
        The opened case.
    replicas
        The replicas whose streams or blocks were captured.
    name
        Name of the case's variable in the notebook, used in the code.

    Raises
    ------
    AgtraceError
        ipywidgets is not installed, or no replica of the case can be estimated.
    """

    def __init__(self, case: Asked, replicas: list[str], name: str = "case") -> None:
        need("lab", "case.explore_changes", "ipywidgets", "IPython", "plotly")
        import ipywidgets as widgets

        if not replicas:
            raise CaseError(
                "no replica's stream and no log blocks were captured", "docs/capture.md lists what it takes"
            )
        self._case, self._name = case, name
        self.replica = widgets.Dropdown(options=options(replicas), description="replica")
        self.window = widgets.Checkbox(description="receive window scales", value=False)
        self.rtt = widgets.FloatText(description="round trip, ms", value=0.0)
        self.commit = widgets.Dropdown(
            options=[AS_IT_WAS, "synchronous", "asynchronous"], description="commit"
        )
        self.compression = widgets.Dropdown(options=[AS_IT_WAS, "on", "off"], description="compression")
        self.seeding = widgets.FloatText(description="seeding, MB/s", value=0.0)
        self.factors = {
            factor: widgets.FloatSlider(
                value=1.0, min=0.5, max=MOST, step=0.25, description=NAMED[factor], continuous_update=False
            )
            for factor in FACTORS
        }
        self.code = widgets.Textarea(description="code", disabled=True, layout={"width": "80%"})
        self.shown = widgets.Output()
        self.box = widgets.VBox(
            [
                widgets.HBox([self.replica, self.window, self.rtt, self.commit]),
                widgets.HBox([self.compression, self.seeding]),
                widgets.HBox(list(self.factors.values())),
                self.code,
                self.shown,
            ]
        )
        for each in (
            self.replica,
            self.window,
            self.rtt,
            self.commit,
            self.compression,
            self.seeding,
            *self.factors.values(),
        ):
            each.observe(self._changed, names="value")
        self._changed()

    @property
    def change(self) -> dict[str, Any]:
        """Return the requested change, as arguments of ``case.what_if``."""
        given: dict[str, Any] = {"window": "scaled"} if self.window.value else {}
        if self.rtt.value > 0:
            given["rtt"] = self.rtt.value
        if self.commit.value != AS_IT_WAS:
            given["commit"] = self.commit.value
        if self.compression.value != AS_IT_WAS:
            given["compression"] = self.compression.value == "on"
        if self.seeding.value > 0:
            given["seeding"] = self.seeding.value * 1e6
        return given | {name: each.value for name, each in self.factors.items() if each.value != 1.0}

    @property
    def asked(self) -> str:
        """Return the code for the same estimate."""
        words = [repr(self.replica.value), *(f"{name}={value!r}" for name, value in self.change.items())]
        return f"{self._name}.what_if({', '.join(words)})"

    def answer(self) -> WhatIf:
        """Return the requested estimate."""
        return self._case.what_if(self.replica.value, **self.change)

    def _changed(self, _change: Any = None) -> None:
        from IPython.display import Markdown, display

        from agtrace.replay.figures import course
        from agtrace.replay.outcome import said

        self.code.value = self.asked
        self.shown.clear_output(wait=True)
        with self.shown:
            try:
                found = self.answer()
            except AgtraceError as error:
                print(error)  # noqa: T201 - what a notebook shows
                return
            limits = thresholds.of(self._case.view)
            display(Markdown("\n\n".join(said(found, limits, MARKDOWN))))
            if found.course is not None:
                display(course([found]))

    def _ipython_display_(self) -> None:
        from IPython.display import display

        display(self.box)
