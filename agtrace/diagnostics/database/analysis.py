"""Databases that cannot be written, read or failed over to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.database import judge, log_full, recovered, shown
from agtrace.diagnostics.database.checks import CHECKS
from agtrace.diagnostics.database.needs import NEEDS
from agtrace.diagnostics.database.rows import (
    Full,
    NotRecovered,
    Recovered,
    Reverting,
    Shown,
    Snapshots,
    Traced,
)
from agtrace.history.base import Sources
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity
from agtrace.say.said import Judged, Said

if TYPE_CHECKING:
    import pandas as pd

SAID = Said(__package__ or "")
FAULTS, LOOKS = Sources(relations=("database_faults",)), Sources(relations=("database_states",))
RECOVERED = Sources(topics=("recovery",))
CAPTURED = "select 1 from counters where counter = $counter limit 1"
UNDO = "Log remaining for undo"
APART_S = 1800
"""Progress of a revert is traced about every five minutes; after a gap this long, another revert began."""


class Databases(Analysis):
    """Logs that were full, databases that were reverted, and those that did not recover."""

    name = "database"
    title = "Databases"
    question = "Which databases cannot be written, are being reverted or did not recover, and why?"
    order = 12
    needs = NEEDS
    checks = CHECKS

    @cached_property
    def judged(self) -> list[Judged]:
        """Return the findings on databases, in the order of their kinds."""
        limits, rows = thresholds.of(self.view), self.view.rows
        traced = self.ask(Traced, {"apart_s": APART_S}) if self.view.has_rows("hadr_traces") else []
        has_faults = FAULTS.are_in(self.view)
        snapshots = self.ask(Snapshots) if LOOKS.are_in(self.view) else []
        undone = self.ask(Reverting) if rows(CAPTURED, {"counter": UNDO}) else []
        is_filled = has_faults or self.view.has_rows("log_growths")
        filled = self.ask(Full, log_full.parameters(limits)) if is_filled else []
        slow = {"least": limits.recovery_s}
        recoveries = self.ask(Recovered, slow) if RECOVERED.are_in(self.view) else []
        return [
            *recovered.recovered(recoveries, limits),
            *log_full.full(filled, limits),
            *shown.shown(self._shown(), limits),
            *judge.not_recovered(self.ask(NotRecovered) if has_faults else []),
            *judge.reverting(undone, traced, snapshots, limits.min_samples),
        ]

    def _shown(self) -> list[Shown]:
        """Return the state of each database's log in its last snapshot."""
        return self.ask(Shown) if self.view.has_rows("databases") else []

    def findings(self) -> list[Finding]:
        return by_severity(SAID.findings(self.judged))

    def say_summary(self) -> str:
        """Summarise the results in a sentence."""
        if not self.judged:
            return self.say_nothing()
        return SAID.page("summary", {"told": len(self.judged)})

    def say_nothing(self) -> str:
        """Report that nothing was found."""
        return SAID.text("nothing.said", {})

    def tbl_faults(self) -> pd.DataFrame:
        """Every stretch in which a database could not be written, redone or recovered.

        Returns
        -------
        pandas.DataFrame
            The relation ``database_faults``.
        """
        return self.view.table("select * from database_faults order by start_local").to_pandas()
