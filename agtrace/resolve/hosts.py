"""Find the host that wrote each capture, by evidence in a fixed order; without evidence it stays unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from agtrace.errors import CaseError
from agtrace.globs import matches
from agtrace.resolve.attribution import PLACEHOLDER, Attribution, Hosts, placeholder
from agtrace.resolve.file_names import KnownHosts, is_cluster_log, named_by_collector
from agtrace.resolve.names import host_name, instance_name, same_host
from agtrace.resolve.paths import (
    BY_FOLDER,
    BY_PLACE,
    NamedPaths,
    SharedFolders,
    instances_beside,
    parts_of,
    peers_of,
)
from agtrace.resolve.settings_file import settings_table
from agtrace.resolve.strangers import Nature, contradiction, nature_of, natures
from agtrace.store import CommitRecord, FoundCapture

__all__ = ["Attribution", "Configuration", "Hosts", "attribute", "names_inside", "read_configuration"]

NAMING_FACTS = frozenset(
    {
        ("startup", "server_name"),
        ("tcp_global", "host"),
        ("server_property", "SQLServerName"),
        ("collection", "server_name"),
        ("system_info", "Host Name"),
        ("iostat", "host"),
        ("pacemaker_log", "node"),
        ("xel_file", "server"),
        ("dm_hadr_automatic_seeding", "server_name"),
        ("dm_hadr_physical_seeding_stats", "server_name"),
        ("cluster_log", "node"),
        ("event_log", "computer"),
    }
)
"""Facts by which a capture names the host that it describes."""

GROUP_FACT = ("collection", "group")
"""Fact with the name of a group; a replica of a distributed group with such a name is not a host."""
SERVER_FACTS = frozenset({("server_property", "SQLServerName"), ("collection", "server_name")})
"""Those of them that name a server: without an instance it is the default one."""


OF_INSTANCE = "xel"
"""The reader of files that an instance writes, and that do not say which."""


@dataclass(frozen=True)
class Configuration:
    """Contents of ``hosts.toml`` in the case's root.

    ``[paths]`` maps globs (`agtrace.globs`) of capture paths to hosts, ``[aliases]`` hosts to lists of other
    names.
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
        raise CaseError(f"{path}: not valid ({min(unknown)!r} is not known)", "known: paths, aliases")
    return Configuration(paths, aliases)


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def attribute(
    captures: list[FoundCapture], records: dict[str, CommitRecord], configuration: Configuration
) -> Hosts:
    """Find the host of every capture that was understood.

    Evidence in order: hosts.toml; a name inside the file; the file's name; a folder with the name of a known
    host; the nearest folder that contains a capture with a known host; the folder's own name. After a tie or
    contradiction the host is unknown, and the reason is given; an ERRORLOG then gets a separate unnamed host.
    """
    hosts = Hosts()
    for host, names in configuration.aliases.items():
        known = host_name(host) or host
        hosts.aliases[known] = [name for name in (host_name(n) for n in names) if name]
    understood = {
        capture.path: records[capture.content_id]
        for capture in captures
        if capture.content_id in records and records[capture.content_id].reader
    }
    direct: dict[str, Attribution] = {}
    for path, record in understood.items():
        if found := _direct(path, record, configuration):
            direct[path] = found
    _learn(hosts, direct.values())
    inside = KnownHosts(_spellings(hosts))
    for path in [path for path in understood if path not in direct]:
        if by_name := named_by_collector(parts_of(path)[-1], inside):
            direct[path] = Attribution(by_name.host, "file name", by_name.instance)
    _learn(hosts, direct.values())
    for path, attribution in direct.items():
        hosts.attributions[path] = Attribution(
            hosts.canonical(attribution.host_id), attribution.source, attribution.sql_instance
        )
    told = natures(
        (found.host_id, understood[path]) for path, found in hosts.attributions.items() if found.host_id
    )
    named = NamedPaths(hosts)
    by_path = {
        path: named.attribution(path, peers_of(record))
        for path, record in understood.items()
        if path not in direct
    }
    hosts.attributions |= {
        path: _possible(found, understood[path], told) for path, found in by_path.items() if found
    }
    shared = SharedFolders(hosts, {p for p, record in understood.items() if _is_cluster_log(p, record)})
    hosts.attributions |= {
        path: _possible(shared.attribution(path), record, told)
        for path, record in understood.items()
        if path not in hosts.attributions
    }
    for path, instance in instances_beside(hosts).items():
        if understood[path].reader == OF_INSTANCE:
            hosts.attributions[path] = replace(hosts.attributions[path], sql_instance=instance)
    for path, found in hosts.attributions.items():
        # A capture that names several machines was written by several.
        is_one = len({host_name(name) for name in names_inside(understood[path])}) <= 1
        if found.host_id is None and is_one and not _OF_SERVERS.isdisjoint(understood[path].tables):
            hosts.attributions[path] = _unnamed(path, found)
    for path, attribution in sorted(hosts.attributions.items()):
        if attribution.host_id:
            hosts.aliases.setdefault(attribution.host_id, [])
            hosts.evidence.setdefault(attribution.host_id, []).append(f"{attribution.source}: {path}")
    return hosts


