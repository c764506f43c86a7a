"""health.workers: the worker threads that there may be on an instance against those that its groups need.

The need is the least that is documented for busy databases: of a primary a log capture thread for each and a
log send thread for each of its secondary databases, of a secondary a redo thread for each, but for SQL Server
2022 and later, where redo shares a pool; parallel redo, backups and the threads that the groups share come on
top. 40 threads are never the groups'.

Sources: "Prerequisites, restrictions, and recommendations for Always On availability groups" (Thread usage by
availability groups) and "Configure the max worker threads server configuration option" of Microsoft's
documentation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.measures import LIKELY
from agtrace.diagnostics.health.rows import WorkersConfigured, WorkersMost
from agtrace.diagnostics.health.standing import Standing
from agtrace.measure.starts import Start
from agtrace.measures import Measure, Measured
from agtrace.resolve.names import host_name, instance_name
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

OTHERS = 40
"""Worker threads that are not available to the groups."""
BITS_64 = ("64-bit", "X64")
FEWER_BEYOND_64 = (13, 0, 5026)
"""Before this build (2016 SP2) each processor beyond 64 added 16 threads, the same as the others."""
HALVED_FROM, HALVED_MB = 14, 2048
"""From SQL Server 2017, machines with less memory start with half of 512."""
POOLED_FROM = 16
"""From SQL Server 2022, redo of all databases shares a pool."""
MEASURED, CONFIGURED, COMPUTED = "measured", "configured", "computed"

MOST = Measure("max_workers", "worker threads, at most", "threads")
NEEDED = Measure(
    "workers_needed",
    "worker threads that busy groups need",
    "threads",
    "log capture and log send of primary databases, redo of secondary ones",
)
CREATED = Measure("workers_created", "worker threads at the most seen", "threads")


@dataclass(frozen=True)
class Most:
    """How many worker threads an instance may have, and what tells so."""

    value: int
    how: str
    source: str
    created: int | None = None
    version: tuple[int, ...] = ()

    @property
    def has_redo_threads(self) -> bool:
        """Return whether each secondary database takes a redo thread of its own, as far as that is known."""
        return bool(self.version) and self.version[0] < POOLED_FROM

    def measured(self) -> list[Measured]:
        """Return it as evidence."""
        seen = [CREATED(self.created, "sp_server_diagnostics")] if self.created else []
        return [MOST(self.value, self.source), *seen]


def version_of(start: Mapping[str, str]) -> tuple[int, ...]:
    """Return the build as numbers; empty if unknown."""
    return tuple(int(part) for part in start.get("product_version", "").split(".") if part.isdigit())


def default(processors: int, start: Mapping[str, str]) -> int | None:
    """Return the worker threads that SQL Server computes for itself; None where it may be of 32 bits."""
    version = version_of(start)
    is_64 = any(each in f"{start.get('edition', '')} {start.get('os', '')}" for each in BITS_64)
    if not version or not (is_64 or version[0] >= 13) or processors < 1:
        return None
    memory = start.get("memory_mb", "")
    is_small = version[0] >= HALVED_FROM and memory.isdigit() and int(memory) < HALVED_MB
    each = 32 if processors > 64 and version[:3] >= FEWER_BEYOND_64 else 16
    return (256 if is_small else 512) + max(0, processors - 4) * each


def most_of(
    measured: Iterable[WorkersMost],
    configured: Iterable[WorkersConfigured],
    starts: Mapping[str, Sequence[Start]],
    history: GroupHistory,
) -> dict[tuple[str, str], Most]:
    """Return how many worker threads each instance may have: as measured, else as set, else as computed.

    Parameters
    ----------
    measured, configured
        Rows of workers_most.sql and workers_configured.sql.
    """
    found: dict[tuple[str, str], Most] = {}
    versions: dict[tuple[str, str], tuple[int, ...]] = {}
    for host, own in starts.items():
        for start in own:
            key = (host, (start.instance or "").upper())
            versions[key] = version_of(start.told) or versions.get(key, ())
            count = start.told.get("logical_processors", "")
            value = default(int(count), start.told) if count.isdigit() else None
            if value:
                found[key] = Most(value, COMPUTED, start.path, version=versions[key])
    for option in configured:
        if option.most:
            key = (option.host_id, option.sql_instance.upper())
            place = history.place(option.content_id, option.line, "sp_configure")
            found[key] = Most(option.most, CONFIGURED, place, version=versions.get(key, ()))
    for row in measured:
        key = (row.host_id, row.sql_instance.upper())
        place = f"sp_server_diagnostics, {history.place(row.content_id, None)}"
        found[key] = Most(row.most, MEASURED, place, row.created, versions.get(key, ()))
    return found


def _own(most: Mapping[tuple[str, str], Most], host: str, instance: str) -> Most | None:
    """Return that of an instance; that of one without a name only where it is the host's only one."""
    if (host, instance) in most:
        return most[host, instance]
    of_host = [key for key in most if key[0] == host]
    return most[host, ""] if of_host == [(host, "")] else None


