"""How far distributed availability groups and managed instance links are behind."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.distributed import judge
from agtrace.diagnostics.distributed.checks import CHECKS
from agtrace.diagnostics.distributed.hops import HOPS, Hop, hops, is_still, lag_of
from agtrace.diagnostics.distributed.needs import NEEDS
from agtrace.diagnostics.distributed.rows import Links, Looks, Streams
from agtrace.measures import Measure, frame
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity
from agtrace.say.said import Said

if TYPE_CHECKING:
    import pandas as pd
    from plotly.graph_objects import Figure

SAID = Said(__package__ or "")


class Distributed(Analysis):
    """The chain from the global primary over the forwarder to its replicas, hop by hop."""

    name = "distributed"
    title = "Distributed groups"
    question = "How far is a distributed availability group or managed instance link behind, hop by hop?"
    order = 24
    needs = NEEDS
    checks = CHECKS
    measures: ClassVar[tuple[Measure, ...]] = HOPS

    @cached_property
    def links(self) -> dict[str, bool]:
        """The distributed groups of the case: whether each is the link of a managed instance."""
        return {row.dag: row.is_link for row in self.ask(Links)}

    @cached_property
    def hops(self) -> list[Hop]:
        """Return every hop with a captured queue, in the order of the chain."""
        if not self.links:
            return []
        idle = thresholds.of(self.view).idle_log_bytes_per_s
        return hops(self.ask(Streams, {"idle": idle}), self.ask(Looks))

    def missing(self) -> list[str]:
        """Report a missing distributed group, or missing data on how far one is behind."""
        if not self.links:
            return [SAID.text("open.none", {})]
        if not self.hops:
            return [SAID.text("open.unseen", {"names": list(self.links)})]
        return []

    def findings(self) -> list[Finding]:
        limits = thresholds.of(self.view)
        return by_severity(SAID.findings(judge.lags(self.hops, self.links, limits)))

    def say_summary(self) -> str:
        """Describe each chain in a sentence, in Markdown."""
        if not self.links:
            return self.say_nothing()
        chains = []
        for dag, is_link in self.links.items():
            own = [hop for hop in self.hops if hop.dag == dag]
            longest = judge.longest(own)
            told = [{"name": hop.name, "lag": hop.lag, "is_still": is_still(hop.worst)} for hop in own]
            chains.append(
                {
                    "dag": dag,
                    "is_link": is_link,
                    "hops": told,
                    "longest": longest and longest.name,
                    "forwards": any(not hop.is_between for hop in own),
                    "arrives": any(hop.is_between for hop in own),
                }
            )
        return SAID.page("summary", {"chains": chains})

    def say_nothing(self) -> str:
        """Report a missing distributed group."""
        return SAID.text("open.none", {}) if not self.links else ""

    def tbl_hops(self) -> pd.DataFrame:
        """Return how far each hop and database is behind, by perfmon, else the last snapshot.

        Returns
        -------
        pandas.DataFrame
            The measures of a hop.
        """
        return frame(HOPS, self._rows())

    def fig_queues(self) -> Figure:
        """Draw the log that waits before each hop over time, all its databases added up."""
        from agtrace.diagnostics.distributed.figures import queues

        return queues(self.view, [hop for hop in self.hops if hop.seen])

    def _rows(self) -> Iterator[dict[str, object]]:
        for hop in self.hops:
            for row in hop.rows:
                yield {
                    "hop": hop.name,
                    "database": row.database,
                    "lag_s": lag_of(row),
                    "lag_max_s": row.lag_max_s if isinstance(row, Streams) else None,
                    "send_queue_bytes": row.queue,
                    "received_bytes_per_s": row.rate,
                    "recovery_queue_bytes": row.redo_queue,
                }
