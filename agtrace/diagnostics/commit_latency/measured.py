"""The commits of a database and a replica, measured: percentiles, hops, and which of them dominates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

import numpy as np

from agtrace import thresholds
from agtrace.diagnostics.commit_latency.rows import CommitWaits, Common, Counted, Hops, Links, Waits
from agtrace.history import View
from agtrace.measure.statistics import least_squares
from agtrace.store.sql_files import beside

REMOTE_HARDEN = "remote harden"
PATH = (
    "capture",
    "compression",
    "send",
    "network",
    "receive",
    "decompression",
    REMOTE_HARDEN,
    "acknowledgement",
)
"""The hops from the first event of a block to its acknowledgement, in order."""
LOCAL = "local harden"
REMOTE = "remote"
OUTLASTING = "outlasting"
FEWEST = 3
"""Fewest intervals of a capture that are drawn as a line."""
QUANTILES = ("p50", "p95", "p99")
COMMIT = "hadr_db_commit_mgr_harden"
"""The event for the wait of a commit."""

_sql = beside(__file__)


@dataclass(frozen=True)
class Spread:
    """A mean in ms, with the percentiles of `QUANTILES` and the mean among the slowest commits."""

    n: int
    mean: float
    quantiles: tuple[float, ...]
    slow_mean: float | None = None


class Drift(NamedTuple):
    """The drift between the clocks of both hosts, and half the width of its interval."""

    ms_per_h: float | None = None
    error_ms_per_h: float | None = None


@dataclass(frozen=True)
class Link:
    """The path of a database's log to one replica.

    Parameters
    ----------
    hops
        Measurements of each hop; with both sides captured, over joined blocks.
    commit
        The whole commit; None if the primary was not captured.
    wait
        The wait of each commit; None if no such event was captured.
    outlasting
        How much longer the local flush takes than the way there and back; None if unknown.
    common
        Of the slowest 1 % of the commits; None if the primary was not captured.
    early_share
        Commits that continue before the acknowledgement in more than this share of blocks do not wait for it.
    is_awaited
        Whether a capture shows commits that waited for it, or could have: a snapshot with synchronous commit,
        or waits in events; wait statistics or counters count if no other replica is possible.
    """

    row: Links
    hops: Mapping[str, Spread]
    commit: Spread | None
    wait: Spread | None
    outlasting: Spread | None
    common: Common | None
    early_share: float
    drift: Drift
    is_awaited: bool = True

    @property
    def key(self) -> str:
        """Return its key in queries."""
        return f"{self.row.group_database_id} {self.row.replica_id}"

    @property
    def ag(self) -> str:
        return self.row.ag or ""

    @property
    def database(self) -> str:
        return self.row.database or self.row.group_database_id

    @property
    def replica(self) -> str:
        return self.row.replica or self.row.replica_id or ""

    @property
    def blocks(self) -> int:
        return self.row.blocks

    @property
    def is_joined(self) -> bool:
        return self.row.is_joined

    @property
    def start(self) -> datetime:
        return self.row.start

    @property
    def end(self) -> datetime:
        return self.row.end

    @property
    def one_way(self) -> float | None:
        """How far ahead the replica's clock is if the way there takes all of the time on the wire, ms."""
        skew, spread = self.row.skew_ms, self.row.spread_ms
        return None if skew is None or spread is None else skew - spread

    @property
    def is_drifting(self) -> bool:
        """Return whether the clocks measurably drift apart."""
        drift, error = self.drift
        return drift is not None and error is not None and abs(drift) > error

    @property
    def waits_not(self) -> str:
        """Return why commits do not wait for this replica; "" if they do, or may."""
        if self.row.commit_mode == "asynchronous":
            return "it commits asynchronously"
        watched, early = self.row.watched, self.row.early
        if self.row.commit_mode is None and watched and early > self.early_share * watched:
            return f"{early} of {watched} blocks were committed before it had acknowledged them"
        if not self.is_awaited:
            primary = self.row.primary_host or "its primary"
            return f"nothing captured of {primary} shows a commit that waited for it"
        return ""

    def is_of(self, other: Link) -> bool:
        """Return whether two links are of the same database."""
        return self.row.group_database_id == other.row.group_database_id

    @property
    def waiting_ms(self) -> float:
        """How long a block's commits wait on average for this replica, after their local flush."""
        return self.row.waiting_ms or 0.0

    def share(self, hop: str) -> float | None:
        """Return a hop's share of the mean commit, in percent."""
        if self.commit is None or not self.commit.mean > 0:
            return None
        if hop != LOCAL:
            return 100 * self.hops[hop].mean / self.commit.mean
        return 100 * self.outlasting.mean / self.commit.mean if self.outlasting else 0.0

    @property
    def dominant(self) -> str | None:
        """Return the dominant hop; None if the primary was not captured."""
        return self._largest(lambda spread: spread.mean)

    @property
    def dominant_among_slow(self) -> str | None:
        """The hop with the largest mean among the slowest 1 % of the commits."""
        return self._largest(lambda spread: spread.slow_mean)

    def _largest(self, of: Callable[[Spread], float | None]) -> str | None:
        whole = None if self.commit is None else of(self.commit)
        if whole is None:
            return None
        # The end is known, but the start need not be: then the duration is unknown.
        local = self.outlasting if LOCAL in self.hops else None
        outlasts = None if local is None else of(local)
        if outlasts is not None and outlasts > whole / 2:
            return LOCAL
        means = {hop: of(spread) for hop, spread in self.hops.items() if hop != LOCAL}
        ways = {hop: mean for hop, mean in means.items() if mean is not None}
        return max(ways, key=ways.__getitem__) if ways else None


