"""access.listener: a listener whose name or address does not come online; access.clients: one in several
subnets, which clients have to know of.

Sources: besides those of `names`, Microsoft documentation, "Configure one or more Always On availability
group listeners", "Connect to an Always On availability group listener" (MultiSubnetFailover),
"RegisterAllProvidersIP setting", "HostRecordTTL setting".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import AddressValueError, NetmaskValueError, ip_network

from agtrace.diagnostics.access.measures import ADDRESSES, ENTRIES
from agtrace.diagnostics.access.names import (
    DNS,
    FAILED,
    OFFLINE,
    ORDER,
    SERVER,
    ListenerNames,
    reason_of,
    resource_of,
)
from agtrace.diagnostics.access.pairs import KnownConnections
from agtrace.diagnostics.access.rows import (
    GroupsOfHosts,
    ListenerEntries,
    Listeners,
    NameSettings,
    Online,
    Resources,
)
from agtrace.measures import Measured, quoted
from agtrace.say.finding import window
from agtrace.say.said import Judged

ONLINE = "ONLINE"
SHOWN = 3
UNKNOWN = "AG_listener"
"""Placeholder for a resource whose name is unknown."""
SEEN, LOOKED, INDIRECT = 0.9, 0.85, 0.6
SETTINGS = ("RegisterAllProvidersIP", "HostRecordTTL")


@dataclass(frozen=True)
class Look:
    """The last snapshot of a listener: its addresses and the time."""

    rows: Sequence[Listeners]
    time: datetime | None

    @property
    def is_known(self) -> bool:
        return any(row.state for row in self.rows)

    @property
    def is_online(self) -> bool:
        return any(str(row.state or "").upper() == ONLINE for row in self.rows)


def last_looks(rows: Iterable[Listeners]) -> dict[tuple[str, str], Look]:
    """Return the last snapshot of each listener, by group and name; rows of listeners.sql."""
    of: dict[tuple[str, str], list[Listeners]] = defaultdict(list)
    for row in rows:
        of[row.ag or "", row.listener].append(row)
    found = {}
    for key, own in of.items():
        last = own[-1]
        same = [row for row in own if (row.content_id, row.time_local) == (last.content_id, last.time_local)]
        found[key] = Look(list({row.ip_address: row for row in same}.values()), last.time)
    return found


def listeners(
    entries: Iterable[ListenerEntries],
    looks: Sequence[Listeners],
    groups: Sequence[GroupsOfHosts],
    online: Sequence[Online],
    known: KnownConnections,
    resources: Iterable[Resources] = (),
) -> list[Judged]:
    """Judge each listener whose name or address failed, or was offline in the last snapshot.

    Parameters
    ----------
    entries, looks, groups, online, resources
        Rows of listener_entries.sql, listeners.sql, groups_of_hosts.sql, online.sql and resources.sql.
    """
    named = [resource_of(row) for row in entries]
    roles = {role for resource, role in named if role and resource.upper().startswith(f"{role.upper()}_")}
    whose = ListenerNames(looks, groups, roles)
    of: dict[tuple[str, str], list[ListenerEntries]] = defaultdict(list)
    for row in entries:
        resource, role = resource_of(row)
        if not resource and row.source not in SERVER:
            continue
        key = whose.find(resource, role, row.host_id, is_listener=row.source in SERVER)
        if key is not None:
            of[key].append(row)
    last = last_looks(looks)
    back: dict[tuple[str, str], list[Online]] = defaultdict(list)
    for each in online:
        if each.resource and (key := whose.find(each.resource, "", None)):
            back[key].append(each)
    found = [_failed(key, rows, last.get(key), back.get(key, []), known) for key, rows in of.items()]
    for key, look in last.items():
        if key not in of and look.is_known and not look.is_online:
            found.append(_offline(key, look, known))
    shown = {key for key, look in last.items() if look.is_known}
    for down in resources:
        key = whose.find(down.resource, down.role, None)
        if key is None or key in of or key in shown:
            continue
        found.append(_offline(key, Look([_as_address(down)], down.time), known))
    return sorted(found, key=lambda one: (str(one.window.get("start")), *one.subject.values()))


def _as_address(resource: Resources) -> Listeners:
    """Return a name that the cluster shows as down in the place of a listener's address."""
    return Listeners(
        ag=resource.role,
        listener=resource.resource,
        port=None,
        ip_address=resource.resource,
        subnet_mask=None,
        state=resource.state,
        host_id=resource.host_id,
        time=resource.time,
        time_local=resource.time_local,
        content_id=resource.content_id,
        line=resource.line,
    )


