"""The replicas with synchronous commit, as far as the captures show."""

from __future__ import annotations

from dataclasses import dataclass

from agtrace.history.base import View
from agtrace.history.streams.byte_units import SYNCHRONOUS
from agtrace.history.streams.links import Link
from agtrace.measure import transport_counters as c
from agtrace.resolve.replicas import HostNames, same_replica
from agtrace.store.sql_files import beside
from agtrace.thresholds import Thresholds

_sql = beside(__file__)

STATED = "alwayson_ddl_executed of the AlwaysOn_health session"


@dataclass(frozen=True)
class Mode:
    """A commit mode, `SYNCHRONOUS` or `ASYNCHRONOUS`, with its source."""

    mode: str
    why: str


@dataclass(frozen=True)
class ModeStatement:
    """The commit mode of a replica in one statement or snapshot.

    Parameters
    ----------
    at
        Time in seconds of UTC; None if the offset of the host is unknown.
    is_look
        True for a snapshot, which shows the mode at that time; a statement sets it from then on.
    """

    at: float | None
    group: str
    replica: str
    mode: str
    why: str
    is_look: bool = False


@dataclass(frozen=True)
class Modes:
    """The commit modes in the captures of a case, in chronological order."""

    told: list[ModeStatement]

    def of(self, link: Link, limits: Thresholds) -> Mode | None:
        """Return the commit mode of a replica in the window of a link; None if unknown."""
        about = [
            each
            for each in self.told
            if each.group.lower() == link.ag.lower() and same_replica(each.replica, link.replica)
        ]
        told = _in_window(about, link)
        if not told:
            return _of_counters(link, limits)
        modes = {each.mode for each in told}
        if len(modes) > 1:  # It was changed within the window, or the time of the change is unknown.
            return None
        if all(each.is_look for each in told):
            # A snapshot shows one moment; commits that waited are from the window itself.
            counted = _of_counters(link, limits)
            if counted is not None and counted.mode not in modes:
                return counted
        return Mode(modes.pop(), told[-1].why)


def _in_window(told: list[ModeStatement], link: Link) -> list[ModeStatement]:
    """Return what holds in a link's window: the last before it, all within, a later snapshot.

    A statement after the window does not apply to it, nor does a snapshot after such a statement. Snapshots
    whose times cannot be compared count if no statement changed the mode.
    """
    if len(link.times) and not link.is_local:
        start, end = float(link.times[0]), float(link.times[-1])
        timed = [(each.at, each) for each in told if each.at is not None]
        before = [each for at, each in timed if at <= start]
        after = [each for at, each in timed if at > end]
        found = before[-1:] + [each for at, each in timed if start < at <= end]
        found += [each for each in after[:1] if each.is_look]
        if found:
            return found
    return told if all(each.is_look for each in told) else []


def read_modes(view: View, names: HostNames) -> Modes:
    """Return the commit modes from statements on groups, and from snapshots."""
    return Modes(
        [
            ModeStatement(
                row["time_s"],
                row["ag"],
                names.replica(row["replica"]),
                row["mode"],
                f"{row['path']}, line {row['line']}" if row["is_look"] else STATED,
                row["is_look"],
            )
            for row in (view.rows(_sql("modes.sql")) if view.has_rows("group_options") else [])
        ]
    )


def _of_counters(link: Link, limits: Thresholds) -> Mode | None:
    """Return the mode shown by commits that waited; a single other replica is the one they waited for.

    Missing waits prove nothing: commits do not wait for a synchronous replica that has fallen behind.
    """
    # A distributed group commits asynchronously by default: the group on the primary waits.
    if link.primary is None or link.group.is_distributed or len(link.group.peers(link.primary)) != 1:
        return None
    names = link.group.databases.values()
    waited = [v for db in names if (v := link.on_primary(c.MIRRORED_WRITES, db)) is not None]
    if not any(int((v > 0).sum()) >= limits.min_samples for v in waited):
        return None
    counter = f"{c.MIRRORED_WRITES[0]}\\{c.MIRRORED_WRITES[1]} on {link.primary.name}"
    return Mode(SYNCHRONOUS, f"{counter}, for the only replica")