_OF_SERVERS = frozenset(("errorlog", "rowset_rows"))
"""Tables of what a server itself writes or shows."""


def _possible(found: Attribution, record: CommitRecord, known: dict[str, Nature]) -> Attribution:
    """Return a folder's attribution of a capture, unless the capture itself contradicts it."""
    if found.host_id is None or found.host_id not in known or found.source not in BY_PLACE:
        return found
    is_put_there = found.source == BY_FOLDER
    against = contradiction(nature_of(record), known[found.host_id], is_put_there=is_put_there)
    if not against:
        return found
    return Attribution(None, f"not of {found.host_id}, whose folder it lies in: {against}")


def _unnamed(path: str, found: Attribution) -> Attribution:
    """Attribute a log without a name to a placeholder host, so that its events count."""
    return Attribution(placeholder(path), f"{PLACEHOLDER}: {found.source}", found.sql_instance)


def _is_cluster_log(path: str, record: CommitRecord) -> bool:
    """Return whether a capture is a cluster node's log: each folder has those of all nodes."""
    return record.reader == "cluster_log" or is_cluster_log(parts_of(path)[-1])


def _learn(hosts: Hosts, attributions: Iterable[Attribution]) -> None:
    others = {name for names in hosts.aliases.values() for name in names}
    for attribution in attributions:
        if attribution.host_id and attribution.host_id not in others:
            hosts.aliases.setdefault(attribution.host_id, [])
    _merge_cut_names(hosts)


def _spellings(hosts: Hosts) -> set[str]:
    return {name for host, others in hosts.aliases.items() for name in (host, *others)}


def _direct(path: str, record: CommitRecord, configuration: Configuration) -> Attribution | None:
    inside = names_inside(record) or own_replica(record)
    instance = next((instance_name(n) for n in inside if "\\" in n.lstrip("\\")), None)
    if instance is None and len(record.summary.sql_instances) == 1:
        instance = record.summary.sql_instances[0]
    for glob, host in configuration.paths.items():
        if matches(path, glob):
            return Attribution(host_name(host), "hosts.toml", instance)
    compared = {name for name in (host_name(n) for n in inside) if name}
    if len(compared) == 1:
        if instance is None and (record.reader == "errorlog" or _names_server(record)):
            instance = "MSSQLSERVER"
        return Attribution(compared.pop(), "named in the file", instance)
    if len(compared) > 1:
        names = ", ".join(sorted(compared))
        # One log of several machines is normal for perfmon: its series carry their own host.
        what = "several machines in one log" if record.summary.hosts else "contradiction in the file"
        return Attribution(None, f"{what}: {names}", instance)
    return None


def _names_server(record: CommitRecord) -> bool:
    return any((fact.topic, fact.key) in SERVER_FACTS for fact in record.summary.facts)


def names_inside(record: CommitRecord) -> list[str]:
    """Return the machines that a capture itself names, as written."""
    facts = record.summary.facts
    groups = {fact.value.upper() for fact in facts if (fact.topic, fact.key) == GROUP_FACT}
    servers = [
        fact.value
        for fact in facts
        if (fact.topic, fact.key) in NAMING_FACTS and fact.value.upper() not in groups
    ]
    return list(dict.fromkeys(record.summary.hosts + servers))


def own_replica(record: CommitRecord) -> list[str]:
    """Return the replica that wrote a headless log, as its own lines name it; empty if they name several."""
    key = ("errorlog_replica", "name")
    told = {fact.value for fact in record.summary.facts if (fact.topic, fact.key) == key}
    return list(told) if len({host_name(name) for name in told}) == 1 else []


def _merge_cut_names(hosts: Hosts) -> None:
    for short in sorted(hosts.aliases, key=len):
        longer = [host for host in hosts.aliases if host != short and same_host(short, host)]
        if len(longer) == 1:
            hosts.aliases[longer[0]] += [short, *hosts.aliases.pop(short)]