def _drift(hours: Sequence[float] | None, ahead: Sequence[float] | None) -> Drift:
    """Return the slope of the clocks' difference; None with too few moments."""
    if hours is None or ahead is None or len(hours) < FEWEST:
        return Drift()
    # About their middle: hours since 1970 would drown the difference in rounding.
    away = np.array(hours) - np.mean(hours)
    found = least_squares(np.column_stack([np.ones(len(away)), away]), np.array(ahead)).interval(1)
    return Drift(found.value, None if found.high is None else found.high - found.value)


def links(view: View) -> list[Link]:
    """Return measurements of every database and replica with captured blocks."""
    found = view.records(Links, _sql("links.sql"))
    if not found:
        return []
    spreads = {
        (row.group_database_id, row.replica_id, row.hop): _spread(row, row.slow_mean)
        for row in view.records(Hops, _sql("hops.sql"))
    }
    waits = {
        row.group_database_id: _spread(row) for row in view.records(CommitWaits, _sql("commit_waits.sql"))
    }
    early_share = thresholds.of(view).commit_early_share
    common = {
        (row.group_database_id, row.replica_id): row for row in view.records(Common, _sql("common.sql"))
    }
    made = [
        _link(row, spreads, waits, common.get((row.group_database_id, row.replica_id)), early_share)
        for row in found
    ]
    return [replace(link, is_awaited=_is_awaited(view, link, made)) for link in made]


def _spread(row: Hops | CommitWaits, slow_mean: float | None = None) -> Spread:
    return Spread(row.n, row.mean, tuple(row.quantiles), slow_mean)


def counted(view: View, link: Link) -> Counted:
    """Return the waits of a database's transactions in the primary's counters."""
    given = {"start": link.start, "end": link.end, "host": link.row.primary_host, "database": link.database}
    (row,) = view.records(Counted, _sql("counted.sql"), given)
    return row


def _is_awaited(view: View, link: Link, links: Iterable[Link]) -> bool:
    """Return whether commits are shown to wait for a replica; unknown for a replica alone."""
    limits = thresholds.of(view)
    if not link.row.has_primary or link.row.commit_mode is not None:
        return True
    if link.wait is not None and link.wait.n >= limits.min_samples:
        return True
    if any(other is not link and other.is_of(link) and not other.waits_not for other in links):
        return False
    stated = (row.n for row in view.records(Waits, _sql("waits.sql")) if row.host_id == link.row.primary_host)
    if any(n is not None and n >= limits.min_samples for n in stated):
        return True
    row = counted(view, link)
    return bool(row.mean) and row.n >= limits.usage_samples


def _link(
    row: Links,
    spreads: Mapping[tuple[str, str | None, str], Spread],
    waits: Mapping[str, Spread],
    common: Common | None,
    early_share: float,
) -> Link:
    key = (row.group_database_id, row.replica_id)
    names = (*PATH, LOCAL) if row.is_joined else _of_one_side(row)
    hops = {hop: spread for hop in names if (spread := spreads.get((*key, hop))) is not None}
    commit = spreads.get((*key, "commit")) if row.has_primary else None
    wait = waits.get(row.group_database_id) if row.has_primary else None
    outlasting, drift = spreads.get((*key, OUTLASTING)), _drift(row.drift_hours, row.drift_ahead)
    return Link(row, hops, commit, wait, outlasting, common, early_share, drift)


def _of_one_side(row: Links) -> tuple[str, ...]:
    """Return the hops that one side can see whole."""
    if row.has_primary:
        return ("capture", "compression", "send", REMOTE, LOCAL)
    return ("receive", "decompression", "remote harden")
