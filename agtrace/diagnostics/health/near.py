"""Measurements and entries of hosts near a moment, for judging lost connections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.diagnostics.health.group_history import GroupHistory
from agtrace.diagnostics.health.rows import NearHealth, NearTransport
from agtrace.history import View
from agtrace.measure import usage
from agtrace.measure.platforms import LINUX, likely
from agtrace.measure.usage import Window
from agtrace.store.sql_files import beside

_sql = beside(__file__)

BEFORE, AFTER = timedelta(seconds=120), timedelta(seconds=60)
"""Time before and after a moment for which a host's load counts: session timeouts are about 10 s."""
MOST = 400
"""Most moments queried: counters are read for each."""
ENDPOINT = (1474, 9642, 9691, 9692, 28034, 28035, 28036, 28046, 28047, 28048, 28054, 28059, 28080)
"""Messages of sys.messages about the endpoint and its handshakes."""
MEASURED = ("cpu", "disk_read_ms", "disk_write_ms")

NOTHING = NearHealth(0, None, None, None)

Moment = tuple[str, datetime]
"""A host, and an instant."""


@dataclass(frozen=True)
class Near:
    """Measurements and entries of a host near a moment; None if not measured.

    Parameters
    ----------
    processors, processors_by
        The busiest sample, %, and its processor.
    disk_ms
        The longest mean time of a disk read or write of a sample of perfmon.
    tasks
        Most tasks waiting for a worker, by sp_server_diagnostics.
    threadpool_ms
        The longest wait for a worker in system_health.
    error
        The first logged error of the endpoint or of a connection set-up.
    """

    processors: float | None = None
    processors_by: str = ""
    disk_ms: float | None = None
    tasks: int | None = None
    threadpool_ms: float | None = None
    error: NearTransport | None = None


Look = Callable[[Collection[Moment]], Mapping[Moment, Near]]
"""Returns measurements and entries near moments."""


def nothing_seen(_moments: Collection[Moment]) -> Mapping[Moment, Near]:
    """Return an empty result: no capture measures any host."""
    return {}


def looker(view: View, history: GroupHistory) -> Look:
    """Return a function that reads measurements near moments from the captures of a case."""
    return lambda moments: _seen(view, history, list(moments)[:MOST])


def _seen(view: View, history: GroupHistory, moments: list[Moment]) -> Mapping[Moment, Near]:
    if not moments:
        return {}
    asked = {
        "numbers": list(range(len(moments))),
        "hosts": [host for host, _ in moments],
        "begins": [at - BEFORE for _, at in moments],
        "ends": [at + AFTER for _, at in moments],
    }
    measured: dict[tuple[int, str], float] = {}
    windows = [Window(n, at - BEFORE, at + AFTER, host=host) for n, (host, at) in enumerate(moments)]
    for one in usage.usage(view, windows, MEASURED):
        if one.host == moments[one.window][0]:
            measured[one.window, one.resource] = one.highest
    health = {row.number: row for row in view.records(NearHealth, _sql("near_health.sql"), asked)}
    transport = view.records(NearTransport, _sql("near_transport.sql"), asked | {"errors": list(ENDPOINT)})
    errors = {row.number: row for row in transport}
    found = {}
    for n, moment in enumerate(moments):
        host, row = moment[0], health.get(n, NOTHING)
        # SQL Server on Linux writes 100 or 0 whatever its machine does.
        logged = None if likely(history.platforms, host) == LINUX else row.processors
        disks = [measured[n, name] for name in MEASURED[1:] if (n, name) in measured]
        counted = measured.get((n, "cpu"))
        found[moment] = Near(
            processors=logged if counted is None else counted,
            processors_by="perfmon" if counted is not None else "system_health" if logged is not None else "",
            disk_ms=max(disks, default=None),
            tasks=row.tasks,
            threadpool_ms=row.threadpool,
            error=errors.get(n),
        )
    return found
