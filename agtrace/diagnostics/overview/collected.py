"""Captures made by a support tool: the tool, its scenario, the nodes, and what it never collects."""

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
"""Scenarios of SQL LogScout, by the files that only they collect."""

_SCENARIOS = [(name, re.compile(pattern, re.IGNORECASE)) for name, pattern in SCENARIOS]

OPTIONS = frozenset({"NoBasic"})
"""Options among the scenarios in SQL LogScout's log."""

TCP, SEEDING, COUNTERS = "TCP settings", "seeding events", "counters over time"
NEVER = dict.fromkeys((LOGSCOUT, PSSDIAG, LOGSCOUT_LINUX), (TCP, SEEDING)) | {SDP: (SEEDING, COUNTERS)}
"""Captures needed for answers that a tool never collects."""

_ROOT = PurePosixPath()


@dataclass
class Folder:
    """The output of a tool in one folder.

    Parameters
    ----------
    path
        The folder within the case, or the archive; empty for the case itself.
    tool
        The name of the tool.
    captures
        All captures in the folder and below.
    hosts
        The hosts of these captures, except of cluster logs.
    scenarios
        Of SQL LogScout: those named in its log, else those recognised by their files.
    version
        Version of the tool, if its log contains it.
    """

    path: str
    tool: str
    captures: list[Captures] = field(default_factory=list)
    logs: list[Collections] = field(default_factory=list)
    """The tool's own log."""

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
    """The captures of a case made by support tools.

    Parameters
    ----------
    folders
        The folders, by path.
    absent
        Machines of the group for which only the cluster log was collected.
    lacking
        Kinds of captures that are missing and that these tools never collect, with the tools.
    """

    folders: list[Folder]
    absent: list[str]
    lacking: dict[str, list[str]]


def summed(tool: str, folders: Iterable[Folder]) -> dict[str, Any]:
    """Return a tool's captures over all of its folders: versions, hosts, scenarios, files by status."""
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
    """Return the captures made by support tools.

    Parameters
    ----------
    members
        Machines that belong to a group, from any source.
    there
        The kinds among `TCP`, `SEEDING` and `COUNTERS` that the case has, from any source.
    logs
        The tools' own logs.
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
    """Return the folders or archives with files named as only one tool does."""
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
        # The case folder may contain anything; a tool's folder only the tool's files.
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
    """Return the folder of a tool's output: ``internal`` is inside it."""
    folder = _parts(path).parent
    return folder.parent if folder.name.lower() == "internal" else folder


def _is_of_cluster(row: Captures) -> bool:
    return row.reader == "cluster_log" or is_cluster_log(_name(row.path))


def _tells(row: Captures) -> bool:
    """Return whether a file counts as its host's, read or only recognised."""
    return row.status in ("ingested", "recognised", "failed")
