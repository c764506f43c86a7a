"""How failovers, their triggers, causes and witnesses are worded. Plain text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from agtrace.diagnostics.health.on_linux import REMEDIES as ON_LINUX
from agtrace.diagnostics.health.told import Told
from agtrace.measure.platforms import LINUX
from agtrace.resolve.names import host_name
from agtrace.say import words

moment, clock = words.instant, words.clock

OPEN = "open"
SURE = 0.6
"""Below this a cause is not told as one: what happened is, and the cause is called likely or open."""

TRIGGERS = {
    "ddl_failover": "somebody asked for the failover (ALTER AVAILABILITY GROUP .. FAILOVER)",
    "cluster_move": "the role was moved in the cluster",
    "node_drained": "the node was shut down or paused, and its groups moved away first",
    "ddl_forced": "somebody forced the failover (FORCE_FAILOVER_ALLOW_DATA_LOSS)",
    "lease_expired": "the lease was not renewed in time",
    "health_timeout": "sp_server_diagnostics gave no sign within the health check timeout",
    "health_error": "sp_server_diagnostics reported an error",
    "quorum_lost": "the node of the primary lost quorum",
    "node_down": "the node of the primary was gone",
    "instance_stopped": "the instance of the primary was stopped",
    "instance_died": "the process of the primary ended without a word",
    "database_failed": "a database of the group failed",
    "standstill": "the primary stood still",
}
CAUSES = TRIGGERS | {
    "cpu_starvation": "the processors of the primary were busy",
    "long_io": "reads and writes of the primary took longer than 15 seconds",
    "memory_pressure": "the primary was short of memory",
    "dump": "the primary wrote a memory dump",
    "network": "the network between the nodes failed",
}
SWITCHED = "somebody switched the roles: the old primary was demoted first, then the other replica forced"
EITHER = "a statement on the new primary asked for the failover, or forced it"
MODES = {
    "planned": "planned failover",
    "automatic": "automatic failover",
    "forced": "forced failover",
    "open": "failover",
}
REMEDIES = {
    "ddl_failover": "Nothing to mend. Who asked for it stands in the evidence where it was captured.",
    "cluster_move": "Nothing to mend. Move a group with ALTER AVAILABILITY GROUP .. FAILOVER rather than with the cluster's "
    "tools, which do not ask whether the secondary is synchronised.",
    "node_drained": "Nothing to mend. Fail over by hand before the node is shut down, and the group is away for less time.",
    "ddl_forced": "Compare the data of the old primary before its data movement is resumed: what it had not sent is lost "
    "with the resume.",
    "cpu_starvation": "Find what kept the processors busy then; keep some free for SQL Server. A longer lease only hides it.",
    "long_io": "Have the storage of the old primary looked at for that time, from the files that the entries name.",
    "memory_pressure": "Set max server memory so that Windows keeps some, and find what else took memory then.",
    "dump": "Read the dump, or hand it to Microsoft: while it is written, SQL Server answers nobody.",
    "network": "Have the network between the nodes looked at for that time. SameSubnetThreshold x SameSubnetDelay says how "
    "long a break may last.",
    "lease_expired": "Look at processors, memory and disks of the old primary for the minutes before the expiry.",
    "health_timeout": "Look at what kept sp_server_diagnostics of the old primary from answering for that time.",
    "health_error": "Read the component's data in the SQLDIAG files of the old primary.",
    "quorum_lost": "Look at the quorum's votes and witness, and at the network of the node.",
    "node_down": "Look at the node itself: the System event log names an unexpected shutdown (6008, 41).",
    "instance_stopped": "Ask who stopped the service; fail over by hand before an instance is stopped.",
    "instance_died": "Look for a dump, and for the end of sqlservr.exe in the Application and System event logs.",
    "database_failed": "Read the errors of the database before the failover: its files or its log were not available.",
    "standstill": "Ask what paused or held the host then: a migration, snapshot or backup of the virtual machine, a debugger or a "
    "dump, storage that froze, a host without processors to give. The hypervisor's own log tells the first.",
    OPEN: "Look at both hosts for the minutes before: what their event logs, and whoever runs their hypervisor, tell of that time.",
}
MORE = {
    "lease_expired": "samples of processor, memory and disks from before the expiry stand in",
    "health_timeout": "what kept it from answering may stand in",
    OPEN: "to decide it, add",
}
"""Of a cause that is not the last word: what the captures that are missing would tell."""
TO_BE_SURE = "to be sure, add"

REMEDY_OF_SWITCHED = (
    "Nothing to mend: a group without a cluster is switched so. Set REQUIRED_SYNCHRONIZED_SECONDARIES_TO_COMMIT back, and resume "
    "the data movement of databases that stand suspended."
)
REMEDY_OF_EITHER = (
    "Look at the databases of the other replicas: one that is suspended (SUSPEND_FROM_PARTNER) tells that the failover was "
    "forced; compare its data before its movement is resumed."
)


def trigger(name: str) -> str:
    """Word what made the cluster act."""
    return TRIGGERS.get(name, "what made the cluster act is open")


def cause(name: str, mode: str = "") -> str:
    """Word the root; of a statement whose mode is open, that it may have been either."""
    if name == "ddl_forced" and mode == "planned":
        return SWITCHED
    if name == "ddl_failover" and mode == OPEN:
        return EITHER
    return CAUSES.get(name, "the cause is open")


def remedy(name: str, mode: str = "", platform: str = "") -> str:
    """Word what to do about a root, with what the system has."""
    if name == "ddl_forced" and mode == "planned":
        return REMEDY_OF_SWITCHED
    if platform == LINUX and name in ON_LINUX:
        return ON_LINUX[name]
    if name == "ddl_failover" and mode == OPEN:
        return REMEDY_OF_EITHER
    return REMEDIES.get(name, REMEDIES[OPEN])


def host(name: str | None) -> str:
    """Name a host: "a host that was not captured" where none is known."""
    return words.plain(name, 60) if name else "a host that is not known"


def kind(name: str) -> str:
    """Word a kind of event: "lease expired" for lease_expired."""
    return words.plain(name, 60).replace("_", " ")


def both(own: datetime, corrected: datetime | None, brief: bool = True) -> str:
    """Word a time by the clock of its host, and in brackets the corrected one where the two differ as shown."""
    first = clock(own) if brief else moment(own)
    if corrected is None or clock(own) == clock(corrected):
        return first
    return f"{first} ({clock(corrected)} corrected)"


def told(told: Told, event: dict[str, Any], brief: bool = False) -> str:
    """Word when an event was, as the log of its host has it, the corrected time in brackets."""
    return both(told.own(event), event["time"], brief)


def host_of(replica: str) -> str:
    """Give the host of a replica's name."""
    return host_name(replica) or replica


def seconds(value: float | None) -> str:
    """Word a length of time: "8.4 s"."""
    return words.span(value)


def route(from_host: str | None, to_host: str | None) -> str:
    """Word the direction: "from A to B", "in place on A"."""
    if from_host and from_host == to_host:
        return f"in place on {host(to_host)}"
    return f"from {host(from_host)} to {host(to_host)}"


def iso(time: datetime) -> str:
    """Give an instant as findings do."""
    return time.astimezone(UTC).isoformat()


def sentence(text: str) -> str:
    """Make a phrase a sentence."""
    return f"{text[0].upper()}{text[1:]}."
