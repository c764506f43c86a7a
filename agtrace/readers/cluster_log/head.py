"""The first section of a cluster log: the node, and whether times are local or UTC.

``UTC = localtime + time zone offset; the time zone offset of this machine is 300 minutes`` has the opposite
sign of the usual offset.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OFFSET = re.compile(r"time zone offset of this machine is (-?\d{1,4}) minutes")
_LOCAL = re.compile(r"logs were generated using local ?time", re.IGNORECASE)
_UTC = re.compile(r"logs were generated using Coordinated Universal Time", re.IGNORECASE)
_NODE = re.compile(r"Current node: name \(([\w.-]{1,255})\)")
_BUILD = re.compile(r"^[ \t]*(?:OS )?Build Number:?[ \t]*(\d{1,9})", re.MULTILINE | re.IGNORECASE)
MAX_OFFSET = 14 * 60


@dataclass(frozen=True)
class Head:
    """Header of a cluster log; None for missing values.

    Parameters
    ----------
    offset_minutes
        Local time minus UTC.
    written_in
        ``local`` or ``utc``.
    """

    node: str | None = None
    offset_minutes: int | None = None
    written_in: str | None = None
    build: str | None = None

    @classmethod
    def of(cls, text: str) -> Head:
        """Read it from the beginning of a log."""
        offset, node, build = (found.search(text) for found in (_OFFSET, _NODE, _BUILD))
        minutes = -int(offset[1]) if offset else None
        written = "local" if _LOCAL.search(text) else "utc" if _UTC.search(text) else None
        return cls(
            node[1] if node else None,
            minutes if minutes is not None and abs(minutes) <= MAX_OFFSET else None,
            written,
            build[1] if build else None,
        )

    def values(self) -> dict[str, str]:
        """Return what is known, by the keys of topic ``cluster_log``."""
        offset = None if self.offset_minutes is None else str(self.offset_minutes)
        found = {
            "node": self.node,
            "utc_offset_minutes": offset,
            "written_in": self.written_in,
            "build": self.build,
        }
        return {key: value for key, value in found.items() if value is not None}
