"""What the guids of seeding stand for, learnt from whatever capture names one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agtrace.history.base import View
from agtrace.history.seedings.collect.script import script

NETBIOS = 15
"""NetBIOS names are cut at so many characters."""


@dataclass(frozen=True)
class Names:
    """Names of databases and groups and hosts of replicas, by guid; hosts by any name of theirs."""

    databases: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    replicas: Mapping[str, str] = field(default_factory=dict)
    hosts: Mapping[str, str] = field(default_factory=dict)

    def host(self, written: str) -> str:
        """Give the host_id of a server or machine as something wrote it."""
        label = _label(written)
        return self.hosts.get(label, label)

    def is_host(self, written: str | None, host: str | None) -> bool | None:
        """Tell whether a machine as written is a host; None when one of them is not known."""
        if not written or host is None:
            return None
        known = self.host(written)
        return (
            known == host
            or (len(known) == NETBIOS and host.startswith(known))
            or (len(host) == NETBIOS and known.startswith(host))
        )

    def learnt(
        self,
        databases: Mapping[str, str] | None = None,
        groups: Mapping[str, str] | None = None,
        replicas: Mapping[str, str] | None = None,
    ) -> Names:
        """Give these names and those that are new; what was known before stays."""
        return replace(
            self,
            databases={**(databases or {}), **self.databases},
            groups={**(groups or {}), **self.groups},
            replicas={**(replicas or {}), **self.replicas},
        )


def names(view: View) -> Names:
    """Read what captures say in so many words; `captured.gather` and `physical.copies` come before."""
    known = Names(hosts=_hosts(view))
    told: dict[str, dict[str, str]] = {"database": {}, "group": {}, "replica": {}}
    for row in view.table(script("names.sql")).to_pylist():
        is_replica = row["kind"] == "replica"
        told[row["kind"]][row["guid"]] = known.host(row["name"]) if is_replica else row["name"]
    return known.learnt(told["database"], told["group"], told["replica"])


def _hosts(view: View) -> dict[str, str]:
    found: dict[str, str] = {}
    for row in view.table("select host_id, fci_network_name, aliases from hosts").to_pylist():
        for alias in (row["host_id"], row["fci_network_name"], *(row["aliases"] or [])):
            if alias:
                found[_label(alias)] = row["host_id"]
    return found


def _label(written: str) -> str:
    text = written.strip().upper().removeprefix("TCP://")
    return text.split("\\")[0].split(".")[0].split(":")[0]
