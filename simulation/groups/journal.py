"""What each node of a group writes down: its ERRORLOG, its event sessions, its cluster log.

Entries carry true times; `files` applies the clocks. A node that has lost power writes
nothing, and one that is starved writes late: both are said by who calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simulation.formats.xel_sessions import DDL_ACTION, DDL_PHASE, LEASE_STATE, REPLICA_ROLE, SCHEMAS
from simulation.groups import health
from simulation.groups.cast import Group, Node

Timed = tuple[float, str, dict[str, object]]
"""When (true time), the event's name, its fields."""
TO_HEALTH = frozenset({823, 1480, 9642, 26022, 35201, 35202, 35206, 35264, 35265, 41049, 41050, 41051, 41144})
"""Messages that AlwaysOn_health keeps."""


def key(schema_map: object, text: str) -> int:
    """Return the number that a map has for a text."""
    texts: dict[int, str] = schema_map.texts  # type: ignore[attr-defined]
    return next(number for number, known in texts.items() if known == text)


@dataclass(frozen=True)
class Said:
    """One entry of an ERRORLOG."""

    t: float
    source: str
    text: str
    more: tuple[str, ...] = ()


@dataclass(frozen=True)
class Still:
    """A time in which a node, or its instance alone, stood still.

    Parameters
    ----------
    is_paused
        Whether the machine was paused: its wall clock went on, its tick count did not.
    """

    host: str
    start: float
    end: float
    is_paused: bool


@dataclass
class Run:
    """One run of an instance: a file of each kind."""

    start: float
    said: list[Said] = field(default_factory=list)
    health: list[Timed] = field(default_factory=list)
    system: list[Timed] = field(default_factory=list)
    ended: float | None = None


