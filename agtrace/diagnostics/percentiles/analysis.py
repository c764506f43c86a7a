"""The distribution of any counter, in any grouping."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agtrace import globs
from agtrace.diagnostics.base import Analysis, View
from agtrace.diagnostics.percentiles import figures, tables
from agtrace.diagnostics.percentiles.needs import NEEDS
from agtrace.diagnostics.percentiles.tables import facts, key_figures
from agtrace.history.distributions import (
    PROBABILITIES,
    Distribution,
    Question,
    check_question,
    read_quantiles,
    usual_grouping,
)
from agtrace.moments import LOCAL, Window
from agtrace.say.finding import Evidence, Finding
from agtrace.say.said import Said, entries

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

Names = str | Iterable[str] | None
"""One name or glob, or several; None: all."""

SAID = Said(__package__ or "")


class Percentiles(Analysis):
    """Percentiles, distribution and heat map of counters.

    Parameters
    ----------
    view
        The opened case.
    counter
        Globs of counter names, or of ``Object\\Counter``, separated by semicolons, case-insensitive. None:
        the throughput of log, redo, backups, disks and network, as far as captured.
    host, instance
        Globs of hosts and instances; an instance is a database, a disk or a network card.
    by
        Columns to group by besides the counter, separated by commas: host, instance (or database),
        configuration, run, hour, weekday, day. Hours and days are local time of the host. None: host,
        and configuration or run if windows are labelled (runs.csv).
    start, end
        From ``start`` (included) to ``end`` (excluded); UTC, or local time if the offset is unknown.
    per
        A counter to divide by, at the same time on the same host: a derived rate.
    total
        Whether to add up the instances of a host, without _Total. False keeps every instance separate. None
        adds them up except for replicas: bytes sent to two replicas must not be added.
    busy
        Whether to leave out idle values (at most a hundredth of the group's p99). None: for rates that are
        idle for more than 5 % of their values; the result notes it.
    change
        Use the change per second instead of the value: the growth rate of a queue.
    scale, unit
        A factor for the values, and the name of the resulting unit.
    tz
        Time zone for hours, weekdays and days: ``"local"`` (that of each host), or a zone.
    q
        Further quantiles, 0 to 1.
    """

    name = "percentiles"
    title = "Throughput percentiles"
    question = "How is any counter distributed, by host, database, configuration, hour or run?"
    order = 90
    needs = NEEDS

    def __init__(
        self,
        view: View,
        *,
        counter: Names = None,
        host: Names = None,
        instance: Names = None,
        by: Names = None,
        start: datetime | None = None,
        end: datetime | None = None,
        per: str | None = None,
        total: bool | None = None,
        change: bool = False,
        busy: bool | None = None,
        scale: float = 1.0,
        unit: str | None = None,
        tz: str = LOCAL,
        q: tuple[float, ...] = (),
    ) -> None:
        super().__init__(view)
        grouping = globs.named(usual_grouping(view) if by is None else by)
        groups = tuple(part.strip() for each in grouping for part in each.split(",") if part.strip())
        groups = tuple("instance" if part == "database" else part for part in groups)
        self.asked = Question(
            counter=_globs(counter), host=_globs(host), instance=_globs(instance), by=groups,
            start=start, end=end, per=per,
            total="instance" not in groups if total is None else total,
            peers_apart=total is None and per is None, busy=busy, change=change, scale=scale, unit=unit,
            tz=tz, q=q,
        )  # fmt: skip

    @classmethod
    def check(cls, view: View, **given: Any) -> None:
        """Check the names of counters, hosts, instances and groupings."""
        asked = {
            name: given[name] for name in ("counter", "host", "instance", "by", "per") if given.get(name)
        }
        if asked:
            check_question(view, cls(view, **asked).asked)

    def only(self, **changes: Any) -> Percentiles:
        """Ask another question about the same case; the arguments are those of the class."""
        return Percentiles(self.view, **changes)

    def __call__(
        self,
        counter: Names = None,
        host: Names = None,
        instance: Names = None,
        *,
        by: Names = None,
        q: float | Iterable[float] = PROBABILITIES,
        start: str | datetime | None = None,
        end: str | datetime | None = None,
        tz: str = "UTC",
        per: str | None = None,
        total: bool | None = None,
        change: bool = False,
        busy: bool | None = None,
        scale: float = 1.0,
        unit: str | None = None,
    ) -> pd.DataFrame:
        """Return a counter's percentiles by host, instance, hour, weekday, day, run or configuration.

        Parameters
        ----------
        counter
            Name or glob, or several; by default, throughput of log, redo, backups, disks and network.
        by
            Columns to group by, one or several. Hours and days are those of ``tz``.
        q
            Quantiles to compute, 0 to 1.
        host, instance, start, end, tz
            As in all methods (docs/lab.md).
        per, total, change, busy, scale, unit
            As of the class.

        Returns
        -------
        pandas.DataFrame
            One row per group, in the order of counters, names and time: counter, the grouping columns
            (``host_id``, ``instance``, ``hour``, ...), unit, n, idle (values left out), mean, lowest, the
            percentiles, highest. ``attrs["tz"]`` has the zone of the hours.

        Raises
        ------
        CaseError
            No such counter, grouping or zone, or an invalid quantile.

        Examples
        --------
        >>> frame = case.percentiles("Log Send Queue", host="JBSAG3", by="hour", q=[0.5, 0.999])
        >>> frame[["hour", "unit", "n", "p99.9"]].round(0).values.tolist()
        [[13, 'KB', 355, 562571.0], [14, 'KB', 180, 773134.0]]
        """
        window = Window.of(start, end, tz)
        wanted = tables.quantiles(q)
        found = self.only(
            counter=counter, host=host, instance=instance, by=by, start=window.start, end=window.end, per=per,
            total=total, change=change, busy=busy, scale=scale, unit=unit, tz=window.tz, q=wanted,
        ).distribution  # fmt: skip
        return tables.asked(found, window)

    @cached_property
    def distribution(self) -> Distribution:
        """Return the requested distribution, computed once."""
        return read_quantiles(self.view, self.asked)

    def findings(self) -> list[Finding]:
        """Return an empty list: percentiles are numbers, not verdicts."""
        return []

    def say_nothing(self) -> str:
        """State that it has numbers and no verdict."""
        return SAID.text("nothing.said", {})

    def leading_figures(self) -> list[Evidence]:
        """Return the leading numbers: the counters, and percentiles of the leading groups."""
        return entries(key_figures(self.distribution))

    def say_summary(self) -> str:
        """Describe the counters, and the median and range of the leading groups, in Markdown."""
        return SAID.page("summary", facts(self.distribution))

    def fig_percentiles(self) -> Figure:
        """Draw p5 to p95 of each group as a bar, p25 to p75 thicker, p50 as a mark."""
        return figures.percentiles(self.distribution)

    def fig_distribution(self) -> Figure:
        """Draw each value over the share of samples below it, one line per group."""
        return figures.distribution(self.distribution)

    def fig_heat(self) -> Figure:
        """Draw the median by hour and weekday (local time) of the group with the highest p95."""
        return figures.heat(self.distribution)

    def tbl_percentiles(self) -> pd.DataFrame:
        """Return n, mean, lowest, highest and percentiles of each group."""
        return tables.percentiles(self.distribution)

    def tbl_heat(self) -> pd.DataFrame:
        """Return n and median by weekday and hour (local time) of the group in the heat map."""
        return tables.heat(self.distribution)

    def tbl_counters(self) -> pd.DataFrame:
        """Return every available counter: on how many hosts, with how many series."""
        return tables.counters(self.view)


def _globs(asked: Names) -> tuple[str, ...] | None:
    return None if asked is None else globs.named(asked)
