"""Who takes part in the life of a group: nodes with their clocks, the group, its ids.

Times of a life are true seconds since its beginning; a node's clock is applied only where a file
is written, so that every file of every node tells the same events.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import NAMESPACE_OID, UUID, uuid5


def guid(name: str) -> UUID:
    """Return the id for a name, the same in every case."""
    return uuid5(NAMESPACE_OID, f"group {name}")


@dataclass(frozen=True)
class Zone:
    """The local time of the nodes.

    Parameters
    ----------
    offset_minutes
        Local time less UTC, at the beginning.
    step_at
        When the clocks are set, true seconds; None where they are not.
    step_minutes
        By how much: 60 in spring, -60 in autumn.
    """

    offset_minutes: int = 0
    step_at: float | None = None
    step_minutes: int = 0

    def at(self, t: float) -> int:
        """Return local time less UTC at a true time, minutes."""
        stepped = self.step_at is not None and t >= self.step_at
        return self.offset_minutes + (self.step_minutes if stepped else 0)


@dataclass(frozen=True)
class Node:
    """One server of the group.

    Parameters
    ----------
    number
        Its id in the cluster, from 1.
    clock_ms
        Its clock less true time.
    instance
        Name of the instance on it that takes part; empty for the default one.
    """

    name: str
    number: int
    clock_ms: int = 0
    is_synchronous: bool = True
    instance: str = ""

    @property
    def server(self) -> str:
        """Its name as a replica."""
        return f"{self.name}\\{self.instance}" if self.instance else self.name

    @property
    def service(self) -> str:
        """The name of its instance, as the cluster's resource gives it."""
        return self.instance or "MSSQLSERVER"

    @property
    def replica_id(self) -> UUID:
        return guid(f"replica {self.server}")

    @property
    def address(self) -> str:
        return f"10.12.4.{20 + self.number}"


@dataclass(frozen=True)
class Group:
    """The group and what all its files share.

    Parameters
    ----------
    start
        When true second 0 is, UTC without zone.
    condition_level
        Which states of components let the group fail over: 3 system, 4 also resource, 5 all.
    has_cluster
        Whether a cluster watches it; a read-scale group has none.
    options
        With which options it was created, where its files tell of that.
    distributed
        The distributed group that it is a replica of, and the other group of that; empty without one.
    """

    name: str
    nodes: tuple[Node, ...]
    databases: tuple[str, ...]
    start: datetime
    zone: Zone = Zone()
    condition_level: int = 3
    has_cluster: bool = True
    options: str = ""
    distributed: tuple[str, ...] = ()

    @property
    def group_id(self) -> UUID:
        return guid(f"group {self.name}")

    @property
    def resource_id(self) -> UUID:
        return guid(f"resource {self.name}")

    def node(self, name: str) -> Node:
        return next(node for node in self.nodes if node.name == name)

    def true_time(self, t: float) -> datetime:
        """Return a moment in UTC, with zone."""
        return (self.start + timedelta(seconds=t)).replace(tzinfo=UTC)

    def utc(self, node: Node, t: float) -> datetime:
        """Return what the node's clock shows, UTC without zone."""
        return self.start + timedelta(seconds=t, milliseconds=node.clock_ms)

    def local(self, node: Node, t: float) -> datetime:
        """Return what the node's clock shows, local time."""
        return self.utc(node, t) + timedelta(minutes=self.zone.at(t))
