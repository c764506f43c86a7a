"""Commit latency: per database and replica, hop by hop, and whether the captures agree."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from agtrace import thresholds
from agtrace.diagnostics.base import Analysis
from agtrace.diagnostics.commit_latency import figures, judge, tables, waiting
from agtrace.diagnostics.commit_latency.beside import Beside, beside, samples
from agtrace.diagnostics.commit_latency.checks import CHECKS
from agtrace.diagnostics.commit_latency.judge import contradictions
from agtrace.diagnostics.commit_latency.measured import Link, links
from agtrace.diagnostics.commit_latency.needs import NEEDS
from agtrace.diagnostics.commit_latency.rows import Explained, Groups, OverTime, Waited
from agtrace.measures import frame
from agtrace.replay.columns import COMMITS
from agtrace.say.finding import Finding
from agtrace.say.said import Said
from agtrace.tables.wait_types import that_explain

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    from plotly.graph_objects import Figure

    from agtrace.replay.outcome import WhatIf

SAID = Said(__package__ or "")
SHOWN_STRETCHES = 12
"""Intervals of waits described on a page: those in which commits waited longest."""


class CommitLatency(Analysis):
    """Percentiles of commits and of every hop, the hop that dominates, and sources that disagree."""

    name = "commit_latency"
    title = "Commit latency"
    question = "What does a commit wait for: which hop, on which side, and what would shorten it?"
    order = 25
    needs = NEEDS
    checks = CHECKS
    measures = tuple(dict.fromkeys((*tables.MEASURES, *waiting.COLUMNS, *COMMITS)))

    @cached_property
    def links(self) -> list[Link]:
        """Return every database and replica with captured blocks."""
        return links(self.view)

    @cached_property
    def judged(self) -> list[Link]:
        """Return the links that commits wait for, with enough blocks and at least one measurement."""
        least = thresholds.of(self.view).min_samples
        return [
            link
            for link in self.links
            if not link.waits_not and link.blocks >= least and (link.hops or link.commit)
        ]

    @cached_property
    def waited(self) -> list[Waited]:
        """Return the wait statistics of servers whose commits waited for replicas often enough."""
        return self.ask(Waited, {"least": thresholds.of(self.view).min_samples})

    @cached_property
    def groups(self) -> dict[str, str]:
        """Return the group whose primary is on each host; empty if there are several."""
        return {row.host_id: row.ag for row in self.ask(Groups)}

    @cached_property
    def explained(self) -> list[Explained]:
        """Return the waits of each server that explain commits, between snapshots, with the queue."""
        return self.ask(Explained, that_explain("commit"))

    @cached_property
    def stretches(self) -> list[waiting.Stretch]:
        """Return intervals of consecutive snapshots whose waits have the same explanation."""
        return waiting.stretches(self.explained, thresholds.of(self.view))

    @cached_property
    def _samples(self) -> pa.Table:
        """Return samples of both hosts of each link over its time."""
        return samples(self.view, self._whole)

    @property
    def _whole(self) -> list[Link]:
        """Return the links whose whole commits were captured."""
        return [link for link in self.judged if link.commit is not None]

    @cached_property
    def beside(self) -> dict[str, list[Beside]]:
        """Return resources that were busy at slow commits and at other commits, by link."""
        if not self._whole:
            return {}
        return beside(self.view, self._whole, self._samples)

    def findings(self) -> list[Finding]:
        found = [judge.latency(link) for link in self.judged]
        limits = thresholds.of(self.view)
        for link in self.judged:
            others = [other for other in self.judged if other is not link and other.is_of(link)]
            busy = [each for each in self.beside.get(link.key, []) if each.is_told(limits)]
            if (hop := judge.hop(link, others, busy, limits)) is not None:
                found.append(hop)
        if not self._whole:
            found += [judge.waits(row, self.groups.get(row.host, ""), self.stretches) for row in self.waited]
        return SAID.findings([*found, *contradictions(self.view, self.judged, self.groups)])

    def say_summary(self) -> str:
        """Describe in Markdown how long commits take, and why."""
        left_out = [link for link in self.links if link.waits_not]
        waited = [] if self._whole else self.waited
        return SAID.page("summary", {"judged": self.judged, "left_out": left_out, "waited": waited})

    def say_waits(self) -> str:
        """Describe in Markdown how wait statistics explain commits and the send queue, and when."""
        longest = sorted(self.stretches, key=lambda each: -each.waited_ms)[:SHOWN_STRETCHES]
        told = [each for each in self.stretches if each in longest]
        return SAID.page(
            "waits", {"told": told, "more": len(self.stretches) - len(told), "seen": bool(self.explained)}
        )

    def tbl_waits(self) -> pd.DataFrame:
        """Return every interval of wait statistics: its waits, the send queue, the explanation."""
        return frame(waiting.COLUMNS, waiting.table(self.explained, thresholds.of(self.view)))

    def fig_waits(self) -> Figure:
        """Draw the mean waits of commits and of the log over time, and the send queue below."""
        return figures.waits(waiting.table(self.explained, thresholds.of(self.view)))

    @cached_property
    def _estimates(self) -> list[WhatIf]:
        """Return estimates for changes that shorten commits, by replica, the slowest hop's remedy first."""
        from agtrace.replay import offers
        from agtrace.replay.limits import Beside as KnownBeside
        from agtrace.replay.what_if import blocks_of, what_if

        limits, found = thresholds.of(self.view), []
        for link in {link.replica: link for link in reversed(self._whole)}.values():
            blocks = blocks_of(self.view, link.replica)
            for change in offers.of_commits(link.dominant) if blocks is not None else []:
                found.append(what_if(link.replica, None, KnownBeside(), blocks, change, limits))
        return found

    def say_what_if(self) -> str:
        """Return the estimated commit times after a change, in Markdown."""
        from agtrace.replay import outcome as estimates

        return estimates.of_commits(self._estimates, thresholds.of(self.view))

    def tbl_what_if(self) -> pd.DataFrame:
        """Return one row per replica and change: estimated commit times with their band."""
        from agtrace.replay import figures as replays

        return replays.commits(self._estimates)

    def fig_waterfall(self) -> Figure:
        """Draw the hops of the median commit and of the slowest 1 %, one after the other."""
        return figures.waterfall(self.judged)

    def fig_percentiles(self) -> Figure:
        """Draw p50, p95 and p99 of commits over time."""
        return figures.over_time(self.ask(OverTime))

    def fig_hops(self) -> Figure:
        """Draw the distribution of each hop."""
        return figures.hops(self.judged)

    def tbl_hops(self) -> pd.DataFrame:
        """Return n, mean, percentiles and share of each hop."""
        return tables.hops(self.links)

    def tbl_slow(self) -> pd.DataFrame:
        """Return the slowest commits with their time, their hops, and the busy resources."""
        return self.view.table(self.sql("slow.sql"), given={"commit_samples": self._samples}).to_pandas()

    def tbl_beside(self) -> pd.DataFrame:
        """Return busy resources during slow commits and during other commits."""
        return tables.beside(self._whole, self.beside)

    def tbl_blocks(self) -> pd.DataFrame:
        """Return how many blocks were joined, and why the others could not be."""
        return self.view.table(self.sql("unjoined.sql")).to_pandas()
