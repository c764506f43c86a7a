"""What the guids of seeding stand for, learnt from whatever capture names one."""

from __future__ import annotations

from agtrace.history.base import View
from agtrace.history.seedings.collect.script import script


class Names:
    """Names of databases and groups and hosts of replicas, by guid."""

    def __init__(self, view: View | None = None) -> None:
        self.databases: dict[str, str] = {}
        self.groups: dict[str, str] = {}
        self.replicas: dict[str, str] = {}
        self._hosts: dict[str, str] = {}
        if view is None:
            return
        for row in view.table("select host_id, fci_network_name, aliases from hosts").to_pylist():
            listed = row["aliases"] or []
            for alias in (row["host_id"], row["fci_network_name"], *listed):
                if alias:
                    self._hosts[_label(alias)] = row["host_id"]
        for row in view.table(script("names.sql")).to_pylist():
            if row["kind"] == "replica":
                self.replicas[row["guid"]] = self.host(row["name"])
            elif row["kind"] == "group":
                self.groups[row["guid"]] = row["name"]
            else:
                self.databases[row["guid"]] = row["name"]

    def host(self, written: str) -> str:
        """Give the host_id of a server or machine as something wrote it."""
        label = _label(written)
        return self._hosts.get(label, label)

    def is_host(self, written: str | None, host: str | None) -> bool | None:
        """Tell whether a machine as written is a host; None when one of them is not known."""
        if not written or host is None:
            return None
        known = self.host(written)
        # NetBIOS names are cut at 15 characters.
        return (
            known == host
            or (len(known) == 15 and host.startswith(known))
            or (len(host) == 15 and known.startswith(host))
        )


def _label(written: str) -> str:
    text = written.strip().upper().removeprefix("TCP://")
    return text.split("\\")[0].split(".")[0].split(":")[0]