@dataclass
class Needs:
    """Worker threads that the groups of an instance need, as of the last snapshot."""

    look: Standing
    primary: int = 0
    secondary: int = 0
    primary_threads: int = 0

    def threads(self, known: Most) -> int:
        """Return the threads, on an instance of that version."""
        return self.primary_threads + (self.secondary if known.has_redo_threads else 0)


def needs(standings: Sequence[Standing]) -> dict[str, Needs]:
    """Return the needs by replica, its name in upper case."""
    replicas: dict[str, int] = defaultdict(int)
    for one in standings:
        replicas[one.ag] += 1
    found: dict[str, Needs] = {}
    for one in standings:
        databases = len({row.database for row in one.databases})
        if not one.knows or not databases:
            continue
        own = found.setdefault(one.replica.upper(), Needs(one))
        if one.is_primary:
            own.primary += databases
            own.primary_threads += databases * replicas[one.ag]
        else:
            own.secondary += databases
        if one.row.time_local > own.look.row.time_local:
            own.look = one
    return found


def workers(
    history: GroupHistory,
    standings: Sequence[Standing],
    most: Mapping[tuple[str, str], Most],
    ran_out: Collection[str],
    limits: Thresholds,
) -> list[Judged]:
    """Judge each instance whose groups need much of what there may be.

    Parameters
    ----------
    ran_out
        Hosts that wrote 35217: a finding of its own tells so.
    """
    found = []
    for replica, own in sorted(needs(standings).items()):
        host, instance = host_name(replica) or replica, instance_name(replica) or ""
        known = _own(most, host, instance)
        if known is None or host in ran_out:
            continue
        left = max(0, known.value - OTHERS)
        needed = own.threads(known)
        if not needed or needed < limits.group_workers_share * left:
            continue
        found.append(_judged(host, replica, own, own.look, known, needed, left, history))
    return found


def _judged(
    host: str,
    replica: str,
    own: Needs,
    look: Standing,
    known: Most,
    needed: int,
    left: int,
    history: GroupHistory,
) -> Judged:
    place = history.place(look.row.content_id, look.row.line, "a look")
    return Judged(
        said="workers",
        id="health.workers",
        severity="warning" if needed > left else "notice",
        subject={"host": host, "kind": "too_few"},
        window=window(look.at, look.at, is_local=look.time is None),
        evidence=(NEEDED(needed, place), *known.measured()),
        confidence=LIKELY,
        facts={
            **{"replica": replica, "at": look.at, "primary": own.primary, "secondary": own.secondary},
            **{"needed": needed, "most": known.value, "how": known.how, "left": left, "others": OTHERS},
            **{"created": known.created, "has_redo_threads": known.has_redo_threads},
        },
    )
