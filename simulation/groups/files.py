"""The files that the nodes of a group leave behind: in a folder per node, or all in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from simulation.formats.cluster_log import ClusterLog
from simulation.formats.errorlog import Entry, Log
from simulation.formats.xel import Event, EventSchema, XelFile, filetime
from simulation.formats.xel_sessions import ALWAYSON_HEALTH, SCHEMAS
from simulation.groups import health
from simulation.groups.cast import Node, guid
from simulation.groups.journal import Journal, Run, Timed
from simulation.groups.life import Life

KINDS = ("ERRORLOG", "AlwaysOn_health", "system_health", "SQLDIAG", "cluster log")
ALL_SCHEMAS = SCHEMAS | health.SCHEMAS
READY_S = 3.2


@dataclass(frozen=True)
class Taken:
    """What somebody copied of a group.

    Parameters
    ----------
    nodes
        Names of the nodes; None for all.
    flat
        Whether all lies in one folder, as LogScout names it.
    until
        When it was copied, true seconds; what is written later is not there.
    """

    nodes: tuple[str, ...] | None = None
    kinds: tuple[str, ...] = KINDS
    flat: bool = False
    until: float = float("inf")


def write_group(folder: Path, life: Life, taken: Taken | None = None) -> list[str]:
    """Write the files of a life; give their names below the folder."""
    taken = taken or Taken()
    written: list[str] = []
    for one in (life, *life.beside):
        for node in one.group.nodes:
            if taken.nodes is not None and node.name not in taken.nodes:
                continue
            for kind, name, data in _files(one, node, taken.until):
                if kind not in taken.kinds:
                    continue
                path = Path(_flat(node, name) if taken.flat else _deep(node, name, kind))
                if path.as_posix() in written:  # as Windows names the second of two
                    path = path.with_name(f"{path.stem} (2){path.suffix}")
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(data)
                written.append(path.as_posix())
    return written


def _deep(node: Node, name: str, kind: str) -> str:
    """Return a file's path: each named instance has a folder of its own, a cluster log has its node's."""
    parts = [node.name, node.instance, name] if kind != "cluster log" else [node.name, name]
    return "/".join(part for part in parts if part)


def _flat(node: Node, name: str) -> str:
    owner = f"{node.name}_{node.instance}" if node.instance else node.name
    return f"{owner}_{name}" if name.startswith("ERRORLOG") else name


def _files(life: Life, node: Node, until: float) -> list[tuple[str, str, bytes]]:
    journal = life[node]
    runs = [run for run in journal.runs if run.start < until]
    found = []
    for age, run in enumerate(reversed(runs)):
        suffix = f".{age}" if age else ""
        found.append(("ERRORLOG", f"ERRORLOG{suffix}", errorlog(journal, run, until)))
        for session, events, schemas in (
            ("AlwaysOn_health", run.health, ALWAYSON_HEALTH),
            ("system_health", run.system, health.SYSTEM_HEALTH),
        ):
            name, data = session_file(journal, session, events, schemas, run.start + 1.7, until)
            found.append((session, name, data))
    if not life.group.has_cluster:
        return found
    first = min((t for t, *_ in journal.resource), default=0.0)
    session = f"{node.name}_{node.service}_SQLDIAG"
    name, data = session_file(journal, session, journal.resource, health.SQLDIAG, first - 1, until)
    found.append(("SQLDIAG", name, data))
    if not life.is_beside:
        log = cluster_log(journal, until, [other[node] for other in life.beside])
        found.append(("cluster log", f"{node.name}.corp.lan_cluster.log", log))
    return found


def errorlog(journal: Journal, run: Run, until: float) -> bytes:
    """Return the ERRORLOG of one run, in the order in which it was written."""
    group, node = journal.group, journal.node
    start = group.local(node, run.start)
    minutes = group.zone.at(run.start)
    sign = "-" if minutes < 0 else ""
    adjustment = f"{sign}{abs(minutes) // 60}:{abs(minutes) % 60:02d}"
    head = Log(time=start).start(
        node.name, node.instance, utc=adjustment, version="14.0.3456.2", product="2017 (RTM-CU31) "
            "(KB5016884)",
        os="Windows Server 2016 Standard 10.0 <X64> (Build 14393: ) (Hypervisor)",
    )  # fmt: skip
    last = head.entries.pop()
    timed: list[tuple[float, Entry]] = [(run.start, entry) for entry in head.entries]
    ready = group.local(node, run.start + READY_S)
    timed.append((run.start + READY_S, Entry(ready, last.source, last.text, last.more)))
    timed += [
        (said.t, Entry(group.local(node, said.t), said.source, said.text, said.more)) for said in run.said
    ]
    timed.sort(key=lambda one: one[0])
    return Log(entries=[entry for t, entry in timed if t <= until]).windows()


def session_file(
    journal: Journal,
    session: str,
    events: Sequence[Timed],
    schemas: Sequence[EventSchema],
    began: float,
    until: float,
) -> tuple[str, bytes]:
    """Return the name and the bytes of a file of an event session that began at a true time."""
    group, node = journal.group, journal.node
    base = filetime(group.utc(node, began)) // 10_000 * 10_000
    name = f"{node.server} {session} {began}"
    file = XelFile(base=base, run=guid(f"{name} run"), guid=guid(f"{name} file"), schemas=schemas)
    written = [
        Event(ALL_SCHEMAS[event], file.ticks(group.utc(node, t)), fields)
        for t, event, fields in sorted(events, key=lambda one: one[0])
        if t <= until
    ]
    return f"{session}_0_{base}.xel", file.write(written)


def cluster_log(journal: Journal, until: float, beside: Sequence[Journal] = ()) -> bytes:
    """Return the cluster log of a node: in UTC if its clock is set meanwhile, else in local time.

    What the other instances of the node have ``beside`` it stands in it, too.
    """
    group, node = journal.group, journal.node
    told = [one for each in (journal, *beside) for one in each.cluster]
    entries = sorted((one for one in told if one[0] <= until), key=lambda one: one[0])
    last = entries[-1][0] if entries else 0.0
    offset, is_utc = -group.zone.at(last), group.zone.step_at is not None
    log = ClusterLog(node.name, offset, utc=is_utc)
    for title, wanted in (
        ("System", "System"),
        ("Microsoft-Windows-FailoverClustering/Operational logs", "Operational"),
        ("Cluster Logs", ""),
    ):
        log.section(title)
        for t, level, channel, (text, *more) in entries:
            if channel != wanted:
                continue
            log.time = group.utc(node, t) - timedelta(minutes=offset) if is_utc else group.local(node, t)
            log.add(level, text, *more, channel=channel)
    return log.windows()
