"""Small rowsets whose rows are facts, known by the names of their columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from agtrace.moments import iso
from agtrace.readers.fact_text import Fact
from agtrace.readers.query_results import ring_buffers, topics
from agtrace.readers.query_results.row import Row

Cells = Sequence[str | None]

MAX_VALUE = 4000
"""Characters of a value that are kept."""


Said = Callable[[Row, int], Iterator[tuple[str, int, str, str | None]]]
"""Yields topic, item, key and value of each fact of a row; the argument is the number of the next item."""


def _pairs(topic: str, name: str, value: str) -> Said:
    """Read rows of which each has a name and a value: one item for the rowset."""

    def said(row: Row, item: int) -> Iterator[tuple[str, int, str, str | None]]:
        key = (row.get(name) or "").strip().rstrip(":").strip()
        if key:
            yield topic, max(item - (not row.is_first), 0), key, row.get(value)

    return said


_SCRIPT = {
    "sql server name": "server_name",
    "machine name": "machine_name",
    "sql version (sp)": "sql_version",
    "script name": "script",
    "script begin time": "look",
}


def _script(row: Row, _item: int) -> Iterator[tuple[str, int, str, str | None]]:
    if key := _SCRIPT.get((row.get("name") or "").lower()):
        yield topics.COLLECTION, 0, key, row.get("value")


def _trace_flag(row: Row, _item: int) -> Iterator[tuple[str, int, str, str | None]]:
    flag = row.get("traceflag") or ""
    if flag.isdigit() and len(flag) < 9:
        for key in ("global", "status", "session"):
            yield topics.TRACE_FLAG, int(flag), key, row.get(key)


def _configuration(row: Row, item: int) -> Iterator[tuple[str, int, str, str | None]]:
    for key in ("name", "value", "value_in_use"):
        yield topics.CONFIGURATION, item, key, row.get(key)


def _power_plan(row: Row, item: int) -> Iterator[tuple[str, int, str, str | None]]:
    yield topics.POWER_PLAN, item, "active", row.get("activeplanname")


FIRST_OF_VOLUME = "LogicalBytesPerSector"
"""First property that fsutil prints for each volume."""


def _sectors(row: Row, item: int) -> Iterator[tuple[str, int, str, str | None]]:
    key = (row.get("fsutil_property") or "").strip().rstrip(":").strip()
    is_next = row.is_first or key == FIRST_OF_VOLUME
    number = item if is_next else max(item - 1, 0)
    if is_next:
        yield topics.SECTOR_INFO, number, "volume", row.get("volume")
    if key:
        # Some lines are a statement without a value: "Trim Supported".
        yield topics.SECTOR_INFO, number, key, row.get("fsutil_value") or "true"


def _replica(row: Row, _item: int) -> Iterator[tuple[str, int, str, str | None]]:
    # In a distributed group, replicas are groups: a name of a group is never taken for that of a server.
    yield topics.COLLECTION, 0, "group", row.get("group_name")
    if row.get("is_local") == "1":
        yield topics.COLLECTION, 0, "server_name", row.get("replica_server_name")


def _two_clocks(row: Row, _item: int) -> Iterator[tuple[str, int, str, str | None]]:
    local, utc = iso(row.get("runtime")), iso(row.get("runtime_utc"))
    if local is None or utc is None or (local.tzinfo is None) != (utc.tzinfo is None):
        return
    minutes = (local - utc).total_seconds() / 60
    # Both are taken in one statement; offsets are quarters of an hour.
    quarters = round(minutes / 15)
    if abs(minutes - 15 * quarters) < 1:
        yield topics.COLLECTION, 0, "utc_offset_minutes", str(15 * quarters)


@dataclass(frozen=True)
class KnownRowset:
    """A rowset that is recognised by its columns.

    Parameters
    ----------
    columns
        Columns that it must have, in lower case; others are allowed.
    topic
        The topic whose items are its rows.
    said
        Yields the facts of a row.
    moment
        Returns the time of a row; default: the time of the snapshot.
    """

    columns: frozenset[str]
    topic: str
    said: Said
    moment: Callable[[Row], datetime | None] = lambda row: row.time_local


KINDS = (
    KnownRowset(
        frozenset({"propertyname", "propertyvalue"}),
        topics.SERVER_PROPERTY,
        _pairs(topics.SERVER_PROPERTY, "propertyname", "propertyvalue"),
    ),
    KnownRowset(frozenset({"traceflag", "global"}), topics.TRACE_FLAG, _trace_flag),
    KnownRowset(
        frozenset({"configuration_id", "value_in_use", "name"}), topics.CONFIGURATION, _configuration
    ),
    KnownRowset(
        frozenset({"argsname", "argsvalue"}),
        topics.STARTUP_ARGUMENT,
        _pairs(topics.STARTUP_ARGUMENT, "argsname", "argsvalue"),
    ),
    KnownRowset(frozenset({"activeplanname"}), topics.POWER_PLAN, _power_plan),
    KnownRowset(frozenset({"fsutil_property", "fsutil_value", "volume"}), topics.SECTOR_INFO, _sectors),
    KnownRowset(
        frozenset({"replica_server_name", "is_local", "availability_mode_desc"}), topics.COLLECTION, _replica
    ),
    KnownRowset(ring_buffers.COLUMNS, topics.RING_BUFFER, ring_buffers.said, ring_buffers.moment),
    KnownRowset(frozenset({"runtime", "runtime_utc"}), topics.COLLECTION, _two_clocks),
)

NAMED = (
    ("system_info", KnownRowset(frozenset({"property", "value"}), topics.SYSTEM_INFO,
                         _pairs(topics.SYSTEM_INFO, "property", "value"))),
    ("script and environment details", KnownRowset(frozenset({"name", "value"}), topics.COLLECTION, _script)),
)  # fmt: skip
"""Rowsets whose columns alone say nothing: with the name that they must have."""

SIGNS = frozenset(
    {"propertyname", "traceflag", "value_in_use", "argsname", "activeplanname", "property", "value",
     "replica_server_name", "runtime_utc", "fsutil_property", "ring_buffer_type"}
)  # fmt: skip
"""One column of each of these rowsets; a rowset without any of them is skipped."""


def kind_of(name: str | None, columns: Sequence[str]) -> KnownRowset | None:
    """Return what a rowset is by its columns (in lower case) and, if they are ambiguous, its name."""
    there = set(columns)
    for kind in KINDS:
        if kind.columns <= there:
            return kind
    if len(columns) == 2:
        for wanted, kind in NAMED:
            if kind.columns == there and (name or "").lower() == wanted:
                return kind
    return None


class Facts:
    """Turns the rows of known rowsets into facts."""

    def __init__(self) -> None:
        self._items: Counter[str] = Counter()
        self._collection: set[str] = set()

    def of(self, kind: KnownRowset, row: Row) -> Iterator[Fact]:
        """Yield the facts of a row."""
        item = self._items[kind.topic]
        last = item
        for topic, number, key, value in kind.said(row, item):
            last = max(last, number + 1)
            if value is None or (topic == topics.COLLECTION and not self._is_new(key, value)):
                continue
            value = value[:MAX_VALUE]
            yield Fact(topic, number, key, value, None, row.line, kind.moment(row))
        if kind.topic not in (topics.TRACE_FLAG, topics.COLLECTION):
            self._items[kind.topic] = last

    def _is_new(self, key: str, value: str) -> bool:
        """Return whether a script's fact is new: each snapshot repeats it."""
        if (told := f"{key}={value}") in self._collection or len(self._collection) > 100:
            return False
        self._collection.add(told)
        return True
