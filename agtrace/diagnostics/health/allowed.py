"""Limits of the cluster for a group: failures within a period, and possible owner nodes.

Sources: Microsoft documentation, "Flexible automatic failover policy", "Get-ClusterGroup" (FailoverThreshold,
FailoverPeriod) and "Get-ClusterOwnerNode"; for the cluster's count of failures docs/formats/cluster_log.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from agtrace.diagnostics.health.group_history import GroupHistory, amount
from agtrace.diagnostics.health.not_failed_over import Reason
from agtrace.diagnostics.health.rows import ReadinessMembers, Settings, Timeline
from agtrace.diagnostics.health.standing import Standing
from agtrace.measures import quoted
from agtrace.resolve.names import host_name, same_host

PERIOD = timedelta(hours=6)
"""Default period in which the cluster counts failures of a role against its threshold."""
NO_LIMIT = 1_000
"""A FailoverThreshold from here on is the default: the limit then depends on the number of nodes."""
SETTINGS = ("FailoverThreshold", "FailoverPeriod")
OWNER_NODES = "owner_nodes"


@dataclass(frozen=True)
class Cluster:
    """Captured settings of the cluster, besides the snapshots of its replicas.

    Parameters
    ----------
    members
        Rows of readiness_members.sql.
    settings
        Rows of settings.sql.
    """

    members: Sequence[ReadinessMembers] = ()
    settings: Sequence[Settings] = ()

    def setting(self, scope: str, item: str, name: str) -> Settings | None:
        """Return a setting of a group or resource, if captured."""
        return self._by_name.get((scope, item.upper(), name))

    @cached_property
    def _by_name(self) -> dict[tuple[str, str, str], Settings]:
        return {(row.scope, (row.item or "").upper(), row.setting): row for row in self.settings}

    def allowed(self, ag: str) -> tuple[Settings | None, int | None, timedelta]:
        """Return how many failures of a role the cluster allows, and over how long it counts them."""
        limit, hours = (self.setting("group", ag, name) for name in SETTINGS)
        value = int(limit.value) if limit and str(limit.value).isdigit() else NO_LIMIT
        period = int(hours.value) if hours and str(hours.value).isdigit() else 0
        is_set = limit is not None and value < NO_LIMIT
        return limit, value if is_set else None, timedelta(hours=min(period, NO_LIMIT)) or PERIOD


def counted(one: Standing, cluster: Cluster, history: GroupHistory) -> Iterator[Reason]:
    """Return the obstacle of the cluster's failure count: reported as such, or its limit is used up."""
    limit, most, period = cluster.allowed(one.ag)
    if (at := one.time) is None:
        return

    def last(kind: str) -> Timeline | None:
        own = history.kinds_of_group.of(kind, one.ag)
        near = [event for event in own if timedelta() <= at - event.time <= period]
        return near[-1] if near else None

    hours = period.total_seconds() / 3600
    if event := last("threshold_reached"):
        facts = {"count": event.value, "since": event.time, "hours": hours}
        yield Reason("threshold", (history.entry(event),), facts)
        return
    event = last("group_moved")
    if limit is None or most is None or event is None or amount(event) < most:
        return
    place = history.place(limit.content_id, limit.line, "settings")
    shown = (history.entry(event), quoted("FailoverThreshold", limit.value, place))
    facts = {"count": event.value, "since": event.time, "hours": hours, "most": most}
    yield Reason("spent", shown, facts)


def not_owned(one: Standing, node: str, cluster: Cluster, history: GroupHistory) -> Iterator[Reason]:
    """Yield the reason of a node that cannot own its group."""
    owners = cluster.setting("resource", one.ag, OWNER_NODES)
    if owners is None:
        return
    names = [name.strip() for name in str(owners.value).split(",")]
    # If its primary is not among them either, it is a group of the same name in another cluster.
    first = one.primary and (host_name(one.primary.node) or host_name(one.primary.replica))
    if not any(same_host(host_name(name) or "", first or "") for name in names):
        return
    if not any(same_host(host_name(name) or "", node) for name in names):
        place = history.place(owners.content_id, owners.line, "settings")
        shown = (quoted(f"possible owners of {one.ag}", owners.value, place),)
        yield Reason("not_owner", shown, {"owner": node, "owners": names})
