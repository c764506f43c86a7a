"""Estimates as figures and tables; plotly is imported when a figure is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from agtrace.measure.grid import Values
from agtrace.measures import frame
from agtrace.replay.columns import COMMITS, STREAMS
from agtrace.replay.outcome import SAID, Course, WhatIf, asked, facts
from agtrace.say.colours import FAINT, INK, STEPS
from agtrace.say.figures import Line, lines

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

ABOUT_STREAMS = ("no_blocks", "commits_differ", "replica_blocks", "no_flush")
"""Reasons that say nothing of a stream."""


def streams(found: Iterable[WhatIf]) -> pd.DataFrame:
    """Return a stream's estimates, one per row."""
    return frame(
        STREAMS,
        [
            [
                each.replica, _change(each), each.after.send_queue_p95_bytes,
                each.after.send_queue_p95_low_bytes,
                each.after.send_queue_p95_high_bytes, each.after.caught_up_from_end_s, _hop(each),
                each.after.carries_bytes_per_s, each.error, _open(each, ABOUT_STREAMS),
            ]
            for each in found
        ],
    )  # fmt: skip


def commits(found: Iterable[WhatIf]) -> pd.DataFrame:
    """Return commit estimates, one per row."""
    return frame(
        COMMITS,
        [
            [
                each.replica, _change(each), after.commit_p50_ms, after.commit_p50_low_ms,
                after.commit_p50_high_ms,
                after.commit_p99_ms, after.commit_p99_low_ms, after.commit_p99_high_ms, each.error,
                _open(each, ("no_samples",)),
            ]
            for each in found
            for after in [each.after]
        ],
    )  # fmt: skip


def _change(each: WhatIf) -> str:
    return ", ".join(asked(each.change)) or "nothing changed"


def _hop(each: WhatIf) -> str:
    limit = each.after.next_limit
    return SAID.text("what_if.hop", {"limit": limit}) if limit else ""


def _open(each: WhatIf, but: Sequence[str]) -> str:
    """Return why a figure is missing; else what the estimate assumes."""
    whys = [why for why in each.whys if why not in but]
    told = [SAID.text("what_if.why", {"why": why}) for why in whys]
    return " ".join(told or [SAID.text("what_if.assume", {"each": key}) for key in each.assumes])


def stamps(times: Values) -> np.ndarray:
    """Return seconds since 1970 as instants for figures."""
    return (np.asarray(times) * 1e6).round().astype("int64").astype("datetime64[us]")


def course(found: Sequence[WhatIf]) -> Figure:
    """Draw the send queue and the loss over time: captured, and after the change with its band."""
    shown = [(each, each.course) for each in found if each.course is not None]
    drawn: list[Line] = []
    panels: list[str] = []
    units: list[str] = []
    for each, told in shown:
        panel = len(panels)
        who = f"{each.replica}, {', '.join(asked(each.change)) or 'as it was'}"
        panels += [f"{who}: send queue", f"{who}: log that a failover would lose"]
        units += ["B", "s"]
        drawn += _lines(told, panel)
    local = any(told.is_local for _each, told in shown)
    titles = [SAID.text("what_if.title", facts(each, each.limits)) for each, _told in shown]
    return lines(
        drawn,
        title="; ".join(titles) or "What the remedy would bring: no estimate",
        unit=units or "",
        panels=panels,
        time_title="time (local, zone unknown)" if local else "time (UTC)",
    )


def _lines(told: Course, panel: int) -> list[Line]:
    times = stamps(told.times)
    found = []
    for name, queue, colour, dash in (
        ("captured", told.captured, INK, "solid"),
        ("estimate", told.after, STEPS[0], "solid"),
        ("90 % band, low", told.low, FAINT, "dot"),
        ("90 % band, high", told.high, FAINT, "dash"),
    ):
        came = told.generated if name == "captured" else told.generated_after
        found.append(Line(name, times, queue, panel, colour, dash))
        found.append(Line(name, times, age(told.times, came, queue), panel + 1, colour, dash))
    return found


def age(times: Values, came: Values, queue: Values) -> Values:
    """Return the age of the oldest waiting log, seconds; a lower bound for the initial queue.

    Parameters
    ----------
    came
        Log that had come until each sample, with what waited at the first, bytes.
    """
    reached = np.maximum.accumulate(np.maximum(came - queue, 0.0))
    steady = np.maximum.accumulate(came) + np.arange(len(came)) * 1e-6
    since = np.interp(reached, steady, times)
    return np.maximum(times - since, 0.0)
