"""What is said by the few rows that are looked at one by one: facts, and the seeding DMVs."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from agtrace.readers.base import Batch, issue, rows
from agtrace.readers.fact_text import BATCH, MAX_FACTS, Fact
from agtrace.readers.rowsets.encoding import Encoding
from agtrace.readers.rowsets.known import SIGNS, Facts, Kind, Row, kind_of
from agtrace.readers.seeding_dmv.columns import AUTOMATIC, COLUMNS, PHYSICAL, plain, topics_of
from agtrace.readers.seeding_dmv.decode import facts_of
from agtrace.readers.seeding_dmv.table import MAX_ROWS, Damage, Record, Table
from agtrace.tables import FACTS

_SEEDING = frozenset(COLUMNS[AUTOMATIC]) | frozenset(COLUMNS[PHYSICAL]) - {"role_desc"}
_LOOKED_AT = pa.array(sorted(SIGNS | _SEEDING))


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
        known = pc.is_in(names, _LOOKED_AT)
        for place in pc.unique(pc.list_parent_indices(heads["columns"]).filter(known)).to_pylist():
            columns = heads["columns"][place].as_py()
            number, line = heads["rowset"][place].as_py(), heads["line"][place].as_py()
            if topics_of(columns):
                self._seedings[number] = table = Table(line, columns)
                if self._records < MAX_ROWS:
                    self._tables.append(table)
                continue
            lower = [plain(name) for name in columns]
            if kind := kind_of(heads["name"][place].as_py(), lower):
                self._kinds[number] = (lower, kind)

    def _see_rows(self, found: pa.RecordBatch, offsets: pa.Array) -> None:
        wanted = pa.array([*self._kinds, *self._seedings], pa.int32())
        places = pc.indices_nonzero(pc.is_in(found["rowset"], wanted))
        places = places.slice(0, max(MAX_FACTS - len(self._facts), 0))
        chosen = found.take(places)
        where = offsets.take(places).to_pylist()
        for row, offset in zip(chosen.to_pylist(), where, strict=True):
            number = row["rowset"]
            if table := self._seedings.get(number):
                self._record(table, row["line"], row["cells"], offset)
            else:
                columns, kind = self._kinds[number]
                values: dict[str, str | None] = {}
                for name, cell in zip(columns, row["cells"], strict=False):
                    values.setdefault(name, cell)
                made = Row(row["line"], row["time_local"], values, row["row"] == 0)
                self._facts += self._made.of(kind, made)

    def _record(self, table: Table, line: int, cells: list[str | None], offset: int) -> None:
        self._records += 1
        if self._records > MAX_ROWS:
            if self._records == MAX_ROWS + 1:
                message = f"too many rows: the first {MAX_ROWS:,} of the seeding DMVs are read"
                self._damages.append(Damage("too_many_rows", message, line, "data_loss"))
                self._offsets[line] = offset
            return
        self._offsets[line] = offset
        filled = [*cells, *[None] * (len(table.header) - len(cells))]
        table.records.append(Record(line, filled))

    def facts(self) -> Iterator[Batch]:
        """Give the facts of the whole text."""
        seeded, damages = facts_of(self._tables)
        self._damages += damages
        made = [*self._facts, *seeded][:MAX_FACTS]
        for at in range(0, len(made), BATCH):
            yield rows("facts", FACTS, [fact._asdict() for fact in made[at : at + BATCH]])

    def issues(self) -> Iterator[Batch]:
        """Give one issue per kind of fault in what facts are made of."""
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
