"""Classification of endpoint entries: kind of failure, side at fault and far end.

Numbers come first: those of sys.messages, of Windows and of the handshake's state are in the texts of every
language. Sources: Microsoft documentation, "Database Engine events and errors 28000 to 30999" and "1000 to
1999"; "System Error Codes (9000-11999)" and "COM Error Codes (Security and Setup)" of Windows; "Troubleshoot
Database Mirroring Configuration".
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agtrace.resolve.names import is_address

CERTIFICATE, LOGIN, ALGORITHM = "certificate", "login", "algorithm"
REFUSED, TIMEOUT = "refused", "timeout"
HANDSHAKE = (CERTIFICATE, LOGIN, ALGORITHM)
"""Kinds in which the far end answered: network errors about them are a consequence."""

NEVER_ANSWERED = 35201
OF_ENDPOINTS = (
    *(1418, 1456, 1474, 9642, 9692, 9693),
    *(28024, 28025, 28027, 28031, 28034, 28035, 28036, 28037, 28045, 28047, 28048, 28055, 28080),
)
"""Numbers of sys.messages for an endpoint that was not reached or refused the connection."""

EXPIRED = "expired"


@dataclass(frozen=True)
class Failure:
    """The failure that an entry reports.

    Parameters
    ----------
    kind
        One of the five kinds of access.endpoint.
    reason
        Its cause; the key of its texts.
    is_own
        Whether the host that wrote the entry is at fault.
    by_text
        False if only the state of the handshake shows it: the log is in another language.
    """

    kind: str
    reason: str
    is_own: bool = False
    by_text: bool = True


_TEXTS = (
    # 28034, 28035, 28036, 28037, 28045, 28024 and 28025, 28027, 28080.
    ("does not have CONNECT permission on the endpoint", Failure(LOGIN, "permission", is_own=True)),
    ("The certificate used by the peer is invalid", Failure(CERTIFICATE, "peer")),
    ("The certificate used by the peer does not match", Failure(CERTIFICATE, "unknown")),
    ("The certificate used by this endpoint was not found", Failure(CERTIFICATE, "own", is_own=True)),
    ("private key corresponding to the certificate", Failure(CERTIFICATE, "key", is_own=True)),
    ("The security certificate bound to database principal", Failure(CERTIFICATE, "peer")),
    ("is not valid for endpoint authentication", Failure(CERTIFICATE, "own", is_own=True)),
    ("There is no compatible authentication protocol", Failure(ALGORITHM, "authentication")),
    ("There is no compatible encryption algorithm", Failure(ALGORITHM, "encryption")),
    ("endpoint is not configured", Failure(REFUSED, "none", is_own=True)),
)
_NUMBERS = {
    28034: Failure(LOGIN, "permission", is_own=True),
    28035: Failure(CERTIFICATE, "peer"),
    28045: Failure(CERTIFICATE, "unknown"),
    28036: Failure(CERTIFICATE, "own", is_own=True),
    28037: Failure(CERTIFICATE, "key", is_own=True),
    28024: Failure(CERTIFICATE, "peer"),
    28025: Failure(CERTIFICATE, "peer"),
    28055: Failure(CERTIFICATE, "own", is_own=True),
    28027: Failure(ALGORITHM, "either"),
    28080: Failure(REFUSED, "none", is_own=True),
    9692: Failure(REFUSED, "port", is_own=True),
    9693: Failure(REFUSED, "port", is_own=True),
    1418: Failure(TIMEOUT, "address"),
    1456: Failure(TIMEOUT, "address"),
    NEVER_ANSWERED: Failure(TIMEOUT, "silent"),
}
_WINDOWS = {
    "10061": Failure(REFUSED, "closed"),
    "10060": Failure(TIMEOUT, "silent"),
    "10050": Failure(TIMEOUT, "route"),
    "10051": Failure(TIMEOUT, "route"),
    "10064": Failure(TIMEOUT, "route"),
    "10065": Failure(TIMEOUT, "route"),
    "11001": Failure(TIMEOUT, "name"),
    "11002": Failure(TIMEOUT, "name"),
    "11003": Failure(TIMEOUT, "name"),
    "11004": Failure(TIMEOUT, "name"),
}
"""Errors of Windows sockets, as they appear before their bracketed text."""
_SECURITY = {
    "8009030c": Failure(LOGIN, "windows"),
    "8009030e": Failure(LOGIN, "windows"),
    "80090303": Failure(LOGIN, "windows"),
    "80090311": Failure(LOGIN, "windows"),
    "80090322": Failure(LOGIN, "windows"),
    "80090325": Failure(CERTIFICATE, "peer"),
    "80090328": Failure(CERTIFICATE, "peer"),
    "80090331": Failure(ALGORITHM, "tls"),
}
"""Errors of Windows security packages in the text of 28031."""
_STATES = {
    "21": Failure(ALGORITHM, "authentication", by_text=False),
    "22": Failure(ALGORITHM, "encryption", by_text=False),
    "84": Failure(LOGIN, "permission", is_own=True, by_text=False),
    "85": Failure(CERTIFICATE, "own", is_own=True, by_text=False),
    "89": Failure(CERTIFICATE, "peer", by_text=False),
}
"""States in which handshakes fail, the same in logs of all languages."""

_SOCKET = re.compile(r"\b(1[01]0\d\d)\(")
_STATUS = re.compile(r"\(?\b(800903[0-9a-f]{2})\)?", re.IGNORECASE)
_INNER = re.compile(r"\b(280\d\d|100\d\d|110\d\d)\b")
_STATE = re.compile(r"\b(\d{2})[.。]?\s?['\"„“”«»‘’]")
_NAMED = re.compile(r"TCP://\[?([\w.:%-]{1,255}?)\]?:(\d{1,5})\b", re.IGNORECASE)
_CLIENT = re.compile(r"\[[^\]:]{1,20}:\s?([0-9A-Fa-f.:%]{3,60})\]")
_FAR = re.compile(r"['\"„“”«»‘’]([0-9A-Fa-f.:]{3,60}?)['\"„“”«»‘’]\)")
_ACCOUNT = re.compile(r"['\"„“”«»‘’]([^'\"\\„“”«»‘’]{1,60}\\[^'\"\\„“”«»‘’]{1,60}?)\.?['\"„“”«»‘’]")


def failure_of(number: int | None, text: str) -> Failure | None:
    """Return the failure in an entry; None if it fits no kind.

    Parameters
    ----------
    number
        Number of sys.messages; None if the entry has none, such as handshakes (28047, 28048).
    """
    if "Service Broker login" in text or (number in (9692, 9693) and "Service Broker" in text):
        return None
    own = next((found for words, found in _TEXTS if words in text), None)
    if own is not None:
        return own
    if found := _of_code(text):
        return found
    if number in _NUMBERS:
        return _NUMBERS[number]
    if number == 9642:
        inner = (int(each) for each in _INNER.findall(text))
        return next((_NUMBERS.get(each) or _WINDOWS.get(str(each)) for each in inner), None)
    if number in (1474, 28047, 28048, None) and (states := _STATE.findall(text)):
        return next((_STATES[state] for state in states if state in _STATES), None)
    return None


def _of_code(text: str) -> Failure | None:
    # Data was sent or received on an existing connection: it ended, rather than failed to start.
    for code in _SOCKET.findall(text):
        if code in _WINDOWS:
            return _WINDOWS[code]
    return next(
        (_SECURITY[code.lower()] for code in _STATUS.findall(text) if code.lower() in _SECURITY), None
    )


def far_end(text: str) -> tuple[str, str]:
    """Return name and address of the far end as an entry has them; "" if missing."""
    if named := _NAMED.search(text):
        name = named[1]
        return ("", name) if is_address(name) or ":" in name else (name, "")
    found = _CLIENT.search(text) or _FAR.search(text)
    return "", found[1] if found else ""


def port_of(text: str) -> str:
    """Return the port of the endpoint that an entry names; "" if it names none."""
    named = _NAMED.search(text)
    return named[2] if named else ""


def account_of(text: str) -> str:
    """Return the account that tried to connect; "" if the entry names none."""
    found = _ACCOUNT.search(text)
    return found[1].strip() if found else ""


def is_expired(text: str) -> bool:
    """Return whether an English text calls a certificate expired."""
    return EXPIRED in text.lower()
