"""Cost of readers on a secondary: row versions in tempdb, waits for them, ghosts on the primary."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.readable import figures, judge, measures, statistics
from agtrace.diagnostics.readable.checks import CHECKS
from agtrace.diagnostics.readable.needs import NEEDS
from agtrace.diagnostics.readable.rows import (
    Behind,
    Full,
    Ghosts,
    Growths,
    Marks,
    Readers,
    Series,
    Statistics,
    Versioning,
    Waited,
)
from agtrace.history.base import Sources
from agtrace.measures import frame
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity
from agtrace.say.said import Judged, Said
from agtrace.tables.records import R
from agtrace.tables.wait_types import that_explain

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

SAID = Said(__package__ or "")
SECONDARIES = "select 1 from roles where role = 'SECONDARY' limit 1"
LOOK_GAP_S = 12 * 3600.0
"""Snapshots of tempdb are hourly: those further apart than this do not show one growth."""


class Readable(Analysis):
    """The version store of secondaries: its growth, its oldest reader, and when tempdb is full."""

    name = "readable"
    title = "Readable secondaries"
    question = "Does the version store of a readable secondary grow, who holds it, and when is tempdb full?"
    order = 23
    needs = NEEDS
    checks = CHECKS
    measures = measures.SIZES

    def _of(self, kind: type[R], sources: Sources, parameters: dict[str, Any] | None = None) -> list[R]:
        """Return the rows of a query over some sources; empty if the case has none of them."""
        return self.ask(kind, parameters) if sources.are_in(self.view) else []

    @cached_property
    def growths(self) -> list[Growths]:
        """The stretches in which the version store of a secondary grew."""
        if not self.view.has_rows("row_versions"):
            return []
        gap_s = 60.0 * thresholds.of(self.view).gap_minutes
        return self.ask(Growths, {"gap_s": gap_s, "look_gap_s": LOOK_GAP_S})

    @cached_property
    def judged(self) -> list[Judged]:
        """Return the findings on each server."""
        waiting = judge.versioning(self.ask(Versioning))
        if not self.view.rows(SECONDARIES) and not self.view.has_rows("version_stores"):
            return waiting
        types = {"types": that_explain("read")["types"]}
        made = self._of(Statistics, Sources(relations=("temporary_statistics",)))
        waited = self._of(Waited, Sources(relations=("waits",)), types)
        rates = judge.waits(waited, thresholds.of(self.view))
        return [*waiting, *self._stores, *rates, *statistics.statistics(made)]

    @property
    def _stores(self) -> list[Judged]:
        """Return findings on version stores that grew or were full; related rows are queried only then."""
        full = self.ask(Full, {"apart_s": judge.APART_S}) if self.view.rows(self.sql("logged.sql")) else []
        if not self.growths and not full:
            return []
        beside = judge.Beside(
            self._of(Readers, Sources(relations=("long_transactions",))),
            self._of(Marks, Sources(relations=("database_states",))),
            self._of(Behind, Sources(relations=("streams",))),
            self._ghosts,
        )
        return judge.stores(self.growths, full, beside, thresholds.of(self.view))

    def _ghosts(self, host: str, start: datetime, end: datetime | None) -> list[Ghosts]:
        return self.ask(Ghosts, {"host": host, "start": start, "end": end})

    def missing(self) -> list[str]:
        """Return the missing input; a log alone can show that a version store was full."""
        return [] if self.judged else super().missing()

    def findings(self) -> list[Finding]:
        return by_severity(SAID.findings(self.judged))

    def say_summary(self) -> str:
        """Name the hosts whose version stores have findings, in one sentence."""
        if not self.judged:
            return self.say_nothing()
        hosts = dict.fromkeys(each.subject.get("host", "a secondary") for each in self.judged)
        return SAID.page("summary", {"told": list(hosts)})

    def say_nothing(self) -> str:
        """Report that nothing was found."""
        return SAID.text("nothing.said", {})

    def fig_sizes(self) -> Figure:
        """Draw the version store over time, free space in tempdb, and the longest transaction."""
        return figures.sizes(self.ask(Series), "Version store of secondaries", self.host_colours)

    def tbl_growths(self) -> pd.DataFrame:
        """Return every period in which a version store grew, however little."""
        return frame(measures.SIZES, self.growths)
