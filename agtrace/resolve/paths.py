"""Find the hosts that a path names, and those whose captures are in the same folder."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import PurePosixPath

from agtrace.resolve.attribution import Attribution, Hosts
from agtrace.resolve.file_names import KnownHosts, named_by_collector
from agtrace.resolve.names import host_name, same_host
from agtrace.store import CommitRecord

PEER_FACTS = frozenset({"target_host", "source_host", "destination_host"})
"""Keys of facts that name the other end of a path; files are often called after it."""

PEER_TOPICS = frozenset({"ping", "robocopy", "w32tm"})
"""Topics of tools that run from one host to another."""

HOST_LIKE = re.compile(r"^[A-Za-z0-9][A-Za-z0-9-]{0,62}$")
PLAIN_FOLDERS = frozenset(
    "blg capture captures csv data dump errorlog errorlogs files host hosts internal log logs mssql network "
    "node nodes output perf perfmon perflogs primary replica replicas robocopy secondary server servers sql "
    "sqldiag tcp text tmp xel xevents zip".upper().split()
)
"""Folder names that describe the contents, not the host."""

BY_FOLDER = "folder name"
BY_NEIGHBOUR = "folder shared with a capture that names it"
BY_PLACE = frozenset({BY_FOLDER, BY_NEIGHBOUR})
"""Kinds of evidence that rest only on the path of a capture, and not on its contents."""
_SHORTEST = 2
"""Minimum length of a host name that is searched for in names."""


def parts_of(path: str) -> tuple[str, ...]:
    """Return the folders of a path, archives among them, and its name."""
    return PurePosixPath(path.replace("!/", "/")).parts or ("",)


def peers_of(record: CommitRecord) -> set[str] | None:
    """Return the hosts at the other end of what a capture describes.

    Returns
    -------
    set of str or None
        None if it describes a path to another, unnamed host: a name beside it may be that of either host.
    """
    facts = record.summary.facts
    named = {host_name(fact.value) or "" for fact in facts if fact.key in PEER_FACTS}
    peers = {name for name in named if not _ADDRESS.fullmatch(name)}
    if not peers and any(fact.topic in PEER_TOPICS for fact in facts):
        return None
    return peers


_ADDRESS = re.compile(r"[0-9A-F.:]*")
"""The first label of an IP address, which is not a host name."""


class NamedPaths:
    """The hosts in the names of files and folders.

    Parameters
    ----------
    hosts
        The known hosts of the case, with the attributions of captures so far.
    """

    def __init__(self, hosts: Hosts) -> None:
        self._hosts = hosts
        spellings = {name for host, others in hosts.aliases.items() for name in (host, *others)}
        self._known = KnownHosts(
            name
            for name in spellings
            if len(name) >= _SHORTEST and not name.isdigit() and name not in PLAIN_FOLDERS
        )
        self._instances: dict[str, set[str]] = defaultdict(set)
        for attribution in hosts.attributions.values():
            if attribution.host_id and attribution.sql_instance:
                self._instances[attribution.host_id].add(attribution.sql_instance)

    def attribution(self, path: str, peers: set[str] | None) -> Attribution | None:
        """Return the host that a path names, its name first, then its folders from the nearest on."""
        *folders, name = parts_of(path)
        if peers is not None:
            others = {self._hosts.canonical(peer) for peer in peers}
            found = {host for host in self._within(name) if host not in others}
            if len(found) == 1:
                return self._named(found.pop(), name, "file name")
        for folder in reversed(folders):
            if by_name := named_by_collector(folder, self._known):
                host = self._hosts.canonical(by_name.host)
                return Attribution(host, BY_FOLDER, by_name.instance)
            within = self._within(folder)
            if len(within) == 1:
                return self._named(within.pop(), folder, BY_FOLDER)
        return None

    def _within(self, name: str) -> set[str]:
        return {self._hosts.canonical(each) or each for each in self._known.within(name)}

    def _named(self, host: str, name: str, source: str) -> Attribution:
        beside = {
            instance
            for instance in self._instances[host]
            if instance in KnownHosts(self._instances[host]).within(name)
        }
        return Attribution(host, source, beside.pop() if len(beside) == 1 else None)


def instances_beside(hosts: Hosts) -> dict[str, str]:
    """Return the instance, by path, of captures without one: that of the files in their folder.

    Only for hosts with several instances.
    """
    in_folder: dict[tuple[str, PurePosixPath], set[str]] = defaultdict(set)
    of_host: dict[str, set[str]] = defaultdict(set)
    for path, found in hosts.attributions.items():
        if found.host_id and found.sql_instance:
            in_folder[found.host_id, PurePosixPath(*parts_of(path)[:-1])].add(found.sql_instance)
            of_host[found.host_id].add(found.sql_instance)
    given = {}
    for path, found in hosts.attributions.items():
        if found.host_id and found.sql_instance is None and len(of_host[found.host_id]) > 1:
            beside = in_folder.get((found.host_id, PurePosixPath(*parts_of(path)[:-1])), set())
            if len(beside) == 1:
                given[path] = next(iter(beside))
    return given


class SharedFolders:
    """The hosts of the captures in each folder of a case.

    Parameters
    ----------
    hosts
        The hosts, with the attributions of captures so far.
    apart
        Captures that are not evidence for their folder.
    """

    def __init__(self, hosts: Hosts, apart: set[str]) -> None:
        self._hosts = hosts
        self._known: dict[PurePosixPath, set[str]] = defaultdict(set)
        for path, attribution in hosts.attributions.items():
            *folders, _name = parts_of(path)
            by_folder = attribution.source == BY_FOLDER
            if attribution.host_id and not by_folder and path not in apart:
                self._known[PurePosixPath(*folders)].add(attribution.host_id)

    def attribution(self, path: str) -> Attribution:
        """Return the host of the nearest folder with one, else the likely host in a folder's name."""
        here = PurePosixPath(*parts_of(path)[:-1])
        own_name = None
        for folder in (here, *here.parents):
            is_root = not folder.name
            own = self._known.get(folder, set())
            names = own or (set() if is_root else self._below(folder))
            if len(own) > 1:
                return Attribution(
                    None, f"tie: captures of {', '.join(sorted(names))} lie in the same folder"
                )
            if len(names) == 1:
                host = next(iter(names))
                # A folder inside a host's folder may be called anything; one beside it may be a host.
                rival = own_name and (is_root or own_name in self._hosts.aliases)
                if own_name and rival and not same_host(own_name, host):
                    return Attribution(None, f"tie: in folder {own_name}, among captures of {host}")
                return Attribution(host, BY_NEIGHBOUR)
            if own_name is None and HOST_LIKE.match(folder.name) and folder.name.upper() not in PLAIN_FOLDERS:
                own_name = host_name(folder.name)
        if own_name:
            return Attribution(self._hosts.canonical(own_name), BY_FOLDER)
        return Attribution(None, "no evidence")

    def _below(self, folder: PurePosixPath) -> set[str]:
        return {name for place, names in self._known.items() if folder in place.parents for name in names}
