"""The analysis of automatic (direct) seeding."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis, View
from agtrace.diagnostics.seeding import by_hop, estimate, figures, summary, tables, unplaced
from agtrace.diagnostics.seeding.by_hop import Way
from agtrace.diagnostics.seeding.causes import of_causes
from agtrace.diagnostics.seeding.checks import CHECKS
from agtrace.diagnostics.seeding.estimate import Estimate
from agtrace.diagnostics.seeding.needs import NEEDS
from agtrace.diagnostics.seeding.outcomes import of_outcomes
from agtrace.diagnostics.seeding.rows import Unplaced
from agtrace.diagnostics.seeding.study import Study, study
from agtrace.diagnostics.seeding.verdict import SAID, Verdict
from agtrace.errors import CaseError
from agtrace.history import check_database
from agtrace.history.seedings import Operation, load_seedings
from agtrace.measures import Measure
from agtrace.moments import utc
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity
from agtrace.say.said import Judged

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure


class Seeding(Analysis):
    """Each seeding: duration, states, limit, compression, and why it failed.

    Parameters
    ----------
    view
        The opened case.
    database
        Only this database, case-insensitive.
    start, end
        Only seedings that ran between these times (UTC).
    database_gb, link_gbit_per_s
        Size (GB of 10^9 bytes) and link (Gb/s) for an estimate of the time.

    Raises
    ------
    CaseError
        A size or a link is not a positive number.
    """

    name = "seeding"
    title = "Seeding"
    question = "How long did each seeding take, in which states, what held it back, and was it compressed?"
    order = 50
    needs = NEEDS
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = tables.MEASURES

    def __init__(
        self,
        view: View,
        *,
        database: str | None = None,
        start: datetime | None = None,
        end: datetime | None = None,
        database_gb: float | None = None,
        link_gbit_per_s: float | None = None,
    ) -> None:
        super().__init__(view)
        self.check(view, database=database)
        self.database = database or None
        self.start, self.end = (each and utc(each) for each in (start, end))
        self.database_gb = _positive("database_gb", database_gb)
        self.link_gbit_per_s = _positive("link_gbit_per_s", link_gbit_per_s)

    @classmethod
    def check(cls, view: View, **given: Any) -> None:
        """Check the name of the database."""
        check_database(view, given.get("database"))

    @cached_property
    def operations(self) -> list[Operation]:
        """Return every seeding of the case, in chronological order, unfiltered."""
        return load_seedings(self.view)

    @cached_property
    def study(self) -> Study:
        """Return the results for the requested seedings, computed once."""
        return study(self.view, self.operations, self._is_wanted, thresholds.of(self.view))

    def _is_wanted(self, operation: Operation) -> bool:
        if self.database and (operation.database or "").lower() != self.database.lower():
            return False
        first = operation.start or operation.copy_start
        last = operation.end or operation.copy_end
        if self.end is not None and first is not None and first >= self.end:
            return False
        return not (self.start is not None and last is not None and last < self.start)

    @property
    def _is_narrowed(self) -> bool:
        return any(each is not None for each in (self.database, self.start, self.end))

    def missing(self) -> list[str]:
        """Return the missing input; empty if any requested seeding was captured."""
        lacking = [] if self._unplaced else super().missing()
        if lacking or not self._is_narrowed or self.study.seeded:
            return lacking
        return [SAID.text("pages.left_out", {"databases": self.study.databases})]

    @cached_property
    def _verdicts(self) -> list[Verdict]:
        return [*of_outcomes(self.study), *of_causes(self.study)]

    @cached_property
    def _unplaced(self) -> list[Judged]:
        return unplaced.unplaced(self.view.records(Unplaced, self.sql("unplaced.sql")))

    def findings(self) -> list[Finding]:
        """Return the seeding.* findings, most severe first."""
        return by_severity(SAID.findings([*self._verdicts, *self._unplaced]))

    def say_summary(self) -> str:
        """Return the answer in Markdown: the result of each seeding, then every finding."""
        return SAID.page("summary", summary.answer(self.study, self._verdicts))

    def say_timeline(self) -> str:
        """Return the states of each seeding with their durations, in Markdown."""
        return SAID.page("timeline", summary.timeline(self.study))

    def say_estimate(self) -> str:
        """Return the time for a database of another size or over another link, in Markdown."""
        return SAID.page("estimate", estimate.page(self._estimates, self.database_gb))

    def say_by_hop(self) -> str:
        """Return the time of each hop for a database, with and without compression, in Markdown."""
        return SAID.page("by_hop", by_hop.facts_of(self._ways, self.database_gb))

    def say_missing(self) -> str:
        """Return what is unknown, in Markdown; "" if nothing is."""
        return SAID.page("missing", summary.missing(self.study, self.missing()))

    @cached_property
    def _estimates(self) -> list[Estimate]:
        return estimate.estimates(self.study, self.database_gb, self.link_gbit_per_s)

    @cached_property
    def _ways(self) -> list[Way]:
        measured = estimate.measured_of(self.study)
        return by_hop.ways(measured, self.database_gb, self.link_gbit_per_s)

    def tbl_operations(self) -> pd.DataFrame:
        """Return one row per seeding: times (UTC), GB of 10^9 bytes, MB/s of 10^6 bytes."""
        return tables.operations(self.study)

    def tbl_states(self) -> pd.DataFrame:
        """Return one row per state and end, with its seconds."""
        return tables.states(self.study)

    def tbl_waits(self) -> pd.DataFrame:
        """Return the waits of each end."""
        return tables.waits(self.study)

    def tbl_resources(self) -> pd.DataFrame:
        """Return the activity of the hosts during each copy; bytes in MB/s of 10^6 bytes."""
        return tables.resources(self.study)

    def tbl_cores(self) -> pd.DataFrame:
        """Return the mean load of each core of the hosts during each copy, in percent."""
        return tables.cores(self.study)

    def tbl_estimate(self) -> pd.DataFrame:
        """Return the estimates, by basis."""
        return tables.estimates(self._estimates)

    def tbl_by_hop(self) -> pd.DataFrame:
        """Return each hop's time for a database, with and without compression, by measurement."""
        return tables.by_hop(self._ways)

    def fig_timeline(self) -> Figure:
        """Draw the states of both ends over time, one panel per seeding."""
        return figures.timeline(self.study)

    def fig_rate(self) -> Figure:
        """Draw bytes of the database, the wire and the disks per second during each copy."""
        return figures.rate(self.study, self.view)

    def fig_redo(self) -> Figure:
        """Draw the redo rate of the target after each copy."""
        return figures.redo(self.study, self.view)

    def fig_cores(self) -> Figure:
        """Draw the mean load of each core during each copy."""
        return figures.cores(self.study, self.host_colours)

    def fig_waits(self) -> Figure:
        """Draw the waits of each end as a share of the copy's time."""
        return figures.waits(self.study)


def _positive(name: str, value: float | None) -> float | None:
    if value is None:
        return None
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value < float("inf"):
        raise CaseError(f"{name} = {value!r}", "give a positive number")
    return float(value)
