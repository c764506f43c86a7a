"""A span in which a replica of an availability group had one role."""

from __future__ import annotations

from dataclasses import dataclass

PRIMARY, SECONDARY, RESOLVING, UNKNOWN = "PRIMARY", "SECONDARY", "RESOLVING", "UNKNOWN"


@dataclass(frozen=True)
class Role:
    """A span in which a replica had one role.

    Parameters
    ----------
    start, end
        Seconds since 1970 on the node's axis; infinite if unbounded.
    evidence
        The source of the role.
    """

    role: str
    start: float
    end: float
    evidence: str