def _failed(
    key: tuple[str, str],
    rows: Sequence[ListenerEntries],
    look: Look | None,
    online: Sequence[Online],
    known: KnownConnections,
) -> Judged:
    ag, listener = key
    rows = sorted(rows, key=lambda row: (row.first, row.source, row.text))
    reasons = [reason for reason in ORDER if any(reason_of(row) == reason for row in rows)]
    # A failed resource (1069) adds nothing if another entry has the reason (1049).
    reasons = [reason for reason in reasons if reason != FAILED] or reasons
    first, last = min(row.first for row in rows), max(row.last for row in rows)
    is_local = any(row.is_local for row in rows)
    back = next((row.time for row in online if row.time > last), None)
    if back is None and look is not None and look.is_online and look.time is not None and look.time > last:
        back = look.time
    shown = sorted(rows, key=lambda row: (ORDER.index(reason_of(row)), -row.n, row.first))[:SHOWN]
    counted = _most(rows)
    ends = tuple(end.replace(tzinfo=None) for end in (first, last)) if is_local else (first, last)
    # A name that is missing in DNS can still be online: coming online does not resolve it.
    is_over = back is not None and reasons != [DNS]
    return Judged(
        said="listener.failed",
        id="access.listener",
        severity="notice" if is_over else "warning",
        subject=_subject(ag, listener),
        window=window(*ends, is_local=is_local),
        evidence=(
            ENTRIES(sum(row.n for row in counted), counted[0].source),
            *(_text(row, known) for row in shown),
            *_addresses(look, known),
        ),
        confidence=SEEN if listener else INDIRECT,
        facts={
            "ag": ag, "listener": listener, "reasons": reasons, "n": sum(row.n for row in counted),
            "first": ends[0], "last": ends[1], "back": back if is_over else None,
            "hosts": sorted({row.host_id for row in rows if row.host_id}),
            "text": shown[0].text.rstrip(" ."),
            "resource": f"{ag}_{listener}" if ag and listener else UNKNOWN,
            "states": _states(look), "looked": look.time if look else None,
        },
    )  # fmt: skip


def _most(rows: Sequence[ListenerEntries]) -> list[ListenerEntries]:
    """Return the entries of the source with the most; several report the same failures."""
    of: dict[str, list[ListenerEntries]] = defaultdict(list)
    for row in rows:
        of[row.source].append(row)
    return max(of.values(), key=lambda own: (sum(row.n for row in own), own[0].source))


def _offline(key: tuple[str, str], look: Look, known: KnownConnections) -> Judged:
    ag, listener = key
    time = look.time or look.rows[-1].time_local
    return Judged(
        said="listener.offline",
        id="access.listener",
        severity="warning",
        subject=_subject(ag, listener),
        window=window(time, time, is_local=look.time is None) if time else {},
        evidence=(ADDRESSES(len(look.rows), _place(look.rows[0], known)), *_addresses(look, known)),
        confidence=LOOKED,
        facts={
            "ag": ag,
            "listener": listener,
            "reasons": [OFFLINE],
            "states": _states(look),
            "looked": time,
            "resource": f"{ag}_{listener}" if ag and listener else UNKNOWN,
        },
    )


def clients(
    looks: Sequence[Listeners], settings: Sequence[NameSettings], known: KnownConnections
) -> list[Judged]:
    """Judge the client settings that each listener in several subnets needs."""
    found = []
    for (ag, listener), look in sorted(last_looks(looks).items()):
        subnets = {_subnet(row) for row in look.rows} - {None}
        if len(subnets) < 2:
            continue
        told = {
            row.setting: row.value
            for row in settings
            if (row.item or "").upper() in (f"{ag}_{listener}".upper(), listener.upper())
        }
        time = look.time or look.rows[-1].time_local
        found.append(
            Judged(
                said="clients",
                id="access.clients",
                severity="info",
                subject=_subject(ag, listener),
                window=window(time, time, is_local=look.time is None) if time else {},
                evidence=(
                    ADDRESSES(len(look.rows), _place(look.rows[0], known)),
                    *_addresses(look, known),
                    *(
                        quoted(name, told[name], "parameters of the cluster")
                        for name in SETTINGS
                        if name in told
                    ),
                ),
                confidence=SEEN,
                facts={
                    "ag": ag,
                    "listener": listener,
                    "subnets": len(subnets),
                    "all_registered": told.get("RegisterAllProvidersIP"),
                    "ttl": told.get("HostRecordTTL"),
                    "resource": f"{ag}_{listener}" if ag else listener,
                },
            )
        )
    return found


def _subnet(row: Listeners) -> str | None:
    if not row.ip_address:
        return None
    try:
        return str(ip_network(f"{row.ip_address}/{row.subnet_mask or 32}", strict=False))
    except (AddressValueError, NetmaskValueError, ValueError):
        return None


def _subject(ag: str, listener: str) -> dict[str, str]:
    return {name: value for name, value in (("ag", ag), ("listener", listener)) if value}


def _states(look: Look | None) -> list[str]:
    rows = look.rows if look else ()
    return [f"{row.ip_address} {row.state}" for row in rows if row.ip_address and row.state]


def _addresses(look: Look | None, known: KnownConnections) -> list[Measured]:
    rows = look.rows if look else ()
    return [
        quoted(f"address {row.ip_address}", row.state or "state not shown", _place(row, known))
        for row in rows
        if row.ip_address
    ][:10]


def _text(row: ListenerEntries, known: KnownConnections) -> Measured:
    place = known.place(row.content_id, row.line, row.source)
    return quoted(f"its text, {row.n:,} x", row.text, place)


def _place(row: Listeners, known: KnownConnections) -> str:
    return known.place(row.content_id, row.line, "listeners")
