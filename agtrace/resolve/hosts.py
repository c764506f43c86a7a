"""Which host wrote a capture: evidence in a fixed order, never a guess."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from agtrace.errors import CaseError
from agtrace.globs import matches
from agtrace.resolve.names import host_name, instance_name, same_host
from agtrace.resolve.settings_file import settings_table
from agtrace.store import CommitRecord, FoundCapture

LOGSCOUT = re.compile(r"^(?P<host>[A-Za-z0-9-]+?)(?:_(?P<instance>[A-Za-z0-9$-]+))?_ERRORLOG", re.I)
SQLDIAG = re.compile(r"^(?P<host>[A-Za-z0-9-]+)_(?P<instance>[A-Za-z0-9$]+)_SQLDIAG_", re.I)
NAMING_FACTS = frozenset(
    {
        ("startup", "server_name"),
        ("tcp_global", "host"),
        ("xel_file", "server"),
        ("dm_hadr_automatic_seeding", "server_name"),
        ("dm_hadr_physical_seeding_stats", "server_name"),
        ("cluster_log", "node"),
        ("event_log", "computer"),
    }
)
"""Facts by which a capture names the host that it describes."""

HOST_LIKE = re.compile(r"^[A-Za-z0-9][A-Za-z0-9-]{0,62}$")
PLAIN_FOLDERS = frozenset(
    "blg capture captures csv data dump errorlog errorlogs files host hosts log logs mssql network node "
    "nodes output perf perfmon perflogs primary replica replicas robocopy secondary server servers sql "
    "sqldiag tcp text tmp xel xevents zip".upper().split()
)
"""Folder names that say what is inside, not where it comes from."""


@dataclass(frozen=True)
class Attribution:
    """The host of a capture and how it is known."""

    host_id: str | None
    source: str
    sql_instance: str | None = None


@dataclass
class Hosts:
    """The machines of a case.

    Parameters
    ----------
    attributions
        By path of the capture.
    aliases
        Other writings of each host's name.
    evidence
        What says so, per host.
    """

    attributions: dict[str, Attribution] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)
    evidence: dict[str, list[str]] = field(default_factory=dict)
    display: dict[str, str] = field(default_factory=dict)

    def canonical(self, name: str | None) -> str | None:
        """Give the host_id of a name as written somewhere."""
        wanted = host_name(name)
        if wanted is None:
            return None
        for host, others in self.aliases.items():
            if wanted == host or wanted in others:
                return host
        for host in self.aliases:
            if same_host(host, wanted):
                return max(host, wanted, key=len)
        return wanted

    def known(self, name: str) -> str:
        """Give the host_id of a name that the user gave.

        Raises
        ------
        CaseError
            The case has no such host; the message names those that it has.
        """
        wanted = host_name(name)
        for host, others in self.aliases.items():
            if wanted is not None and (
                wanted == host or wanted in others or same_host(host, wanted)
            ):
                return host
        there = ", ".join(sorted(self.aliases)) or "none that is known"
        raise CaseError(f"the case has no host {name!r}", f"its hosts are: {there}")


@dataclass(frozen=True)
class Configuration:
    """What ``hosts.toml`` in the case's root says.

    ``[paths]`` maps globs (`agtrace.globs`) of capture paths to hosts, ``[aliases]`` hosts to lists of other names.
    """

    paths: dict[str, str] = field(default_factory=dict)
    aliases: dict[str, list[str]] = field(default_factory=dict)


def read_configuration(case: Path) -> Configuration:
    """Read ``hosts.toml``.

    Raises
    ------
    CaseError
        It is not valid.
    """
    path = case / "hosts.toml"
    data = settings_table(path)
    paths, aliases = data.get("paths", {}), data.get("aliases", {})
    if not isinstance(paths, dict) or not all(isinstance(host, str) for host in paths.values()):
        raise CaseError(f"{path}: not valid ([paths])", 'write [paths] "glob" = "HOST"')
    if not isinstance(aliases, dict) or not all(_is_names(names) for names in aliases.values()):
        raise CaseError(f"{path}: not valid ([aliases])", 'write [aliases] HOST = ["other name"]')
    if unknown := data.keys() - {"paths", "aliases"}:
        raise CaseError(
            f"{path}: not valid ({min(unknown)!r} is not known)", "known: paths, aliases"
        )
    return Configuration(paths, aliases)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def attribute(
    captures: list[FoundCapture], records: dict[str, CommitRecord], configuration: Configuration
) -> Hosts:
    """Find the host of every capture that was understood.

    Evidence in order: hosts.toml; a name inside the file; the file's name; the nearest folder that
    holds a capture with a known host; the folder's own name. A tie or contradiction leaves the host
    unknown and says so.
    """
    hosts = Hosts()
    for host, names in configuration.aliases.items():
        known = host_name(host) or host
        hosts.aliases[known] = [name for name in (host_name(n) for n in names) if name]
    understood = [
        (capture, records[capture.content_id])
        for capture in captures
        if capture.content_id in records and records[capture.content_id].reader
    ]
    direct: dict[str, Attribution] = {}
    for capture, record in understood:
        found = _direct(capture.path, record, configuration, hosts)
        if found:
            direct[capture.path] = found
    for attribution in direct.values():
        if attribution.host_id:
            hosts.aliases.setdefault(attribution.host_id, [])
    _merge_cut_names(hosts)
    for path, attribution in direct.items():
        hosts.attributions[path] = Attribution(
            hosts.canonical(attribution.host_id), attribution.source, attribution.sql_instance
        )
    for capture, _record in understood:
        if capture.path not in direct:
            hosts.attributions[capture.path] = _by_folder(capture.path, hosts)
    for path, attribution in sorted(hosts.attributions.items()):
        if attribution.host_id:
            hosts.aliases.setdefault(attribution.host_id, [])
            hosts.evidence.setdefault(attribution.host_id, []).append(
                f"{attribution.source}: {path}"
            )
    return hosts


def _direct(
    path: str, record: CommitRecord, configuration: Configuration, hosts: Hosts
) -> Attribution | None:
    inside = names_inside(record)
    instance = next((instance_name(n) for n in inside if "\\" in n.lstrip("\\")), None)
    if instance is None and len(record.summary.sql_instances) == 1:
        instance = record.summary.sql_instances[0]
    for glob, host in configuration.paths.items():
        if matches(path, glob):
            return Attribution(host_name(host), "hosts.toml", instance)
    compared = {name for name in (host_name(n) for n in inside) if name}
    if len(compared) == 1:
        if instance is None and record.reader == "errorlog":
            instance = "MSSQLSERVER"
        return Attribution(compared.pop(), "named in the file", instance)
    if len(compared) > 1:
        names = ", ".join(sorted(compared))
        # One log of several machines is normal for perfmon: its series carry their own host.
        what = (
            "several machines in one log" if record.summary.hosts else "contradiction in the file"
        )
        return Attribution(None, f"{what}: {names}", instance)
    name = PurePosixPath(path.replace("!/", "/")).name
    match = LOGSCOUT.match(name) or SQLDIAG.match(name)
    if match:
        return Attribution(
            host_name(match["host"]), "file name", match["instance"] or "MSSQLSERVER"
        )
    return None


def names_inside(record: CommitRecord) -> list[str]:
    """Give the machines that a capture itself names, as written."""
    servers = [
        fact.value for fact in record.summary.facts if (fact.topic, fact.key) in NAMING_FACTS
    ]
    return list(dict.fromkeys(record.summary.hosts + servers))


def _merge_cut_names(hosts: Hosts) -> None:
    for short in sorted(hosts.aliases, key=len):
        longer = [host for host in hosts.aliases if host != short and same_host(short, host)]
        if len(longer) == 1:
            hosts.aliases[longer[0]] += [short, *hosts.aliases.pop(short)]


def _by_folder(path: str, hosts: Hosts) -> Attribution:
    here = PurePosixPath(path.replace("!/", "/")).parent
    known: dict[PurePosixPath, set[str]] = defaultdict(set)
    for other, attribution in hosts.attributions.items():
        if attribution.host_id and not attribution.source.startswith("folder"):
            known[PurePosixPath(other.replace("!/", "/")).parent].add(attribution.host_id)
    own_name = None
    for folder in (here, *here.parents):
        is_root = not folder.name
        names = known[folder] or (set() if is_root else _below(folder, known))
        if len(names) > 1 and known[folder]:
            return Attribution(
                None, f"tie: captures of {', '.join(sorted(names))} lie in the same folder"
            )
        if len(names) == 1:
            host = next(iter(names))
            # A folder inside a host's folder may be called anything; one beside it may be a host.
            rival = own_name and (is_root or own_name in hosts.aliases)
            if own_name and rival and not same_host(own_name, host):
                return Attribution(None, f"tie: in folder {own_name}, among captures of {host}")
            return Attribution(host, "folder shared with a capture that names it")
        if (
            own_name is None
            and HOST_LIKE.match(folder.name)
            and folder.name.upper() not in PLAIN_FOLDERS
        ):
            own_name = host_name(folder.name)
    if own_name:
        return Attribution(hosts.canonical(own_name), "folder name")
    return Attribution(None, "no evidence")


def _below(folder: PurePosixPath, known: dict[PurePosixPath, set[str]]) -> set[str]:
    return {name for place, names in known.items() if folder in place.parents for name in names}
