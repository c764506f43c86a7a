"""What the guids of seeding stand for, learnt from whatever capture names one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agtrace.history.base import View
from agtrace.resolve.names import is_address, same_host
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.store.sql_files import beside

_sql = beside(__file__)


@dataclass(frozen=True)
class Names:
    """Names of databases and groups and hosts of replicas, by guid; hosts by any name of theirs."""

    hosts: HostNames
    databases: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    replicas: Mapping[str, str] = field(default_factory=dict)

    def host(self, written: str | None) -> str | None:
        """Give the host_id of a server or machine as something wrote it.

        None for none, and for an address under which the case has no host.
        """
        host = self.hosts.host_id(written or "")
        return None if not host or is_address(host) else host

    def is_host(self, written: str | None, host: str | None) -> bool | None:
        """Tell whether a machine as written is a host; None when one of them is not known."""
        known = self.host(written)
        return None if known is None or host is None else same_host(known, host)

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
    """Read what captures say in so many words."""
    known = Names(HostNames(view.rows(HOSTS)))
    told: dict[str, dict[str, str]] = {"database": {}, "group": {}, "replica": {}}
    looked_up: dict[str, dict[str, str]] = {"database": {}, "group": {}, "replica": {}}
    for row in view.rows(_sql("names.sql")):
        name = known.host(row["name"]) if row["kind"] == "replica" else row["name"]
        if name is not None:
            told[row["kind"]][row["guid"]] = name
    known = known.learnt(told["database"], told["group"], told["replica"])
    for row in view.rows(_sql("looked_up.sql")):
        # A server that was looked at names ids of which no event and no message tells more.
        name = known.host(row["name"]) if row["kind"] == "replica" else row["name"]
        if name is not None:
            looked_up[row["kind"]][row["id"]] = name
    return known.learnt(looked_up["database"], looked_up["group"], looked_up["replica"])
