"""Whether the old primary hardened log that the new one never received, from the logs of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.history.hardened import Hardened
from agtrace.history.timed import Instants
from agtrace.measures import Measured, quoted
from agtrace.say.said import Judged

EDGE = timedelta(seconds=5)
"""The new primary logs the position of its databases this near a failover."""
WRITTEN_LATE = timedelta(minutes=30)
"""The old primary may log it this long after a failover, if it did not run."""


@dataclass(frozen=True)
class Compared:
    """A database on both sides of a failover.

    Parameters
    ----------
    ahead
        Bytes of log on the old primary that the new one never received; 0: none, None: more than one
        virtual log file, or an unknown part of it.
    """

    database: str
    old: Hardened
    new: Hardened
    ahead: int | None

    @property
    def is_ahead(self) -> bool:
        """Return whether the old primary has log that the new one never received."""
        return self.old.lsn > self.new.lsn


@dataclass(frozen=True)
class Change:
    """A change of primary, by the reference clock."""

    ag: str
    old: str
    new: str
    start: datetime
    end: datetime


def compared(change: Change, history: GroupHistory) -> list[Compared]:
    """Return the databases whose hardened LSNs were logged on both sides of a change, ordered by name."""
    old_host, new_host, start, end = change.old, change.new, change.start, change.end
    if not old_host or not new_host or old_host == new_host:
        return []
    following = history.begins_of_group.get(change.ag, Instants()).after(end)
    until = min(end + WRITTEN_LATE, following or end + WRITTEN_LATE)
    # The old primary's first entry counts: later it may have received log from the new one.
    old = _first(history.hardened_of.between(start - EDGE, until, old_host))
    new = _first(reversed(history.hardened_of.between(start - EDGE, end + EDGE, new_host)))
    return [
        Compared(name, old[name], new[name], _ahead(old[name], new[name]))
        for name in sorted(old.keys() & new)
    ]


def evidence(found: Iterable[Compared], history: GroupHistory) -> list[Measured]:
    """Return the hardened LSN of each database on both sides."""
    return [
        quoted(
            f"hardened LSN of {one.database} on {each.host_id}",
            str(each.lsn),
            history.place(each.content_id, each.line),
        )
        for one in found
        for each in (one.old, one.new)
    ]


def facts(change: Change, found: Sequence[Compared]) -> dict[str, object]:
    """Return the values used in texts: the compared databases, and those that are ahead."""
    return {
        "old": change.old,
        "new": change.new,
        "compared": [one.database for one in found],
        "ahead": [{"database": one.database, "bytes": one.ahead} for one in found if one.is_ahead],
    }


def completed(judged: Judged, change: Change, history: GroupHistory) -> Judged:
    """Return a finding with the hardened LSNs of both sides added."""
    found = compared(change, history)
    return replace(
        judged,
        evidence=(*judged.evidence, *evidence(found, history)),
        facts={**judged.facts, "divergence": facts(change, found)},
    )


def _first(rows: Iterable[Hardened]) -> dict[str, Hardened]:
    found: dict[str, Hardened] = {}
    for one in rows:
        found.setdefault(one.database, one)
    return found


def _ahead(old: Hardened, new: Hardened) -> int | None:
    return old.lsn.bytes_after(new.lsn) if old.lsn > new.lsn else 0
