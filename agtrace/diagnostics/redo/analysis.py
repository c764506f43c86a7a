"""Waits of redo on a secondary."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.redo import judge, threads
from agtrace.diagnostics.redo.checks import CHECKS
from agtrace.diagnostics.redo.needs import NEEDS
from agtrace.diagnostics.redo.rows import Behind, Blockers, Locks, Objects, Serial, Snapshots, Threads, Waited
from agtrace.history.base import Sources
from agtrace.measures import Measure, frame
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity
from agtrace.say.said import Judged, Said
from agtrace.tables.records import R
from agtrace.tables.wait_types import that_explain

if TYPE_CHECKING:
    import pandas as pd

SAID = Said(__package__ or "")
POOLS = Sources(topics=("parallel_redo",))
"""Messages about the threads of parallel redo."""
WAITS = (
    *map(Measure, ("host_id", "wait_type", "cause", "n")),
    Measure("wait_ms", "waited", "ms", "all tasks together"),
    Measure("seconds", "wait statistics over", "s"),
    Measure("place"),
)
BLOCKERS = (
    *map(Measure, ("host_id", "session_id", "client", "program", "login", "statement", "databases", "looks")),
    Measure("longest_s", "redo waited for it, longest", "s"),
    Measure("open_s", "its transaction open", "s"),
    *map(Measure, ("start", "end", "place")),
)


class Redo(Analysis):
    """Waits of redo by their cause: readers, the table of dirty pages, the turns of its threads."""

    name = "redo"
    title = "Redo"
    question = "What does the redo of a secondary wait for?"
    order = 22
    needs = NEEDS
    checks = CHECKS
    measures = tuple(dict.fromkeys((*WAITS, *BLOCKERS)))

    @cached_property
    def waited(self) -> list[Waited]:
        """Return the waits of redo, by server and type."""
        return self._of(Waited, "waits", that_explain("redo"))

    @cached_property
    def blockers(self) -> list[Blockers]:
        """Return the sessions that held the locks that redo waited for, by server."""
        return self._of(Blockers, "blocked_redo")

    def _of(self, kind: type[R], relation: str, given: dict[str, Any] | None = None) -> list[R]:
        """Return the rows of a query over a relation that most cases lack."""
        return self.ask(kind, given) if self.view.has_rows(relation) else []

    @cached_property
    def judged(self) -> list[Judged]:
        """Return the findings on each server."""
        pools = self.ask(Threads) if POOLS.are_in(self.view) else []
        looks = self._of(Snapshots, "hadr_requests", that_explain("redo"))
        found = judge.beside_snapshots(self._waits, looks)
        told = {each.subject["host"] for each in found}
        return [*found, *judge.of_snapshots(looks, told), *threads.used_up(pools)]

    @property
    def _waits(self) -> list[Judged]:
        """Return findings on waits of redo; related rows are queried only if there are waits."""
        if not self.waited and not self.blockers:
            return []
        locked = self.view.has_rows("redo_locks")
        beside = judge.Beside(
            behind=self.ask(Behind),
            serial=self.ask(Serial),
            locks=self.ask(Locks) if locked else (),
            objects=self.ask(Objects) if locked else (),
            blockers=self.blockers,
        )
        return judge.waits(self.waited, beside, thresholds.of(self.view))

    def missing(self) -> list[str]:
        """Return the missing input; a snapshot of a blocker, or a log, suffices without waits."""
        return [] if self.judged else super().missing()

    def findings(self) -> list[Finding]:
        return by_severity(SAID.findings(self.judged))

    def say_summary(self) -> str:
        """Name the hosts whose redo waits, in one sentence."""
        if not self.judged:
            return self.say_nothing()
        return SAID.page("summary", {"told": [each.facts["host"] for each in self.judged]})

    def say_nothing(self) -> str:
        """Report that nothing was found."""
        return SAID.text("nothing.said", {})

    def tbl_waits(self) -> pd.DataFrame:
        """Return the waits of redo, by server and type, while the server had secondaries.

        Returns
        -------
        pandas.DataFrame
            host_id, wait_type, cause (readers, page_table, turns, idle), n, wait_ms, seconds, place.
        """
        return frame(WAITS, self.waited)

    def tbl_blockers(self) -> pd.DataFrame:
        """Return the sessions that blocked redo: their host, the duration, and their statements."""
        return frame(BLOCKERS, self.blockers)
