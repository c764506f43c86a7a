"""What is said by the few rows that are looked at one by one: facts, and the seeding DMVs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import chain, islice

import pyarrow as pa

from agtrace.readers.base import Batch, issue, rows
from agtrace.readers.fact_text import BATCH, Fact
from agtrace.readers.rowsets.encoding import Encoding
from agtrace.readers.rowsets.known import SIGNS, Facts, Kind, kind_of
from agtrace.readers.rowsets.row import Row
from agtrace.readers.rowsets.topics import COLLECTION
from agtrace.readers.seeding_dmv.columns import AUTOMATIC, COLUMNS, PHYSICAL, plain, topics_of
from agtrace.readers.seeding_dmv.decode import facts_of
from agtrace.readers.seeding_dmv.table import MAX_ROWS, Damage, Record, Table
from agtrace.tables import FACTS
from agtrace.tables import kernels as pc

MAX_FACTS = 100_000
"""Facts of a file that are read beside those of the seeding DMVs: a server says a few hundred."""

MAX_LOOKED_AT = 250_000
"""Rows that are looked at one by one."""
MAX_COLLECTIONS = 1_000
"""Rowsets that say who was looked at: they say the same at every look."""

_SEEDING = frozenset(COLUMNS[AUTOMATIC]) | frozenset(COLUMNS[PHYSICAL]) - {"role_desc"}


@cache
def _looked_at() -> pa.Array:
    # Arrow imports pandas to make an array of a list: not before there is a rowset.
    return pa.array(sorted(SIGNS | _SEEDING))


class Gathered:
    """Watches the batches of a text and keeps what facts are made of."""

    def __init__(self, encoding: Encoding) -> None:
        self.rowsets = 0
        self._unit = encoding.unit
        self._kinds: dict[int, tuple[list[str], Kind]] = {}
        self._seedings: dict[int, Table] = {}
        self._tables: list[Table] = []
        self._records = 0
        self._facts: list[Fact] = []
        self._made = Facts()
        self._damages: list[Damage] = []
        self._offsets: dict[int, int] = {}
        self._looks: dict[int, datetime | None] = {}
        self._is_full = False
        self._room = MAX_LOOKED_AT
        self._collections = 0

    def see(self, heads: pa.RecordBatch, found: pa.RecordBatch, offsets: pa.Array) -> None:
        """Take note of heads and of rows; a rowset may go on in the next ones."""
        self.rowsets += heads.num_rows
        self._see_heads(heads)
        if found.num_rows and (self._kinds or self._seedings):
            self._see_rows(found, offsets)
        last = found["rowset"][-1].as_py() if found.num_rows else None
        newest = heads["rowset"][-1].as_py() if heads.num_rows else last
        if newest is not None:
            self._kinds = {n: kind for n, kind in self._kinds.items() if n >= newest}
            self._seedings = {n: table for n, table in self._seedings.items() if n >= newest}

    def _see_heads(self, heads: pa.RecordBatch) -> None:
        if not heads.num_rows:
            return
        names = pc.utf8_lower(pc.list_flatten(heads["columns"]))
        known = pc.is_in(names, _looked_at())
        for place in pc.unique(pc.list_parent_indices(heads["columns"]).filter(known)).to_pylist():
            columns = heads["columns"][place].as_py()
            number, line = heads["rowset"][place].as_py(), heads["line"][place].as_py()
            if topics_of(columns):
                self._seedings[number] = Table(line, columns)
                continue
            lower = [plain(name) for name in columns]
            kind = kind_of(heads["name"][place].as_py(), lower)
            if kind and kind.topic == COLLECTION:
                self._collections += 1
                kind = kind if self._collections <= MAX_COLLECTIONS else None
            if kind:
                self._kinds[number] = (lower, kind)

    def _see_rows(self, found: pa.RecordBatch, offsets: pa.Array) -> None:
        wanted = pa.array([*self._kinds, *self._seedings], pa.int32())
        places = pc.indices_nonzero(pc.is_in(found["rowset"], wanted))
        self._is_full |= len(places) > self._room
        places = places.slice(0, self._room)
        self._room -= len(places)
        chosen = found.take(places)
        where = offsets.take(places).to_pylist()
        for row, offset in zip(chosen.to_pylist(), where, strict=True):
            number = row["rowset"]
            if table := self._seedings.get(number):
                self._looks[row["line"]] = row["time_local"]
                self._record(table, row["line"], row["cells"], offset)
            else:
                columns, kind = self._kinds[number]
                values: dict[str, str | None] = {}
                for name, cell in zip(columns, row["cells"], strict=False):
                    values.setdefault(name, cell)
                made = Row(row["line"], row["time_local"], values, row["row"] == 0)
                self._facts += self._made.of(kind, made)
                self._is_full |= len(self._facts) > MAX_FACTS

    def _record(self, table: Table, line: int, cells: list[str | None], offset: int) -> None:
        self._records += 1
        if self._records > MAX_ROWS:
            if self._records == MAX_ROWS + 1:
                message = f"too many rows: the first {MAX_ROWS:,} of the seeding DMVs are read"
                self._damages.append(Damage("too_many_rows", message, line, "data_loss"))
                self._offsets[line] = offset
            return
        self._offsets[line] = offset
        if not table.records:
            self._tables.append(table)
        filled = [*cells, *[None] * (len(table.header) - len(cells))]
        table.records.append(Record(line, filled))

    def facts(self) -> Iterator[Batch]:
        """Give the facts of the whole text."""
        seeded = (
            fact if fact.time_local else fact._replace(time_local=self._looks.get(fact.line or 0))
            for fact in facts_of(self._tables, self._damages)
        )
        made = chain(self._facts[:MAX_FACTS], seeded)
        while batch := list(islice(made, BATCH)):
            yield rows("facts", FACTS, [fact._asdict() for fact in batch])

    def issues(self) -> Iterator[Batch]:
        """Give one issue per kind of fault in what facts are made of."""
        if self._is_full:
            message = f"only the first {MAX_FACTS:,} values that a server says of itself are facts"
            yield issue("too_many_values", message, severity="data_loss")
        groups: dict[tuple[str, str], list[Damage]] = {}
        for damage in self._damages:
            groups.setdefault((damage.kind, damage.message.partition(",")[0]), []).append(damage)
        for (kind, _words), group in groups.items():
            first = min(group, key=lambda damage: damage.line)
            offset = self._offsets.get(first.line)
            yield issue(
                kind,
                f"line {first.line}: {first.message}",
                severity=first.severity,
                offset=None if offset is None else offset * self._unit,
                count=len(group),
            )
