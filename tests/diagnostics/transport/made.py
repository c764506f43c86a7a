"""Streams made by hand: a primary P and a replica S with 60 samples each, and what is known beside them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from agtrace.diagnostics.transport import judge
from agtrace.diagnostics.transport.study import LinkStudy, Study
from agtrace.diagnostics.transport.verdict import NETWORK_LIMITED, Verdict, VerdictKind
from agtrace.history.roles.groups import Group
from agtrace.history.streams.chain import read_chain
from agtrace.history.streams.commit_modes import Modes
from agtrace.history.streams.database_looks import Look, State
from agtrace.history.streams.known import StreamFacts
from agtrace.history.streams.lag import Lag
from agtrace.history.streams.links import Link
from agtrace.history.streams.network_facts import Facts
from agtrace.history.streams.parts import Part
from agtrace.measure import transport_counters as c
from agtrace.measure.gapped import Slope
from agtrace.measure.grid import Node
from agtrace.measure.machines import Machine
from agtrace.resolve.replicas import HostNames
from agtrace.thresholds import Thresholds

LIMITS = Thresholds()
N, STEP = 60, 5.0
MB = 1_048_576.0

COUNTERS = {
    "flushed": c.FLUSHED, "reads": c.LOG_POOL_DISK_READS, "flush_ms": c.FLUSH_WRITE_TIME,
    "flushes": c.FLUSHES, "sent": c.SENT, "transport": c.TRANSPORT, "gate": c.FLOW_CONTROL_TIME,
    "resent": c.RESENT, "again": c.RETRANSMITTED, "segments": c.SEGMENTS_SENT, "delay": c.TRANSACTION_DELAY,
    "mirrored": c.MIRRORED_WRITES, "queue": c.SEND_QUEUE, "received": c.RECEIVED, "hardened": c.FLUSHED,
    "wire": c.WIRE_RECEIVED, "recovery": c.RECOVERY_QUEUE, "redone": c.REDONE, "blocked": c.REDO_BLOCKED,
}  # fmt: skip
OF_STREAM = {"sent": "AG:S", "transport": "AG:S", "gate": "AG:S", "resent": "AG:S", "wire": "AG:P",
             "again": "", "segments": ""}  # fmt: skip


def node(name: str, n: int = N, first: float = 0.0, **series: Any) -> Node:
    """Return a node; of several databases a counter is given by their names, None is not captured."""
    found = Node(name, times=first + STEP * np.arange(n), step=STEP)
    for key, value in series.items():
        by_instance = value if isinstance(value, dict) else {OF_STREAM.get(key, "Sales"): value}
        for instance, values in by_instance.items():
            if values is not None:
                row = {"object": COUNTERS[key].object, "counter": COUNTERS[key].name, "instance": instance}
                found.add(row, np.broadcast_to(np.array(values, float), n).copy())
    return found


def primary(n: int = N, first: float = 0.0, **series: Any) -> Node:
    """Return a primary that flushes and sends a megabyte of log each second."""
    return node("P", n, first, **{"flushed": MB, "sent": MB} | series)


def secondary(n: int = N, first: float = 0.0, **series: Any) -> Node:
    """Return a replica that receives, hardens and redoes a megabyte of log each second."""
    usual = {"queue": 0, "received": MB, "hardened": MB, "redone": MB, "recovery": 0}
    return node("S", n, first, **usual | series)


def link(here: Node | None, there: Node | None, databases: tuple[str, ...] = ("Sales",), **more: Any) -> Link:
    """Return the stream from P to S in the group AG, over all rows of both."""
    nodes = [each for each in (here, there) if each is not None]
    group = Group(("AG",), {name.lower(): name for name in databases}, nodes)
    rows = [slice(0, 0 if each is None else len(each.times)) for each in (here, there)]
    known: dict[str, Any] = {"aligned": True, "to_replica": ["AG:S"], "from_primary": ["AG:P"]} | more
    return Link(group, here, known.pop("primary_name", "P"), rows[0], there, "S", rows[1], **known)


def both(here: dict[str, Any] | None = None, there: dict[str, Any] | None = None, **more: Any) -> Link:
    """Return the stream with both sides captured, and the further counters of each."""
    return link(primary(**here or {}), secondary(**there or {}), **more)


def fact(topic: str, host: str | None = None, **more: Any) -> dict[str, Any]:
    """Return a fact of a small text file of unknown time."""
    known = dict.fromkeys(
        ("spoken_of", "autotuning_level", "target_host", "rtt_avg_ms", "address", "source_host",
         "destination_host", "speed_bytes_per_s", "client", "server", "server_port", "client_scale",
         "server_scale", "product_version", "time_s", "from_s", "to_s")
    )  # fmt: skip
    return known | {"topic": topic, "host_id": host} | more


def tuning(host: str, level: str) -> dict[str, Any]:
    return fact("tcp_global", host, autotuning_level=level)


def ping(ms: float, one: str = "P", other: str = "S") -> dict[str, Any]:
    return fact("ping", one, target_host=other, rtt_avg_ms=ms)


def copied(speed: float, one: str | None = "P", other: str = "S") -> dict[str, Any]:
    return fact("robocopy", one, source_host=one, destination_host=other, speed_bytes_per_s=speed)


def handshake(scale: str) -> dict[str, Any]:
    """Return a handshake between P and S: "none" if the window is not scaled."""
    return fact(
        "tcp_handshake", client="P", server="S", client_scale=scale, server_scale=scale, server_port="5022"
    )


def known(
    *facts: dict[str, Any], version: int | None = 15, machines: dict[str, Machine] | None = None, **more: Any
) -> StreamFacts:
    """Return the facts beside the counters: SQL Server 2019, which counts bytes of log as sent."""
    told = [] if version is None else [fact("startup", "P", product_version=f"{version}.0.1")]

    def of(node: Node | None, _rows: slice) -> Machine:
        return (machines or {}).get(node.name if node is not None else "", Machine())

    given: dict[str, Any] = {"modes": Modes([]), "flags": {}, "events": [], "looks": [], "gate_waits": []}
    beside: Any = SimpleNamespace(
        of=of,
        prepare_traffic=lambda _wanted: None,
        traffic=lambda _node, _rows, _resource: None,
        disks=lambda _node, _rows: (),
    )
    return StreamFacts(Facts([*told, *facts], HostNames([]), []), beside, limits=LIMITS, **given | more)


def lag(first: int = 0, last: int = N, **more: Any) -> Lag:
    """Return a queue that grew, by a tenth of the log, to the end of the window."""
    usual = {"slope": Slope(1e5, 0.9e5, 1.1e5, last - first), "growing": True, "share": 0.1, "open_end": True}
    return Lag(first, last, **usual | more)  # type: ignore[arg-type]


def part(of: Link, *states: str, database: str = "Sales", **more: Any) -> Part:
    """Return a database of a stream with its states."""
    return Part(read_chain(of, [database]), set(states), **more)


def verdict(
    of: Link,
    beside: StreamFacts | None = None,
    *parts: Part,
    kind: VerdictKind = NETWORK_LIMITED,
    rows: slice = slice(None),
    **more: Any,
) -> Verdict:
    """Return a verdict on a stream and all of its databases, or on some parts."""
    every = list(parts) or [part(of, database=name) for name in of.group.databases.values()]
    found = judge._verdict(of, beside or known(), every, rows)
    found.kind, found.confidence = kind, 1.0
    for name, value in more.items():
        setattr(found, name, value)
    return found


def look(at: float | None = 100.0, *states: State, replica: str = "S", **more: Any) -> Look:
    """Return a snapshot by the primary P of a replica's databases."""
    usual = {"ag": "AG", "is_local": False, "host": "P", "is_of_primary": True, "path": "AlwaysOn.OUT"}
    return Look(replica=replica, at=at, states=states or (state(),), **usual | more)  # type: ignore[arg-type]


def state(database: str = "Sales", **more: Any) -> State:
    """Return a database that is synchronising, with empty queues."""
    empty = dict.fromkeys(("suspend_reason", "send_queue", "send_rate", "redo_queue", "redo_rate", "lag_s"))
    usual = {"state": "SYNCHRONIZING", "is_suspended": False, "source": "AlwaysOn.OUT line 9"}
    return State(database, **empty | usual | more)


def studied(of: Link, *verdicts: Verdict, **more: Any) -> LinkStudy:
    usual: dict[str, Any] = {"parts": [], "losses": [], "redo_times": []}
    return LinkStudy(of, verdicts=list(verdicts), **usual | more)


def study(*links: LinkStudy, beside: StreamFacts | None = None, **more: Any) -> Study:
    """Return a case of some streams and of the groups that they are in."""
    groups = list(dict.fromkeys(each.link.group for each in links))
    usual: dict[str, Any] = {"groups": groups, "roles": {}, "delays": [], "blocked_redo": []}
    return Study(links=list(links), known=beside or known(), **usual | more)
