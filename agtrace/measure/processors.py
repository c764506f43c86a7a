"""Number of processors and memory of hosts, and the distribution of load over processors.

A core here is a logical processor, the unit that Windows schedules: % Processor Time is a share of those,
so utilisation x cores x seconds is the working time, whatever the hardware behind it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from agtrace.measure.base import View, once_per_case
from agtrace.measure.counters import TOTAL
from agtrace.measure.sampler import with_sampled
from agtrace.measure.starts import in_force
from agtrace.measure.starts import starts as every_start
from agtrace.store.sql_files import beside

_sql = beside(__file__)

ERRORLOG, INSTANCES = "ERRORLOG, at the start of SQL Server", "number of Processor instances"
AGREE = 0.01
"""The mean of all processors equals that of ``_Total`` within this share: then none is left out."""
ROUNDED = 0.05
"""Percentage points by which rounding may separate the two in any case."""

MOST = 2048
"""Most logical processors that Windows supports."""

_NAME = re.compile(r"(?:[0-9]{1,4},)?[0-9]{1,4}")


@dataclass(frozen=True)
class Start:
    """Hardware of the host, as logged at a start of SQL Server.

    Parameters
    ----------
    time
        UTC; None if only ``time_local``, the host's own, is known.
    cores
        Logical processors of the machine, regardless of licence limits; None if not logged.
    memory_mb
        Memory of the machine, MB of 2^20 bytes; None if not logged.
    """

    host: str
    time: datetime | None
    time_local: datetime | None
    cores: int | None
    memory_mb: int | None


@dataclass(frozen=True)
class Cores:
    """The number of logical processors of a host, and its source."""

    count: int
    source: str


@dataclass(frozen=True)
class Machine:
    """Hardware of a host over time, from its captures; one value unless it was changed.

    Parameters
    ----------
    cores
        Logical processors; empty if unknown.
    memory_mb
        MB of 2^20 bytes; empty if in no ERRORLOG.
    """

    cores: tuple[int, ...] = ()
    memory_mb: tuple[int, ...] = ()


def machines(view: View) -> dict[str, Machine]:
    """Return every host's cores and memory, from ERRORLOGs, else the cores from Processor instances."""
    listed: dict[str, list[int]] = {}
    with_sampled(view)
    for row in view.rows(_sql("listed.sql"), {"total": TOTAL}):
        count = counted(dict(zip(row["instances"], row["means"], strict=True)))
        if count is not None:
            listed.setdefault(row["host"], []).append(count)
    known_starts = starts(view)
    found = {}
    for host in {**known_starts, **listed}:
        own = known_starts.get(host, ())
        logged_cores = [start.cores for start in own if start.cores]
        found[host] = Machine(
            _changes(logged_cores or listed.get(host, [])),
            _changes(start.memory_mb for start in own if start.memory_mb),
        )
    return found


def _changes(values: Iterable[int]) -> tuple[int, ...]:
    """Return the values without repetitions of the previous one."""
    found: list[int] = []
    for value in values:
        if not found or found[-1] != value:
            found.append(value)
    return tuple(found)


@once_per_case
def starts(view: View) -> Mapping[str, tuple[Start, ...]]:
    """Return the starts of SQL Server in each host's ERRORLOGs, in time order.

    Starts with the same hardware as the one before are left out: a log may contain thousands.
    """
    found: dict[str, list[Start]] = {}
    for each in (start for own in every_start(view).values() for start in own):
        cores, memory_mb = (_number(each.told.get(key)) for key in ("logical_processors", "memory_mb"))
        start = Start(each.host, each.time, each.time_local, cores, memory_mb)
        own = found.setdefault(start.host, [])
        if not (cores or memory_mb) or (own and start.time is not None and _is_as(own[-1], start)):
            continue
        own.append(start)
    return {host: tuple(own) for host, own in found.items()}


def logged(known: Iterable[Start], begin: datetime) -> int | None:
    """Return the cores in a host's ERRORLOGs for a period that starts at a given time.

    The last start before it counts; if there is none, or its time is unknown, all starts must agree.

    Parameters
    ----------
    begin
        UTC; without a zone the host's local time.
    """
    counts = {start.cores for start in in_force([s for s in known if s.cores], [begin])}
    return counts.pop() if len(counts) == 1 else None


def installed(known: Iterable[Start], moments: Collection[datetime]) -> list[int]:
    """Return the possible memory sizes of a host at some times, in MB, in chronological order."""
    told = in_force([start for start in known if start.memory_mb], moments)
    return list(dict.fromkeys(start.memory_mb for start in told if start.memory_mb))


def counted(means: Mapping[str, float]) -> int | None:
    """Return the number of processors with sampled load; None if some processors may be missing.

    A log may contain only some of them: they count if their numbers run from 0 without a gap, and their mean
    equals ``_Total``.

    Parameters
    ----------
    means
        % Processor Time by instance of Processor (``3``) or Processor Information (``0,3``).
    """
    own = of_cores(means)
    if not own or TOTAL not in means or not _is_gapless(own):
        return None
    apart = abs(sum(own.values()) / len(own) - means[TOTAL])
    return len(own) if apart <= max(AGREE * means[TOTAL], ROUNDED) else None


def of_cores(means: Mapping[str, float]) -> dict[str, float]:
    """Return the means of single cores, without the totals of the machine and its NUMA nodes.

    The result is empty if there are more cores than Windows supports.
    """
    own = {name: value for name, value in means.items() if _NAME.fullmatch(name)}
    return own if len(own) <= MOST else {}


def known(log: int | None, count: int | None) -> Cores | None:
    """Return the number of cores of a host; None if unknown.

    Windows lists the processors of one group only, at most 64, while the ERRORLOG has all; an ERRORLOG may be
    from a start before processors were added. The larger number is right in both cases.
    """
    if count is not None and (log is None or count > log):
        return Cores(count, INSTANCES)
    return Cores(log, ERRORLOG) if log is not None else None


def core_order(name: str) -> tuple[int, int]:
    """Sort cores by number: "2" before "10", "0,9" before "1,0"."""
    node, _, number = name.rpartition(",")
    return int(node or 0), int(number)


def _is_as(one: Start, other: Start) -> bool:
    return (one.cores, one.memory_mb) == (other.cores, other.memory_mb)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 10 else None


def _is_gapless(names: Collection[str]) -> bool:
    nodes: dict[int, set[int]] = {}
    for name in names:
        node, number = core_order(name)
        nodes.setdefault(node, set()).add(number)
    parts = [nodes.keys(), *nodes.values()]
    return all(set(part) == set(range(len(part))) for part in parts)
