"""Why a backup or restore failed: what the messages before 3041 say, or the role of the server.

Sources: messages 3201, 3202, 3203, 3257, 3271, 18204 and 18210 of sys.messages, which end in the number of an
operating system error; "System error codes" and "BACKUP (Transact-SQL)" (secondary replicas) of Microsoft's
documentation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_OF_SYSTEM = re.compile(r"(?:^|\s)(\d{1,5}) ?\((?!time)")
"""The number of an operating system error, with its text in brackets behind it, in any language."""
NO_SPACE = 3257

BY_ERROR = {
    2: "path", 3: "path", 15: "path", 21: "device", 23: "device", 1117: "device", 1167: "device",
    433: "device",
    5: "access", 32: "in_use", 33: "in_use", 112: "full", 39: "full", 53: "network", 59: "network",
    64: "network", 67: "network", 121: "network", 1231: "network", 1232: "network", 54: "network",
    86: "logon", 1326: "logon", 1385: "logon", 1331: "logon", 1219: "logon", 995: "aborted",
    665: "fragmented", 1450: "resources", 1453: "resources", 8: "resources", 14: "resources",
}  # fmt: skip
"""What an operating system error comes down to."""


@dataclass(frozen=True)
class Cause:
    """Why something failed.

    Parameters
    ----------
    kind
        access, path, full, network, logon, device, in_use, aborted, fragmented, resources, system (an error
        without words of ours) or secondary (the server was one, and takes no such backup).
    error
        The operating system error; None without one.
    place
        Which of the messages says so, from 0; None for none.
    """

    kind: str
    error: int | None = None
    place: int | None = None


def cause_of(
    texts: Iterable[str | None], numbers: Iterable[int | None], what: str, role: str | None
) -> Cause | None:
    """Give the cause of a failure; None where nothing tells it.

    Parameters
    ----------
    texts, numbers
        Its messages, and the numbers of messages that tell it.
    what
        As in "full backup".
    role
        The role that its server had in its groups then; None where that is not known.
    """
    for place, text in enumerate(texts):
        for found in _OF_SYSTEM.finditer(text or ""):
            error = int(found[1])
            return Cause(BY_ERROR.get(error, "system"), error, place)
    if NO_SPACE in numbers:
        return Cause("full")
    if role == "SECONDARY" and what in ("full backup", "differential backup"):
        return Cause("secondary")
    return None
