"""Redo on the target once the copy has ended: how fast it catches up, with how many threads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from agtrace.diagnostics import words
from agtrace.diagnostics.figures import BAND, COLOURS, Line, lines
from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.study import AFTER, Seeded, Study
from agtrace.measure.usage import Window

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

MOST = 6
"""Seedings that the figure shows, the first ones."""
BEFORE = timedelta(seconds=10)
RESOURCES = ("redo", "recovery_queue")


@dataclass(frozen=True)
class CaughtUp:
    """What the target redid after a copy, log bytes per second.

    Parameters
    ----------
    seconds
        Seconds since the copy ended, of each sample.
    values, queue
        Redone log (B/s) and log waiting for redo (B), each with its own times.
    threads
        Worker pool of parallel redo (message 49930); "" where no message tells it.
    """

    seeded: Seeded
    seconds: np.ndarray
    values: np.ndarray
    queue_seconds: np.ndarray
    queue: np.ndarray
    threads: str

    @property
    def within(self) -> np.ndarray:
        """The samples of the catch-up: from the end of the copy to the end of the seeding."""
        of = self.seeded.operation
        if of.copy_end is None or of.end is None:
            return self.values[:0]
        lasted = (of.end - of.copy_end).total_seconds()
        return self.values[(self.seconds > 0) & (self.seconds <= lasted)]

    @property
    def mean(self) -> float | None:
        """Mean over the catch-up, log B/s; None where it was too short for a sample."""
        return float(self.within.mean()) if len(self.within) else None

    @property
    def highest(self) -> float:
        """Highest sample from the end of the copy on, log B/s."""
        return float(self.values.max())


def windows(found: Study) -> list[Window]:
    """Give the stretch to look at of each seeding that ended well: from the end of its copy on."""
    made = []
    for each in found.seeded:
        of = each.operation
        if of.copy_end is None or of.target is None or of.outcome != "completed":
            continue
        end = max(of.copy_end, of.end or of.copy_end) + AFTER
        made.append(Window(of.number, of.copy_end - BEFORE, end, of.database, of.target.host))
    return made


def caught_up(found: Study, series: pa.Table) -> list[CaughtUp]:
    """Give the seedings after which the target redid anything, in order.

    Parameters
    ----------
    series
        `RESOURCES` in `windows`, as `agtrace.measure.usage.series` gives them.
    """
    told = []
    for each in found.seeded:
        own = series.filter(pc.equal(series["window"], each.operation.number))
        seconds, values = _of(own, each, "redo")
        if len(values) and values.max() > 0:
            waited, queue = _of(own, each, "recovery_queue")
            threads = next((p.workers for p in each.parallel if p.workers), "")
            told.append(CaughtUp(each, seconds, values, waited, queue, threads))
    return told


def _of(series: pa.Table, each: Seeded, resource: str) -> tuple[np.ndarray, np.ndarray]:
    own = series.filter(pc.equal(series["resource"], resource))
    end = each.operation.copy_end
    assert end is not None or not len(own)
    if end is None or not len(own):
        return np.array([]), np.array([])
    micros = own["time"].cast(pa.int64()).to_numpy()
    return (micros - round(end.timestamp() * 1e6)) / 1e6, own["value"].to_numpy()


def told(found: list[CaughtUp]) -> list[str]:
    """Say of each how fast redo caught up, and with how many threads; plain text."""
    texts = []
    for each in found:
        text = f"Seeding {each.seeded.operation.number} ({say.seeding(each.seeded.operation)}): redo of "
        if each.mean is None:
            text += f"{_rate(each.highest)} of log at most; it caught up between two samples"
        else:
            text += f"{_rate(each.mean)} of log on average while it caught up (n = {len(each.within)}), "
            text += f"{_rate(each.highest)} at most"
        if len(each.queue) and each.queue.max() > 0:
            text += f", a recovery queue of up to {words.size(float(each.queue.max()))}"
        texts.append(f"{text}; {_threads(each)}.")
    return texts


def _rate(bytes_per_s: float) -> str:
    """Word a rate to three digits: 12 and 13 MB/s are told apart here."""
    value, unit = words.scaled(bytes_per_s)
    return words.number(value, f"{unit}/s")


def _threads(each: CaughtUp) -> str:
    if not each.threads:
        return "its redo threads were not captured (message 49930)"
    noun = "redo thread" if each.threads == "1" else "redo threads"
    return f"{words.plain(each.threads, 10)} {noun} (message 49930)"


def figure(found: list[CaughtUp]) -> Figure:
    """Draw redone log per second and the recovery queue from the end of each copy on."""
    shown = found[:MOST]
    made: list[Line] = []
    for panel, each in enumerate(shown):
        made.append(Line("log redone per second", each.seconds, each.values, 2 * panel, COLOURS[0]))
        made.append(Line("recovery queue", each.queue_seconds, each.queue, 2 * panel + 1, COLOURS[1], "dot"))  # fmt: skip
    names = [f"{e.seeded.operation.number}: {say.seeding(e.seeded.operation)}, {_threads(e)}" for e in shown]  # fmt: skip
    fig = lines(
        made,
        title=_title(found, len(shown)),
        unit=["log B/s", "log B"] * max(len(shown), 1),
        panels=[text for name in names for text in (name, "waiting for redo")],
        time_title="seconds since the copy ended; shaded: the copy",
        panel_height=170,
    )
    fig.update_xaxes(hoverformat=",.0f")
    if shown:
        fig.add_vrect(x0=-BEFORE.total_seconds(), x1=0, fillcolor=BAND, opacity=0.12, line_width=0, layer="below")  # fmt: skip
        fig.update_layout(margin_t=112)
    return fig


def _title(found: list[CaughtUp], shown: int) -> str:
    if not found:
        return "No redo after a copy was captured"
    parts = [
        f"seeding {e.seeded.operation.number}: {'at most ' if e.mean is None else ''}"
        f"{_rate(e.highest if e.mean is None else e.mean)}"
        for e in found
    ]
    text = f"Redo after the copy, {words.listing(parts, 4)}"
    return text + (f" (the first {shown} of {len(found):,})" if shown < len(found) else "")
