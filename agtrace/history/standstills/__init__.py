"""Standstills of hosts and instances: steady writers that paused and then continued late. No judgement.

A paused machine (migrated, suspended, restored) writes nothing, and its tick count stops while the wall clock
continues. A held process (by a debugger, a dump, starvation) writes nothing while its machine writes and
counts on.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.reference_clock.shifting import by_host
from agtrace.store.events import identifier
from agtrace.store.sql_files import beside
from agtrace.tables.group import STANDSTILLS
from agtrace.tables.rows import no_rows, table_of

_sql = beside(__file__)

MINUTE = "scheduler_monitor_system_health_ring_buffer_recorded"
LEASE = "availability_group_lease_expired"
OF_MACHINE = ("info_message", "availability_group_is_alive_failure", "availability_group_state_change")
"""Events that the cluster's resource writes, in a separate process."""


def make(view: View) -> dict[str, pa.Table]:
    """Return all standstills, in time order."""
    from agtrace import thresholds
    from agtrace.history.standstills.still import Late, apart_from_restarts, standstills

    limits = thresholds.of(view)
    numbers = {"least_s": limits.standstill_s, "step_s": limits.clock_step_s}
    late = view.rows(_sql("late.sql"), numbers) if view.fields(MINUTE) else []
    if "ticks" in view.filled:
        told = {row["host_id"] for row in late}
        perfmon = view.rows(_sql("late_perfmon.sql"), {"least_s": limits.standstill_s})
        late += [row for row in perfmon if row["host_id"] not in told]
    found = apart_from_restarts(
        [Late(**row) for row in late], view.rows(_sql("restarts.sql")) if late else []
    )
    if not found:
        return {"standstills": no_rows(STANDSTILLS)}
    given: dict[str, list[Any]] = {
        "place": list(range(len(found))),
        "host": [one.host_id for one in found],
        "instance": [one.sql_instance for one in found],
        "since": [min(one.before, one.time) for one in found],
        "until": [max(one.before, one.time) for one in found],
    }
    signs = view.rows(_sql("signs.sql").replace("/* written */", _written(view)), given)
    spans = {name: given[name] for name in ("place", "host", "since", "until")}
    noted = view.rows(_sql("noted.sql"), spans)
    if view.fields(MINUTE):
        noted += view.rows(_sql("others.sql"), spans)
    ticks = view.rows(_sql("ticks.sql")) if view.fields(LEASE) >= {"current_time", "new_timeout"} else []
    rows = standstills(found, signs, noted, ticks)
    return {"standstills": table_of(rows, STANDSTILLS)}


def _written(view: View) -> str:
    """Return the query over everything logged on hosts: by an instance, or beside it."""
    host = (
        "join (select content_id, min(host_id) as host_id, min(sql_instance) as sql_instance from captures "
        "group by content_id) o "
        "on o.content_id ="
    )
    found = [
        f"""select o.host_id, o.sql_instance, {name.removeprefix("events_") in OF_MACHINE} as of_machine,
            e._time as time
        from {identifier(name)} e {host} e._content_id where e._time is not null"""
        for name in sorted(view.events)
    ]
    if "errorlog" in view.filled:
        found.append(
            f"select e.host_id, o.sql_instance, false as of_machine, e.time from errorlog e {host} "
            f"e.content_id"
        )
    if "ticks" in view.filled:
        found.append(
            f"select o.host_id, null as sql_instance, true as of_machine, e.time from ticks e {host} "
            f"e.content_id"
        )
    for relation in ("cluster_log", "os_events"):
        if view.has_rows(relation):
            found.append(
                f"select host_id, null as sql_instance, true as of_machine, time from ({by_host(relation)})"
            )
    return "\nunion all\n".join(found)


MAKER = Maker(("standstills",), make, Sources(tables=("ticks",), events=(MINUTE,)))
