"""Measurements of a case: series of perfmon, listed, as frames, and as plots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from agtrace.interactive import named
from agtrace.interactive.asked import Moment
from agtrace.measure.series import chosen, one_below_the_other, side_by_side, units_of
from agtrace.measure.steps import Steps
from agtrace.moments import Window
from agtrace.store import CaseView

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

    from agtrace.interactive.epochs import Epochs
    from agtrace.interactive.marks import Mark, Span


class Measuring:
    """The methods of a case for measurements; arguments as in `agtrace.interactive.telling`."""

    view: CaseView

    def counters(
        self,
        counter: str | Iterable[str] = "*",
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
    ) -> pd.DataFrame:
        """List the captured perfmon series, without duplicates.

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
        how: str | Iterable[str] = "mean",
        tz: str = "UTC",
        tidy: bool = False,
        exact: bool = False,
    ) -> pd.DataFrame:
        """Return perfmon series side by side, for plotting and comparison.

        Hosts sample at different times. The rows are those of the series with the shortest interval; each
        other series contributes the sample nearest to a row, within half of its own interval. ``exact`` keeps
        every sample at its own time.

        Parameters
        ----------
        counter
            Counter name or glob ("Log Send Queue", "Log*"), or "Object\\Counter" globs, or several.
        every
            Steps of this length ("10s", "5min") instead: one grid for all series. A row has the start of its
            step; steps without samples are left out.
        how
            Aggregate of each step: mean, median, min, max, or a percentile such as ``"p95"``. Several, such
            as ``["mean", "p95"]``, add a level ``how`` to the columns, and a column to the long form.
        tidy
            Long form: time, host_id, object, instance, counter, value, unit; a row per sample or step.
        exact
            One row for every time at which any of the series has a sample.
        host, instance, start, end, tz
            As in all methods (docs/lab.md).

        Returns
        -------
        pandas.DataFrame
            Columns by host, object, instance ("" if none) and counter; missing samples are NaN. The index is
            ``time``, or ``time_local`` without zone if the UTC offset of a series is unknown.
            ``attrs["units"]`` has the unit of each counter in the catalogue.

        Raises
        ------
        CaseError
            No such series was captured (the message names similar ones), or an argument is invalid.

        Examples
        --------
        >>> frame = case.perfmon("Log Send Queue", instance="JBDB", every="1h", how="p95")
        >>> frame.columns.tolist()[-1], frame.attrs["units"]
        (('JBSAG3', 'SQLServer:Database Replica', 'JBDB', 'Log Send Queue'), {'Log Send Queue': 'KB'})
        """
        window, steps = Window.of(start, end, tz), Steps.of(every, how)
        captured = self.view.rows("SELECT * FROM counters ORDER BY counter_id")
        found = chosen(captured, counter, host, instance)
        units = units_of(captured, found)
        if tidy:
            frame = one_below_the_other(self.view, found, window, steps=steps)
            frame["unit"] = frame["counter"].map(units).astype("category")
        else:
            frame = side_by_side(self.view, found, window, exact=exact, steps=steps)
        frame.attrs["units"] = units
        return frame

    def plot(
        self,
        *counters: str | Iterable[str],
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        mark: Mark | Iterable[Mark] = (),
        span: Span | Iterable[Span] | Mapping[str, Span] = (),
        together: bool = False,
        secondary_y: bool | str | Iterable[str] = False,
        log_y: bool = False,
        kind: str = "line",
        by: str | None = None,
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str | Iterable[str] = "mean",
        tz: str = "UTC",
    ) -> Figure:
        """Draw counters and waits over time: a panel for each, a line for each host and instance.

        Every series is drawn at its own sample times, and no line crosses a gap. Bytes are shown in a
        suitable multiple.

        Parameters
        ----------
        counters
            Names or globs, as in `perfmon`, or types of waits (``"HADR_SYNC_COMMIT"``): milliseconds waited
            per second, at the end of each interval.
        instance
            Globs of databases, disks, network cards; by default, ``_Total`` is left out if its instances are
            shown.
        mark
            ``"roles"`` (changes of role of these hosts), ``"failovers"``, ``"timeline"``; a time, or times by
            their texts: ``{"index rebuild": "2019-08-20 13:40"}``; or several of these.
        span
            Start and end of a span to shade, several of these, or spans by their texts.
        together
            Draw all counters on one axis; they must have the same unit.
        secondary_y
            Draw all but the first counter, or those named, on a right axis.
        log_y
            Draw values on logarithmic axes.
        kind
            ``"box"`` draws box plots: quartiles, with whiskers to p5 and p95.
        by
            ``"hour"``, ``"weekday"`` or ``"day"``: a box for each, in the zone ``tz``.
        host, start, end, every, how, tz
            As in all methods (docs/lab.md).

        Raises
        ------
        CaseError
            No such series or sample, or too many counters for one figure.

        Examples
        --------
        >>> asked = "Log Send Queue", "Log Bytes Received/sec"
        >>> figure = case.plot(*asked, host="JBSAG3", mark={"noon": "2019-08-20 12:00"}, secondary_y=True)
        >>> figure.layout.yaxis.title.text, figure.layout.yaxis2.title.text
        ('MB', 'KB/s')
        """
        from agtrace.interactive.marks import Marks
        from agtrace.interactive.plots import Look, plot

        window, steps = Window.of(start, end, tz), Steps.of(every, how)
        return plot(
            self.view, counters, Marks.of(mark, span, window), host=host, instance=instance, steps=steps,
            look=Look(together, secondary_y, log_y, kind, by),
        )  # fmt: skip

    def around_events(
        self,
        events: str | Mapping[str, Moment] | Iterable[Moment] | pd.DataFrame,
        counter: str | Iterable[str] = "*",
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        *,
        before: str | timedelta = "5min",
        after: str | timedelta = "5min",
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str | Iterable[str] = "mean",
        tz: str = "UTC",
    ) -> Epochs:
        """Return counters around events, aligned on them: an epoch for each event.

        Parameters
        ----------
        events
            A relation of events (``"failovers"``, ``"roles"``, ``"restarts"``, ...), a frame with a column
            ``time`` or ``start``, such as part of `timeline`, your own times, or times by their texts.
        before, after
            Time before and after each event.
        every, how
            Steps counted from the event, and their aggregates, as in `perfmon`.
        start, end
            Limit the events.
        counter, host, instance, tz
            As in `perfmon`.

        Returns
        -------
        Epochs
            A long pandas frame: event (numbered from 0), event_time, event_text, t_s (seconds from the
            event), time, host_id, object, instance, counter, value, unit. Its ``plot()`` draws a panel for
            each counter, and the median of several events.

        Raises
        ------
        CaseError
            No such events or series, or there are no samples around them.

        Examples
        --------
        >>> epochs = case.around_events({"copy": "2019-08-20 14:00"}, "Log Send Queue", "JBSAG3", "JBDB")
        >>> float(epochs["t_s"].min()), len(epochs), epochs.plot().layout.xaxis.title.text
        (-296.321, 120, 'seconds from the event')
        """
        from agtrace.interactive.epochs import around_events

        return around_events(
            self.view,
            events,
            counter,
            before=before,
            after=after,
            host=host,
            instance=instance,
            window=Window.of(start, end, tz),
            steps=Steps.of(every, how),
        )

    def join(
        self,
        own: pd.Series[Any] | pd.DataFrame,
        counter: str | Iterable[str],
        host: str | Iterable[str] | None = None,
        instance: str | Iterable[str] | None = None,
        *,
        clock: str | None = None,
        start: Moment | None = None,
        end: Moment | None = None,
        every: str | timedelta | None = None,
        how: str | Iterable[str] = "mean",
        tz: str = "UTC",
    ) -> pd.DataFrame:
        """Return perfmon series beside your own time series, on common rows by the clock of the case.

        Parameters
        ----------
        own
            A series with a time index, or a frame of several. Times without a zone are in ``tz``.
        clock
            Host whose clock the times are from: its deviation from the reference clock is removed.
        counter, host, instance, start, end, every, how, tz
            As in `perfmon`.

        Returns
        -------
        pandas.DataFrame
            As of `perfmon`; your series are ``frame["own", "", "", NAME]``.

        Raises
        ------
        CaseError
            As in `perfmon`, or ``own`` has no time index.

        Examples
        --------
        >>> import pandas as pd
        >>> mine = pd.Series([7.0, 9.0], pd.to_datetime(["2019-08-20 14:00", "2019-08-20 14:01"]), name="ms")
        >>> frame = case.join(mine, "Log Send Queue", "JBSAG3", "JBDB", every="1min")
        >>> frame["own", "", "", "ms"].dropna().tolist()
        [7.0, 9.0]
        """
        from agtrace.interactive.joined import own_series

        window, steps = Window.of(start, end, tz), Steps.of(every, how)
        found = chosen(self.view.rows("SELECT * FROM counters ORDER BY counter_id"), counter, host, instance)
        beside = own_series(self.view, own, window, clock)
        return side_by_side(self.view, found, window, steps=steps, beside=beside)
