"""Names of replicas against names of hosts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agtrace.resolve.attribution import is_placeholder
from agtrace.resolve.names import host_name, instance_name, same_host

DEFAULT_INSTANCE = "MSSQLSERVER"


def node_name(host: str, sql_instance: str | None) -> str:
    """Name a SQL Server instance as replicas carry it: HOST, or HOST\\INSTANCE."""
    if sql_instance in (None, "", DEFAULT_INSTANCE):
        return host
    return f"{host}\\{sql_instance}"


def split_instance(instance: str) -> tuple[str, str] | None:
    """Split an Availability Replica instance ``AG:REPLICA``; None for other names.

    The name of a group may contain a colon, that of a replica cannot.
    """
    group, colon, replica = instance.rpartition(":")
    return (group, replica) if colon and group and replica else None


def same_replica(one: str, other: str) -> bool:
    """Return whether two names mean one replica, in any spelling of its host."""
    hosts = (host_name(one) or "", host_name(other) or "")
    return same_host(*hosts) and instance_name(one) == instance_name(other)


HOSTS = "select host_id, display_name, aliases, fci_network_name from hosts order by host_id"
"""The rows that `HostNames` is made of."""


class HostNames:
    """Every name under which a host of the case is known."""

    def __init__(self, hosts: Iterable[dict[str, Any]]) -> None:
        self._names: dict[str, str] = {}
        for host in hosts:
            names = [host["host_id"], host["display_name"], host["fci_network_name"]]
            for name in [*names, *(host["aliases"] or [])]:
                label = host_name(name)
                if label:
                    self._names.setdefault(label, host["host_id"])

    def host_id(self, name: str) -> str:
        """Return the case's host for a name, or the name's label if no host has it, or several do."""
        if is_placeholder(name):
            return name
        label = host_name(name) or ""
        if label in self._names:
            return self._names[label]
        meant = {host for known, host in self._names.items() if same_host(known, label)}
        return meant.pop() if len(meant) == 1 else label

    def replica(self, name: str) -> str:
        """Return a replica's name in the form of `node_name` for the same SQL Server instance."""
        return node_name(self.host_id(name), instance_name(name))
