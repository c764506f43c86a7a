"""What keeps a database from being written, read or failed over to."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.database import judge, log_full, recovered, shown
from agtrace.diagnostics.database.needs import NEEDS
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
"""Progress of a revert is traced about every five minutes; after so long without it another began."""


class Databases(Analysis):
    """Logs that were full, databases that were reverted, and those that did not recover."""

    name = "database"
    title = "Databases"
    question = "Which databases cannot be written, are being reverted or did not recover, and why?"
    order = 12
    needs = NEEDS

    @cached_property
    def judged(self) -> list[Judged]:
        """What is told of the databases, in the order of its kinds."""
        limits, rows = thresholds.of(self.view), self.view.rows
        traced = (
            rows(self.sql("traced.sql"), {"apart_s": APART_S}) if self.view.has_rows("hadr_traces") else []
        )
        has_faults = FAULTS.are_in(self.view)
        looked = rows(self.sql("looked.sql")) if LOOKS.are_in(self.view) else []
        undone = rows(self.sql("reverting.sql")) if rows(CAPTURED, {"counter": UNDO}) else []
        is_filled = has_faults or self.view.has_rows("log_growths")
        filled = rows(self.sql("full.sql"), log_full.parameters(limits)) if is_filled else []
        slow = {"least": limits.recovery_s}
        recoveries = rows(self.sql("recovered.sql"), slow) if RECOVERED.are_in(self.view) else []
        return [
            *recovered.recovered(recoveries, limits),
            *log_full.full(filled, limits),
            *shown.shown(self._shown(), limits),
            *judge.not_recovered(rows(self.sql("not_recovered.sql")) if has_faults else []),
            *judge.reverting(undone, traced, looked, limits.min_samples),
        ]

    def _shown(self) -> list[dict[str, Any]]:
        """How the log of each database stood at its last look."""
        return self.view.rows(self.sql("shown.sql")) if self.view.has_rows("databases") else []

    def findings(self) -> list[Finding]:
        return by_severity(SAID.findings(self.judged))

    def say_summary(self) -> str:
        """Say in a sentence what there is to tell."""
        if not self.judged:
            return self.say_nothing()
        return SAID.page("summary", {"told": len(self.judged)})

    def say_nothing(self) -> str:
        """Say that there is nothing to tell."""
        return SAID.text("nothing.said", {})

    def tbl_faults(self) -> pd.DataFrame:
        """Every stretch in which a database could not be written, redone or recovered.

        Returns
        -------
        pandas.DataFrame
            The relation ``database_faults``.
        """
        return self.view.table("select * from database_faults order by start_local").to_pandas()
