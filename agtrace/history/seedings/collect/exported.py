"""Automatic seeding as exports of sys.dm_hadr_automatic_seeding give it, times as they are written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agtrace.history.base import View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

Row = dict[str, Any]

TOPIC = "dm_hadr_automatic_seeding"


@dataclass(frozen=True)
class Exports:
    """What exports list.

    Parameters
    ----------
    listed
        Rows of each export, with the columns of exported.sql.
    offsets
        Which offsets from UTC (minutes) the local time of each host had.
    """

    listed: Sequence[Sequence[Row]]
    offsets: Mapping[str, Sequence[int]]


def exports(view: View) -> Exports:
    """Give the operations that each export lists."""
    listed: dict[str, list[Row]] = defaultdict(list)
    for row in view.rows(_sql("exported.sql")) if TOPIC in view.topics else []:
        listed[row["capture_id"]].append(row)
    offsets: dict[str, list[int]] = defaultdict(list)
    for row in view.rows(_sql("offsets.sql")) if listed else []:
        offsets[row["host_id"]].append(row["offset_minutes"])
    return Exports(list(listed.values()), offsets)
