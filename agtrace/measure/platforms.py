"""The operating system of each host, so that advice names tools that exist there.

The only source of it: the banner of SQL Server's starts, else captures that exist on one system only.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from agtrace.measure.base import View, once_per_case
from agtrace.measure.starts import Start, starts, values
from agtrace.resolve.platforms import LINUX, OF_READER, WINDOWS, platform_of

__all__ = ["LINUX", "WINDOWS", "likely", "platforms"]


@once_per_case
def platforms(view: View) -> Mapping[str, str]:
    """Return Linux or Windows for each host if known; contradictory hosts are left out."""
    found: dict[str, set[str]] = {}
    for host, own in starts(view).items():
        found[host] = _named(own, ())
    told = view.rows(
        "select distinct host_id, reader from captures where host_id is not null and reader is not null"
    )
    for row in told:
        if row["reader"] in OF_READER and not found.get(row["host_id"]):
            found.setdefault(row["host_id"], set()).add(OF_READER[row["reader"]])
    return {host: names.pop() for host, names in found.items() if len(names) == 1}


def likely(known: Mapping[str, str], host: str | None) -> str:
    """Return the system whose tools an advice about a host may name: Windows unless Linux is indicated.

    A host of unknown system counts as Linux if all others run Linux.
    """
    own = known.get(host or "")
    return own or (LINUX if set(known.values()) == {LINUX} else WINDOWS)


def _named(own: Collection[Start], moments: Collection[datetime]) -> set[str]:
    return {name for os in values(own, "os", moments) if (name := platform_of(os))}
