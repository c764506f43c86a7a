"""The reference clock of a case: UTC by the clock of one host.

Each maker of a relation subtracts `ahead_us` once, wherever a host's own time enters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.history.reference_clock.skews import skews
from agtrace.measure.base import once_per_case
from agtrace.tables import CONTENT_TABLES
from agtrace.tables.clock import REFERENCE_CLOCK
from agtrace.tables.rows import table_of

__all__ = ["MAKER", "ReferenceClock", "reference_clock"]


@dataclass(frozen=True)
class ReferenceClock:
    """The clock by which a case shows times.

    Parameters
    ----------
    host
        Host of the clock; empty for a case without hosts.
    ahead
        Lead of the clock of each compared host.
    others
        Hosts not compared with it: their times are by another clock, or their own.
    """

    host: str = ""
    ahead: Mapping[str, timedelta] = field(default_factory=dict)
    others: tuple[str, ...] = ()

    def of(self, time: datetime, host: str | None) -> datetime:
        """Return an instant of a host's own clock by the reference clock."""
        return time - self.ahead.get(host or "", timedelta())

    def own(self, time: datetime, host: str | None) -> datetime:
        """Return an instant of the reference clock by a host's own, which its captures have."""
        return time + self.ahead.get(host or "", timedelta())


@once_per_case
def reference_clock(view: View) -> ReferenceClock:
    """Return the reference clock of a case."""
    rows = view.rows("select * from reference_clock")
    compared = {row["host_id"]: row["ahead_us"] for row in rows if row["ahead_us"] is not None}
    host = rows[0]["reference_host"] if rows else ""
    others = tuple(row["host_id"] for row in rows if row["by_host"] != host)
    return ReferenceClock(host, {name: timedelta(microseconds=us) for name, us in compared.items()}, others)


def make(view: View) -> dict[str, pa.Table]:
    """Return a row per host."""
    hosts = [row["host_id"] for row in view.rows("select host_id from hosts order by host_id")]
    return {"reference_clock": table_of(rows(hosts, view.rows("select * from skew")), REFERENCE_CLOCK)}


def rows(hosts: Iterable[str], pairs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of the relation, in the order of the hosts.

    Parameters
    ----------
    pairs
        Rows of ``skew``.
    """
    ahead, names = skews(pairs), list(hosts)
    # The first of them has the most pairs.
    reference = next((by for by, _ms in ahead.values()), names[0] if names else "")
    return [
        {
            "host_id": name,
            "reference_host": reference,
            "by_host": ahead[name][0] if name in ahead else name,
            "ahead_us": round(1000 * ahead[name][1]) if name in ahead else None,
        }
        for name in names
    ]


MAKER = Maker(("reference_clock",), make, Sources(tables=tuple(CONTENT_TABLES), events=("",)))
