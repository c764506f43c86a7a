"""Rows that are few and read one by one: facts, the seeding DMVs, and routes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import chain, islice
from typing import Any

import pyarrow as pa

from agtrace.readers.base import Batch, rows
from agtrace.readers.fact_text import BATCH, Fact
from agtrace.readers.query_results import routing
from agtrace.readers.query_results.known import SIGNS, Facts, KnownRowset, kind_of
from agtrace.readers.query_results.layouts.table import Notice
from agtrace.readers.query_results.row import Row
from agtrace.readers.query_results.seeding.columns import AUTOMATIC, COLUMNS, PHYSICAL, topics_of
from agtrace.readers.query_results.seeding.facts import Record, SeedingTable, facts_of
from agtrace.readers.query_results.topics import COLLECTION
from agtrace.tables import FACTS
from agtrace.tables import kernels as pc
from agtrace.tables.column_names import plain

MAX_FACTS = 100_000
"""Facts of a file that are read beside those of the seeding DMVs: a server says a few hundred."""

MAX_LOOKED_AT = 250_000
"""Rows that are read one by one."""
AT_ONCE = 5_000
"""Of them at the same time."""
MAX_SEEDINGS = 20_000
"""Rows of the seeding DMVs that are read: more than two days at one every ten seconds."""
MAX_COLLECTIONS = 1_000
"""Rowsets that say who was asked: they say the same in every snapshot."""
CUT = 256
"""Maximum number of characters that SSMS shows of a value by default."""

_SEEDING = frozenset(COLUMNS[AUTOMATIC]) | frozenset(COLUMNS[PHYSICAL]) - {"role_desc"}
_CUT_MESSAGE = "a value fills its column and may be cut: allow more characters per column"
_NO_ROWS = "a header without rows: at that moment the server knew of no seeding"
_TOO_MANY = f"too many rows: the first {MAX_SEEDINGS:,} of the seeding DMVs are read"


@cache
def _looked_at() -> pa.Array:
    # Arrow imports pandas to make an array of a list: not before there is a rowset.
    return pa.array(sorted(SIGNS | _SEEDING))


class Gathered:
    """Inspects the batches of a text and collects the rows for facts.

    Parameters
    ----------
    unit
        Bytes of what offsets count.
    """

    def __init__(self, unit: int) -> None:
        self.rowsets = 0
        self.notices: list[Notice] = []
        self.offsets: dict[int, int] = {}
        self._unit = unit
        self._kinds: dict[int, tuple[list[str], KnownRowset]] = {}
        self._seedings: dict[int, SeedingTable] = {}
        self._routes: dict[int, routing.Routes] = {}
        self._tables: list[SeedingTable] = []
        self._lists: list[routing.Routes] = []
        self._records = 0
        self._facts: list[Fact] = []
        self._made = Facts()
        self._snapshots: dict[int, datetime | None] = {}
        self._is_full = False
        self._room = MAX_LOOKED_AT
        self._collections = 0

    def see(self, heads: pa.RecordBatch, found: pa.RecordBatch, offsets: pa.Array | None) -> None:
        """Note heads and rows; a rowset may go on in the next ones. Offsets are those of the rows."""
        self.rowsets += heads.num_rows
        self._see_heads(heads)
        if found.num_rows and (self._kinds or self._seedings or self._routes):
            self._see_rows(found, offsets)
        last = found["rowset"][-1].as_py() if found.num_rows else None
        newest = heads["rowset"][-1].as_py() if heads.num_rows else last
        if newest is not None:
            self._kinds = {n: kind for n, kind in self._kinds.items() if n >= newest}
            self._seedings = {n: table for n, table in self._seedings.items() if n >= newest}
            self._routes = {n: routes for n, routes in self._routes.items() if n >= newest}

    def _see_heads(self, heads: pa.RecordBatch) -> None:
        if not heads.num_rows:
            return
        names = pc.utf8_lower(pc.list_flatten(heads["columns"]))
        known = pc.or_(pc.is_in(names, _looked_at()), pc.match_substring(names, "priority"))
        for place in pc.unique(pc.list_parent_indices(heads["columns"]).filter(known)).to_pylist():
            columns = heads["columns"][place].as_py()
            number, line = heads["rowset"][place].as_py(), heads["line"][place].as_py()
            if topics_of(columns):
                self._seedings[number] = SeedingTable(line, columns)
                self._tables.append(self._seedings[number])
                continue
            lower = [plain(name) for name in columns]
            if found := routing.header_of(lower):
                self._routes[number] = routing.Routes(line, found)
                self._lists.append(self._routes[number])
            kind = kind_of(heads["name"][place].as_py(), lower)
            if kind and kind.topic == COLLECTION:
                self._collections += 1
                kind = kind if self._collections <= MAX_COLLECTIONS else None
            if kind:
                self._kinds[number] = (lower, kind)

    def _see_rows(self, found: pa.RecordBatch, offsets: pa.Array | None) -> None:
        wanted = pa.array([*self._kinds, *self._seedings, *self._routes], pa.int32())
        places = pc.indices_nonzero(pc.is_in(found["rowset"], wanted))
        self._is_full |= len(places) > self._room
        places = places.slice(0, self._room)
        self._room -= len(places)
        for begin in range(0, len(places), AT_ONCE):
            some = places.slice(begin, AT_ONCE)
            where = offsets.take(some).to_pylist() if offsets is not None else [None] * len(some)
            self._see_some(found.take(some).to_pylist(), where)

    def _see_some(self, chosen: list[dict[str, Any]], where: list[int | None]) -> None:
        for row, offset in zip(chosen, where, strict=True):
            number = row["rowset"]
            if table := self._seedings.get(number):
                if offset is not None:
                    self._snapshots[row["line"]] = row["time_local"]
                self._record(table, row["line"], row["cells"], offset)
                continue
            if (routes := self._routes.get(number)) and not routes.take(row["line"], row["cells"]):
                self.notices.append(Notice("damaged_row", "rows left out: they name no route", row["line"]))
            if number in self._kinds:
                columns, kind = self._kinds[number]
                values: dict[str, str | None] = {}
                for name, cell in zip(columns, row["cells"], strict=False):
                    values.setdefault(name, cell)
                made = Row(row["line"], row["time_local"], values, row["row"] == 0)
                self._facts += self._made.of(kind, made)
                self._is_full |= len(self._facts) > MAX_FACTS

    def _record(self, table: SeedingTable, line: int, cells: list[str | None], offset: int | None) -> None:
        self._records += 1
        if offset is not None and self._records <= MAX_SEEDINGS + 1:
            self.offsets[line] = offset * self._unit
        if self._records > MAX_SEEDINGS:
            if self._records == MAX_SEEDINGS + 1:
                self.notices.append(Notice("too_many_rows", _TOO_MANY, line, "data_loss"))
            return
        filled = [*cells, *[None] * (len(table.header) - len(cells))]
        table.records.append(Record(line, filled))
        if any(cell and len(cell) == CUT for cell in cells):
            self.notices.append(Notice("cut_value", _CUT_MESSAGE, line, "info"))

    def facts(self, lines: int) -> Iterator[Batch]:
        """Return the facts of the whole text, which has so many lines."""
        seeded = (
            fact if fact.time_local else fact._replace(time_local=self._snapshots.get(fact.line or 0))
            for fact in facts_of(self._tables, self.notices)
        )
        made = chain(self._facts[:MAX_FACTS], seeded, routing.facts_of(self._lists, lines, self.notices))
        while batch := list(islice(made, BATCH)):
            yield rows("facts", FACTS, [fact._asdict() for fact in batch])
        if self._tables and not any(table.records for table in self._tables) and not self.notices:
            self.notices.append(Notice("no_rows", _NO_ROWS, self._tables[0].line, "info"))
        if self._is_full:
            message = f"only the first {MAX_FACTS:,} values that a server says of itself are facts"
            self.notices.append(Notice("too_many_values", message, 0, "data_loss"))
