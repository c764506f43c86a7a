"""What was measured: series of perfmon, listed, as frames, and drawn."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import TYPE_CHECKING

from agtrace.interactive import named
from agtrace.interactive.asked import Moment
from agtrace.measure.series import Steps, chosen, one_below_the_other, side_by_side
from agtrace.moments import Window
from agtrace.store import CaseView

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


class Measuring:
    """The part of a case that shows what was measured; words as in `agtrace.interactive.telling`."""

    view: CaseView

    def counters(
        self,
        counter: str | Iterable[str] = "*",
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
    ) -> pd.DataFrame:
        """List the perfmon series that were captured, each once.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send*"), or "Object\\\\Counter" globs.
        host, instance
            Globs that narrow it; a host by any spelling of its name.

        Returns
        -------
        pandas.DataFrame
            host_id, sql_instance, object, instance, counter, unit, captures, first_time and last_time (UTC),
            first_local, last_local.

        Raises
        ------
        CaseError
            No such series was captured; the message names the nearest.

        Examples
        --------
        >>> sorted(set(case.counters("Log Send*")["counter"]))
        ['Log Send Queue']
        """
        return named.series(self.view, counter, host, instance)

    def perfmon(
        self,
        counter: str | Iterable[str],
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        *,
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str = "mean",
        tz: str = "UTC",
        tidy: bool = False,
        exact: bool = False,
    ) -> pd.DataFrame:
        """Return perfmon series side by side, for plotting and comparison.

        Hosts take their samples at moments of their own. The rows are those of the series with the
        shortest interval; each other series gives the sample nearest to a row, when it lies within
        half of its own interval. ``exact`` leaves every sample at its own time.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send Queue", "Log*"), or "Object\\Counter" globs, or several.
        every
            Steps of this length ("10s", "5min") instead: one grid for all series. A row is named by the
            begin of its step; steps without any sample are left out.
        how
            What of each step: mean, median, min, max, or a percentile such as ``"p95"``.
        tidy
            Long form: time, host_id, object, instance, counter, value, unit; a row per sample or step.
        exact
            A row for every moment at which any of the series has a sample.
        host, instance, start, end, tz
            As everywhere (docs/lab.md).

        Returns
        -------
        pandas.DataFrame
            Columns by host, object, instance ("" where there is none) and counter; missing samples are
            NaN. The index is ``time``, or ``time_local`` without zone where UTC is not known of a series.
            ``attrs["units"]`` has the unit of each counter that the catalogue knows.

        Raises
        ------
        CaseError
            No such series was captured, the message names the nearest; or a word is not understood.

        Examples
        --------
        >>> frame = case.perfmon("Log Send Queue", instance="JBDB", every="1h", how="p95")
        >>> frame.columns.tolist()[-1], frame.attrs["units"]
        (('JBSAG3', 'SQLServer:Database Replica', 'JBDB', 'Log Send Queue'), {'Log Send Queue': 'KB'})
        """
        window, steps = Window.of(start, end, tz), Steps.of(every, how)
        captured = self.view.rows("SELECT * FROM counters ORDER BY counter_id")
        found = chosen(captured, counter, host, instance)
        units = {
            found[row["counter_id"]][3]: row["unit"]
            for row in captured
            if row["counter_id"] in found and row["unit"]
        }
        if tidy:
            frame = one_below_the_other(self.view, found, window, steps=steps)
            frame["unit"] = frame["counter"].map(units).astype("category")
        else:
            frame = side_by_side(self.view, found, window, exact=exact, steps=steps)
        frame.attrs["units"] = units
        return frame

    def plot(
        self,
        *counters: str,
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        mark: str | Iterable[str] = (),
        together: bool = False,
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str = "mean",
        tz: str = "UTC",
    ) -> Figure:
        """Draw counters over time: a panel for each counter, a line for each host and instance.

        Every series is drawn at its own ticks, and no line crosses a gap. Bytes are shown in the
        multiple that suits.

        Parameters
        ----------
        counters
            Names or globs, as in `perfmon`.
        instance
            Globs of databases, disks, network cards; without, ``_Total`` is left out where its parts are.
        mark
            ``"roles"`` (changes of role of these hosts), ``"failovers"``, ``"timeline"``, or several.
        together
            Draw all counters on one axis; they are of one unit then.
        host, start, end, every, how, tz
            As everywhere (docs/lab.md).

        Raises
        ------
        CaseError
            No such series or sample, or too many counters for one figure.

        Examples
        --------
        >>> asked = "Log Send Queue", "Log Bytes Received/sec"
        >>> figure = case.plot(*asked, host=["JBSAG2", "JBSAG3"], mark="roles")
        >>> figure.layout.yaxis.title.text, figure.layout.yaxis2.title.text
        ('MB', 'KB/s')
        """
        from agtrace.interactive.plots import plot

        window, steps = Window.of(start, end, tz), Steps.of(every, how)
        return plot(
            self.view, counters, host=host, instance=instance, mark=mark, together=together, window=window,
            steps=steps,
        )  # fmt: skip