@dataclass
class Journal:
    """All that one node writes.

    ``cluster`` holds time, level, channel and lines; ``resource`` the events of SQLDIAG, which the
    cluster's resource host writes: it outlives the instance.
    """

    group: Group
    node: Node
    runs: list[Run] = field(default_factory=list)
    cluster: list[tuple[float, str, str, tuple[str, ...]]] = field(default_factory=list)
    resource: list[Timed] = field(default_factory=list)
    stills: list[Still] = field(default_factory=list)

    @property
    def run(self) -> Run:
        return self.runs[-1]

    def says(self, t: float, source: str, text: str, *more: str, number: int = 0) -> None:
        """Write an entry; AlwaysOn_health keeps those whose ``number`` it watches."""
        self.run.said.append(Said(t, source, text, more))
        if number in TO_HEALTH:
            fields = {
                "error_number": number, "severity": 10, "state": 1, "user_defined": False,
                "category": 2, "destination": 12, "is_intercepted": False, "message": text,
            }  # fmt: skip
            self.event(t, "error_reported", fields)

    def error(self, t: float, source: str, number: int, severity: int, text: str) -> None:
        """Write an error: its numbers, its text."""
        self.says(t, source, f"Error: {number}, Severity: {severity}, State: 1.")
        self.says(t, source, text, number=number)

    def event(self, t: float, name: str, fields: dict[str, object]) -> None:
        """Write an event to AlwaysOn_health."""
        assert name in SCHEMAS, name
        self.run.health.append((t, name, fields))

    def changes(self, t: float, old: str, new: str) -> None:
        """Write a change of the replica's state to AlwaysOn_health."""
        fields = {
            "previous_state": key(REPLICA_ROLE, old),
            "current_state": key(REPLICA_ROLE, new),
            **self.ids,
            "availability_replica_id": self.node.replica_id,
            "availability_replica_name": self.node.server,
        }
        self.event(t, "availability_replica_state_change", fields)

    def ticks(self, t: float) -> int:
        """Return the machine's tick count, which stops while it is paused."""
        paused = sum(min(one.end, t) - one.start for one in self.stills if one.is_paused and one.start < t)
        return 6_611_859 + int(1000 * (t - paused))

    def lease_event(self, t: float, state: str, *, ran_out: float | None = None) -> None:
        """Write to AlwaysOn_health that the lease expired, at that moment or earlier."""
        fields = {
            "new_timeout": self.ticks(t if ran_out is None else ran_out), "current_time": self.ticks(t),
            "lease_interval": 10_000,
            "state": key(LEASE_STATE, state), **self.ids,
        }  # fmt: skip
        self.event(t, "availability_group_lease_expired", fields)

    def ddl(
        self,
        t: float,
        statement: str,
        *,
        phases: tuple[str, ...] = ("begin", "commit"),
        action: str = "alter",
    ) -> None:
        """Write a statement about the group to AlwaysOn_health, 90 ms a phase."""
        for place, phase in enumerate(phases):
            fields = {
                "ddl_action": key(DDL_ACTION, action), "ddl_phase": key(DDL_PHASE, phase),
                "statement": statement, **self.ids, "nt_username": "CORP\\dba",
                "client_hostname": "ADMIN7", "client_app_name": "Microsoft SQL Server Management Studio - "
                "Query",
            }  # fmt: skip
            self.event(t + 0.09 * place, "alwayson_ddl_executed", fields)

    @property
    def ids(self) -> dict[str, object]:
        return {"availability_group_id": self.group.group_id, "availability_group_name": self.group.name}

    def clusters(self, t: float, level: str, text: str, *more: str, channel: str = "") -> None:
        """Write an entry of the cluster log, where there is a cluster."""
        if not self.group.has_cluster:
            return
        self.cluster.append((t, level, channel, (text, *more)))

    def hadrag(self, t: float, level: str, text: str) -> None:
        """Write an entry of the resource library: to the cluster log and SQLDIAG."""
        if not self.group.has_cluster:
            return
        self.clusters(t, level, f"[RES] SQL Server Availability Group <{self.group.name}>: [hadrag] {text}")
        self.resource.append((t, "info_message", {"data": f"[hadrag] {text}", **self._instance}))

    def resource_state(self, t: float, state: str) -> None:
        """Write to SQLDIAG that the resource of the group changes its state."""
        if not self.group.has_cluster:
            return
        fields = {
            "target_state": key(health.RESOURCE_STATE, state),
            "failure_condition_level": 3,
            "availability_group_resource_id": str(self.group.resource_id),
            "availability_group_name": self.group.name,
            "instance_name": self.node.service,
        }
        self.resource.append((t, "availability_group_state_change", fields))

    def not_alive(self, t: float, reason: str) -> None:
        """Write to SQLDIAG that the group was found not alive."""
        fields = {
            "reason": key(health.ALIVE_FAILURE, reason),
            "availability_group_resource_id": str(self.group.resource_id),
            "availability_group_name": self.group.name,
            "server_name": self.node.name,
            "instance_name": self.node.service,
        }
        self.resource.append((t, "availability_group_is_alive_failure", fields))

    def component(
        self, t: float, name: str, state: str, data: str, *, hosts_group: bool, run: Run | None = None
    ) -> None:
        """Write a component's state to system_health, and to SQLDIAG if the group is hosted."""
        fields = {
            "component": key(health.COMPONENT, name.upper()),
            "state": health.STATES[state],
            "data": data,
        }
        kept = (run or self.run).system
        kept.append((t, "sp_server_diagnostics_component_result", fields))
        if hosts_group:
            shown = f"{self.group.local(self.node, t):%Y-%m-%d %H:%M:%S.%f}"[:-3]
            fields = {
                "state": health.STATES[state],
                "failure_condition_level": self.group.condition_level,
                "creation_time": shown, "component_type": "instance", "component": name,
                "state_desc": state, "data": data, **self._instance,
            }  # fmt: skip
            self.resource.append((t, "component_health_result", fields))

    def processor(self, t: float, *, sql: int, idle: int, run: Run | None = None) -> None:
        """Write a sample of the processors to system_health, as it does each minute."""
        fields = {
            "id": 0, "timestamp": 0, "process_utilization": sql, "system_idle": idle,
            "memory_utilization": 100, "page_faults": 2100,
        }  # fmt: skip
        kept = (run or self.run).system
        kept.append((t, "scheduler_monitor_system_health_ring_buffer_recorded", fields))

    @property
    def _instance(self) -> dict[str, object]:
        return {"instance_name": self.node.service, "node_name": self.node.name}
