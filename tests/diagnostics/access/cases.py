"""Simulated lives of two replicas of a group, A and B, as their ERRORLOGs and looks would show them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, timedelta

from agtrace.diagnostics.access import Access
from agtrace.say.finding import Finding
from tests.diagnostics.tiny import START, Case, case

GROUP = "{} | 0 | replica_state | 19406 | ag=AG; old_state=RESOLVING_NORMAL; new_state={}"
BOTH = "\n".join([GROUP.format("A", "PRIMARY_NORMAL"), GROUP.format("B", "SECONDARY_NORMAL")])
PARTNERS = """
A | 1 | replicas | ag=AG; replica=B; is_local=false; connected_state=DISCONNECTED
A | 1 | replicas | ag=AG; replica=A; is_local=true
"""
ADDRESS = "10.0.0.2"
MIRRORING = "Database Mirroring login attempt"

Entry = tuple[str, float, int | None, str]
"""Host, seconds after the start, number, text."""


def handshake(reason: str, state: int, user: str = "", address: str = ADDRESS) -> str:
    """Return the entry of an endpoint that refused a handshake (28047, 28048)."""
    who = f" by user '{user}.'" if user else ""
    inner = f"Connection handshake failed. {reason} State {state}."
    return f"{MIRRORING}{who} failed with error: '{inner}'.  [CLIENT: {address}]"


def denied(account: str = "CONTOSO\\sqlb") -> str:
    """Return the entry of an endpoint at which an account may not connect."""
    return handshake(f"The login '{account}' does not have CONNECT permission on the endpoint.", 84, account)


EXPIRED = handshake(
    "The certificate used by the peer is invalid due to the following reason: Certificate expired.", 89
)
OWN = handshake(
    "The certificate used by this endpoint was not found: Certificate expired. Use DBCC CHECKDB in master "
    "database to verify the metadata integrity of the endpoints.",
    85,
)
NO_CIPHER = handshake("There is no compatible encryption algorithm.", 22)
NO_PROTOCOL = handshake("There is no compatible authentication protocol.", 21)


def failed(code: str, words: str, url: str = "TCP://b.contoso.com:5022") -> str:
    """Return message 1474 about an attempt that failed with an error of Windows."""
    inner = f"Connection attempt failed with error: '{code}({words})'."
    return f"Database mirroring connection error 2 '{inner}' for '{url}'."


CLOSED = failed("10061", "No connection could be made because the target machine actively refused it.")
SILENT = failed("10060", "A connection attempt failed because the connected party did not properly respond")
NAMELESS = failed("11001", "No such host is known.")


def every(host: str, seconds: Iterable[float], number: int | None, text: str) -> list[Entry]:
    """Return a repeated entry."""
    return [(host, at, number, text) for at in seconds]


def life(
    entries: Iterable[Entry] = (),
    messages: str = BOTH,
    relations: str = PARTNERS,
    facts: str = "",
    events: str = "",
    until: dict[str, float] | None = None,
    skew: tuple[tuple[str, str, float], ...] = (),
) -> Case:
    """Return the case of a life.

    Parameters
    ----------
    until
        When the ERRORLOG of each host ends; one that is not named was not captured.
    """
    made = case(messages=messages, relations=relations, facts=facts, events=events, skew=skew)
    lasts = {"A": 7200.0, "B": 7200.0} if until is None else until
    own = [*entries, *((host, 0.0, None, "Logging begins.") for host in lasts)]
    own += [(host, last, None, "Logging ends.") for host, last in lasts.items()]
    rows = []
    for place, (host, at, number, text) in enumerate(own):
        local = START + timedelta(seconds=at)
        rows.append(
            {"content_id": f"errorlog-{host}", "host_id": host, "line": 10 + place, "time_local": local,
             "time": local.replace(tzinfo=UTC), "source": "Logon", "error": number, "message": text}
        )  # fmt: skip
    made.insert("errorlog", rows)
    covered = [
        {"host_id": host, "source": "ERRORLOG", "first": START.replace(tzinfo=UTC),
         "last": (START + timedelta(seconds=last)).replace(tzinfo=UTC), "records": 9, "captures": 1}
        for host, last in lasts.items()
    ]  # fmt: skip
    tell(made, "coverage", covered)
    return made


def tell(made: Case, name: str, rows: list[dict[str, object]]) -> None:
    """Make a relation hold rows, in place of its maker's."""
    made.run(f"delete from {name}")
    made.insert(name, rows)


def found(made: Case, id_: str = "access.") -> list[Finding]:
    """Return the findings of a life."""
    return [one for one in Access(made).findings() if one.id.startswith(id_)]
