"""Names for the GUIDs of seedings, names of hosts, and the coverage of each host."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from agtrace.history.base import View
from agtrace.history.coverage import coverage
from agtrace.resolve.names import is_address, same_host
from agtrace.resolve.replicas import HOSTS, HostNames
from agtrace.store.sql_files import beside

_sql = beside(__file__)

ENDS = ("ERRORLOG", "AlwaysOn_health", "other Extended Events", "support output")
"""Sources that can show a seeding's end; counters continue regardless of how it ended."""


class Names:
    """Names of databases and groups, and hosts of replicas, by GUID; later steps add more."""

    def __init__(self, view: View) -> None:
        self._hosts = HostNames(view.rows(HOSTS))
        self.databases: dict[str, str] = {}
        self.groups: dict[str, str] = {}
        self.replicas: dict[str, str] = {}
        for row in view.rows(_sql("names.sql")):
            self.learn(row["kind"], row["guid"], row["name"])

    def learn(self, kind: str, guid: str | None, name: str | None) -> None:
        """Add a name (of a replica that of its host) unless the guid has one."""
        name = self.host(name) if kind == "replica" else name
        if guid and name:
            known = {"database": self.databases, "group": self.groups, "replica": self.replicas}[kind]
            known.setdefault(guid, name)

    def host(self, written: str | None) -> str | None:
        """Return the host_id of a server or machine as something wrote it.

        None for none, and for an address under which the case has no host.
        """
        host = self._hosts.host_id(written or "")
        return None if not host or is_address(host) else host

    def is_other(self, written: str | None, host: str | None) -> bool:
        """Return whether a machine name is known to be another host."""
        known = self.host(written)
        return known is not None and host is not None and not same_host(known, host)


class Hosts:
    """Hosts with an ERRORLOG, hosts with perfmon, when each server started, and their coverage."""

    def __init__(self, view: View) -> None:
        times: dict[str, dict[str, list[datetime]]] = defaultdict(lambda: defaultdict(list))
        for row in view.rows(_sql("hosts.sql")):
            times[row["source"]][row["host_id"]].append(row["time"])
        self.logged, self.sampled = frozenset(times["errorlog"]), frozenset(times["perfmon"])
        self.starts = times["start"]
        self._coverage = coverage(view)

    def seen_until(self, host: str, time: datetime) -> datetime:
        """Return until when captures of a host would have shown the end of an ongoing seeding."""
        return self._coverage.until(host, None, time, ENDS)
