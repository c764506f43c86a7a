"""What a support tool collected: which one, which scenario, of which nodes, and what it never collects."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from agtrace.diagnostics.overview.rows import Captures, Collections
from agtrace.resolve.file_names import (
    LOGSCOUT,
    LOGSCOUT_LINUX,
    PSSDIAG,
    SDP,
    collector_of,
    is_cluster_log,
    tool_of,
)

SCENARIOS = (
    ("Basic", r"MiscDiagInfo|TaskList|RunningDrivers|SystemInfo_Summary|WindowsHotfixes"),
    ("AlwaysOn", r"AlwaysOn_Data_Movement|GetAGTopology"),
    ("one of the Perf scenarios", r"PerfStats\.out|PerfStatsSnapshot|HighCPU_perfstats"),
    ("BackupRestore", r"VSSAdmin_|SqlWriterLogger"),
    ("IO", r"High_IO_Perfstats|StorPort"),
    ("Memory", r"SQL_Server_Mem_Stats"),
    ("Replication", r"ChangeDataCapture|Change_Tracking|Repl_Metadata"),
    ("NetworkTrace", r"NetworkTrace_"),
    ("WPR", r"WPR_"),
    ("Setup", r"Setup_Bootstrap|MissingMsiMsp"),
    ("ServiceBrokerDbMail", r"SSB_DbMail"),
    ("NeverEndingQuery", r"NeverEnding"),
    ("ProcessMonitor", r"ProcessMonitor"),
)
"""Scenarios of SQL LogScout by what only they collect."""

_SCENARIOS = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in SCENARIOS]

OPTIONS = frozenset({"NoBasic"})
"""Words among the scenarios of SQL LogScout's log that are none."""

TCP, SEEDING, COUNTERS = "TCP settings", "seeding events", "counters over time"
NEVER = dict.fromkeys((LOGSCOUT, PSSDIAG, LOGSCOUT_LINUX), (TCP, SEEDING)) | {SDP: (SEEDING, COUNTERS)}
"""What a tool never collects, of what answers rest on."""

_ROOT = PurePosixPath()


@dataclass
class Folder:
    """What one tool left in one folder.

    Parameters
    ----------
    path
        The folder within the case, or the archive; empty for the case itself.
    tool
        Which collector.
    captures
        Everything that lies there or below.
    hosts
        Whom they are of, logs of the cluster left out.
    scenarios
        Of SQL LogScout: those that its log names, else as far as the files tell.
    version
        Of the tool, where its log says it.
    """

    path: str
    tool: str
    captures: list[Captures] = field(default_factory=list)
    logs: list[Collections] = field(default_factory=list)
    """What the tool's own log says."""

    @property
    def hosts(self) -> list[str]:
        return sorted({row.host for row in self.captures if row.host and not _is_of_cluster(row)})

    @property
    def version(self) -> str | None:
        versions = {row.tool_version for row in self.logs if row.tool_version}
        return versions.pop() if len(versions) == 1 else None

    @property
    def scenarios(self) -> list[str]:
        said = " ".join(row.scenarios or "" for row in self.logs).split()
        if said:
            return [name for name in dict.fromkeys(said) if name not in OPTIONS]
        whats = [what for row in self.captures if (what := collector_of(_name(row.path)))]
        return [name for name, each in _SCENARIOS if any(each.match(what) for what in whats)]

    @property
    def statuses(self) -> Counter[str]:
        """Number of files by status."""
        return Counter(row.status for row in self.captures)


@dataclass(frozen=True)
class Collected:
    """What support tools collected of a case.

    Parameters
    ----------
    folders
        By path.
    absent
        Machines of the group of which nothing was collected but the log of the cluster.
    lacking
        What the tools never collect and nobody else captured: kind, and which tools.
    """

    folders: list[Folder]
    absent: list[str]
    lacking: dict[str, list[str]]


def summed(tool: str, folders: Iterable[Folder]) -> dict[str, Any]:
    """Return what a tool left, over all of its folders: versions, hosts, scenarios, files by status."""
    left = list(folders)
    return {
        "tool": tool,
        "versions": list(dict.fromkeys(each.version for each in left if each.version)),
        "hosts": sorted({host for each in left for host in each.hosts}),
        "scenarios": list(dict.fromkeys(name for each in left for name in each.scenarios)),
        "statuses": sum((each.statuses for each in left), Counter[str]()),
    }


def collected(
    captures: Iterable[Captures], members: Iterable[str], there: set[str], logs: Iterable[Collections] = ()
) -> Collected:
    """Return what support tools collected.

    Parameters
    ----------
    members
        Machines that belong to a group, by whatever names them.
    there
        Which of `TCP`, `SEEDING` and `COUNTERS` the case has, whoever captured them.
    logs
        What the tools' own logs say.
    """
    rows = list(captures)
    folders = _folders(rows)
    if not folders:
        return Collected([], [], {})
    said = {row.path: row for row in logs}
    for folder in folders:
        folder.logs = [said[row.path] for row in folder.captures if row.path in said]
    told = [row.host for row in rows if row.host and not _is_of_cluster(row) and _tells(row)]
    present = {host for hosts in told for host in hosts.split(", ")}
    of_cluster = {row.host for row in rows if row.host and _is_of_cluster(row)}
    lacking: dict[str, list[str]] = defaultdict(list)
    for tool in dict.fromkeys(folder.tool for folder in folders):
        for kind in NEVER[tool]:
            if kind not in there:
                lacking[kind].append(tool)
    return Collected(folders, sorted((set(members) | of_cluster) - present), dict(lacking))


def _folders(rows: list[Captures]) -> list[Folder]:
    """Find the folders, or archives, in which files lie that only a tool calls so."""
    seen: dict[PurePosixPath, Counter[str]] = defaultdict(Counter)
    for row in rows:
        tool = tool_of(_name(row.path))
        if tool:
            seen[_place(row.path)][tool] += 1
    found = {}
    for place, tools in sorted(seen.items()):
        found[place] = Folder("" if place == _ROOT else str(place), tools.most_common(1)[0][0])
    for row in rows:
        place = _place(row.path)
        # Below the case itself may lie anything; below what a tool made, only what it made.
        above = [each for each in place.parents if each != _ROOT]
        around = next((each for each in (place, *above) if each in found), None)
        if around is not None:
            found[around].captures.append(row)
    return list(found.values())


def _parts(path: str) -> PurePosixPath:
    return PurePosixPath(path.replace("!/", "/"))


def _name(path: str) -> str:
    return _parts(path).name


def _place(path: str) -> PurePosixPath:
    """Return the folder that a tool made: ``internal`` is within it."""
    folder = _parts(path).parent
    return folder.parent if folder.name.lower() == "internal" else folder


def _is_of_cluster(row: Captures) -> bool:
    return row.reader == "cluster_log" or is_cluster_log(_name(row.path))


def _tells(row: Captures) -> bool:
    """Return whether a file counts as its host's, read or only recognised."""
    return row.status in ("ingested", "recognised", "failed")
