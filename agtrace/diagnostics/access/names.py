"""Entries about the name and addresses of a listener, and the group of that listener.

Sources: Microsoft documentation, "Failover Clustering system log events" (1046 to 1259), "Database Engine
events and errors 19000 to 20999" (19450 to 19488), "Troubleshoot listener creation failures" (19471, 19476).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agtrace.diagnostics.access.rows import GroupsOfHosts, ListenerEntries, Listeners
from agtrace.resolve.names import host_name

ACCOUNT, DNS, DUPLICATE, ADDRESS = "account", "dns", "duplicate", "address"
NAME, PORT, CREATED, FAILED, OFFLINE = "name", "port", "created", "failed", "offline"
ORDER = (ACCOUNT, DUPLICATE, ADDRESS, DNS, PORT, NAME, CREATED, FAILED, OFFLINE)
"""Reasons, those most specific about the cause first."""

_MESSAGES = {
    NAME: (19471,),
    ADDRESS: (19451, 19455, 19456, 19457, 19458, 19461),
    PORT: (19486,),
    CREATED: (19452, 19453, 19476, 19488),
}
_EVENTS = {
    ACCOUNT: (1193, 1194, 1206, 1207, 1211, 1212, 1213, 1218, 1219, 1220),
    DNS: (1195, 1196, 1256, 1257, 1258, 1259),
    DUPLICATE: (1049,),
    ADDRESS: (1046, 1047, 1048, 1077, 1223),
    NAME: (1050, 1051, 1052, 1214, 1215),
    FAILED: (1069,),
}
REASON_OF_MESSAGE = {number: reason for reason, numbers in _MESSAGES.items() for number in numbers}
REASON_OF_EVENT = {number: reason for reason, numbers in _EVENTS.items() for number in numbers}
WITH_NAME = (19452, 19453, 19471)
"""Messages that contain the listener's DNS name, after the id of its resource."""
_WORDS = (
    (re.compile(r"failed registration of one or more associated\s+DNS", re.IGNORECASE), DNS),
    (re.compile(r"duplicate\s+IP\s+address", re.IGNORECASE), DUPLICATE),
    (re.compile(r"computer object|computer account", re.IGNORECASE), ACCOUNT),
    (re.compile(r"address\s+value is invalid|subnet\s+mask", re.IGNORECASE), ADDRESS),
)
"""Reasons of texts without a number; cluster logs are always in English."""

_QUOTE = "['\"„“”«»‘’]"
_QUOTED = re.compile(rf"{_QUOTE}([^'\"„“”«»‘’]{{1,260}}){_QUOTE}")
_IN_BRACKETS = re.compile(r"^\[RES\] (?:Network Name|IP Address|IPv6 Address) <([^>]{1,260})>")
_FIELD = re.compile(r"(?:^|; )(?P<name>\w{1,60}): (?P<value>[^;]{1,300})")
_KINDS = ("Network Name", "IP Address", "IPv6 Address")
_GUID = re.compile(r"[0-9A-Fa-f]{8}-[0-9A-Fa-f-]{27}")
SERVER = ("ERRORLOG", "Extended Events")
"""Sources written by SQL Server itself: the resources they name are listeners."""


def reason_of(row: ListenerEntries) -> str:
    """Return the reason in an entry."""
    reasons = REASON_OF_MESSAGE if row.source in SERVER else REASON_OF_EVENT
    if row.number is not None and reasons[row.number] != FAILED:
        return reasons[row.number]
    return next((reason for pattern, reason in _WORDS if pattern.search(row.text)), FAILED)


def resource_of(row: ListenerEntries) -> tuple[str, str]:
    """Return the resource or DNS name of an entry, and its role; "" if it has none."""
    text = row.text
    if row.resource:
        return row.resource, ""
    if found := _IN_BRACKETS.match(text):
        return found[1], ""
    fields = {name.lower(): value.strip() for name, value in _FIELD.findall(text)}
    if "resourcename" in fields:
        kind = fields.get("resourcetypename", fields.get("resourcetype", ""))
        is_other = row.number == 1069 and kind and kind not in _KINDS
        return ("", "") if is_other else (fields["resourcename"], fields.get("resourcegroup", ""))
    quoted = [each for each in _QUOTED.findall(text) if not _GUID.fullmatch(each)]
    if row.source in SERVER:
        return (quoted[0], "") if quoted and row.number in WITH_NAME else ("", "")
    if row.number == 1069 and not any(kind in text for kind in _KINDS):
        return "", ""
    role = next((each for each in quoted[1:] if each not in _KINDS), "") if "of type" in text else ""
    return (quoted[0] if quoted else "", role)


class ListenerNames:
    """Listeners by the cluster resources of their names and addresses.

    Parameters
    ----------
    looks
        Rows of listeners.sql.
    groups
        Rows of groups_of_hosts.sql.
    roles
        Roles of the cluster whose resources are named as SQL Server names those of a listener.
    """

    def __init__(
        self, looks: Iterable[Listeners], groups: Iterable[GroupsOfHosts], roles: Iterable[str] = ()
    ) -> None:
        self._named: dict[str, tuple[str, str]] = {}
        self._of_group: dict[str, list[str]] = {}
        self._of_host: dict[str, list[str]] = {}
        for row in groups:
            self._of_host.setdefault(row.host_id, []).append(row.ag)
            self._of_group.setdefault(row.ag, [])
        for role in roles:
            self._of_group.setdefault(role, [])
        for look in looks:
            ag, name = look.ag or "", look.listener
            self._named.setdefault(host_name(name) or name.upper(), (ag, name))
            if name not in self._of_group.setdefault(ag, []):
                self._of_group[ag].append(name)

    def find(
        self, resource: str, role: str, host: str | None, *, is_listener: bool = False
    ) -> tuple[str, str] | None:
        """Return group and listener; None if the name belongs to the cluster itself or to something else.

        SQL Server calls the resources of a listener ``group_name`` and ``group_address``.

        Parameters
        ----------
        is_listener
            Whether the name is certainly that of a listener, even if no capture lists it.
        """
        if not resource:
            return self._of(host)
        known = self._named.get(host_name(resource) or resource.upper())
        if known:
            return known
        groups = sorted((ag for ag in self._of_group if ag), key=len, reverse=True)
        for ag in groups:
            if resource.upper().startswith(f"{ag.upper()}_"):
                return self._one(ag, resource[len(ag) + 1 :])
        for ag in groups:
            if role and role.upper() == ag.upper():
                return self._one(ag, resource)
        if role and resource.upper().startswith(f"{role.upper()}_"):
            return self._one(role, resource[len(role) + 1 :])
        if is_listener:
            own = self._of_host.get(host or "", [])
            return own[0] if len(own) == 1 else "", resource
        return None

    def _of(self, host: str | None) -> tuple[str, str] | None:
        """Return the only listener that a host can mean: that of its only group."""
        own = self._of_host.get(host or "", [])
        return self._one(own[0], "") if len(own) == 1 else ("", "")

    def _one(self, ag: str, name: str) -> tuple[str, str]:
        """Return the listener of a name; an address means the only listener of its group."""
        known = self._named.get(host_name(name) or "")
        if known:
            return ag, known[1]
        own = self._of_group.get(ag, [])
        is_address = not name or bool(re.fullmatch(r"[0-9A-Fa-f.:]+", name))
        if is_address:
            return ag, own[0] if len(own) == 1 else ""
        return ag, name
