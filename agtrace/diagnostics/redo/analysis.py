"""What the redo of a secondary waits for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.redo import judge
from agtrace.diagnostics.redo.needs import NEEDS
from agtrace.say.finding import Finding, by_severity
from agtrace.say.said import Judged, Said

if TYPE_CHECKING:
    import pandas as pd

SAID = Said(__package__ or "")
LOCKS = ("lock_redo_blocked", {"database_name"})


class Redo(Analysis):
    """Waits of redo by their cause: readers, the table of dirty pages, the turns of its threads."""

    name = "redo"
    title = "Redo"
    question = "What does the redo of a secondary wait for?"
    order = 22
    needs = NEEDS

    @cached_property
    def judged(self) -> list[Judged]:
        """What is told of each server."""
        rows = self.view.rows
        event, fields = LOCKS
        locks = rows(self.sql("locks.sql")) if self.view.fields(event) >= fields else []
        return judge.waits(
            rows(self.sql("waited.sql")),
            rows(self.sql("behind.sql")),
            rows(self.sql("serial.sql")),
            locks,
            thresholds.of(self.view),
        )

    def findings(self) -> list[Finding]:
        return by_severity(SAID.findings(self.judged))

    def say_summary(self) -> str:
        """Say in a sentence whose redo waits."""
        if not self.judged:
            return self.say_nothing()
        return SAID.page("summary", {"told": [each.subject["host"] for each in self.judged]})

    def say_nothing(self) -> str:
        """Say that there is nothing to tell."""
        return SAID.text("nothing.said", {})

    def tbl_waits(self) -> pd.DataFrame:
        """Give what redo waited for, by server and type, while it had secondaries.

        Returns
        -------
        pandas.DataFrame
            host_id, wait_type, cause (readers, page_table, turns, idle), n, wait_ms, seconds, place.
        """
        columns = ["host_id", "wait_type", "cause", "n", "wait_ms", "seconds", "place"]
        return self.view.table(self.sql("waited.sql")).select(columns).to_pandas()
