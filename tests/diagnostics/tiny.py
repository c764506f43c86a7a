"""A case made of text tables: the relations of docs/store.md in memory, for diff tests.

``case(perfmon=..., messages=..., facts=...)`` takes tables of lines with cells between ``|``:

perfmon
    ``host | \\Object(instance)\\Counter | values``. Values are segments in a row, separated by
    commas: ``5`` holds, ``0..300`` rises in equal steps, ``20x7`` lasts 20 samples, ``-`` is blank,
    ``100~3`` moves by up to 3 percent around 100. The last segment fills what is left.
messages
    ``host | seconds after the start | topic | message id | key=value; key=value``
facts
    ``host | topic | item | key | value | seconds``, the last of which may be left out
events
    ``host | seconds | event | field=value; field=value``. Only the fields that some row names are
    columns, as if the server's build had no others. Times among the fields are seconds, too.
relations
    ``host | seconds | relation | column=value; column=value``: rows of a relation of what happened,
    in place of what its maker finds. Numbers and truths are spelled out; columns left out are NULL.
    ``-`` for the seconds is a row without a time. ``time_local`` is START and the seconds, ``time`` the
    same in UTC where the zone of the host is known.

A host is written ``SQL1``, or ``SQL1@name`` where a host has several files of a kind; ``@name`` is a
file whose host is not known.
"""

from __future__ import annotations

import contextlib
import itertools
import re
import weakref
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from agtrace.history import makers
from agtrace.history.base import Maker, Query
from agtrace.history.offering import made
from agtrace.resolve.opening import RESOLVED
from agtrace.resolve.overlap import prefer
from agtrace.store import view as store_view
from agtrace.store.scratch import unused
from agtrace.store.view import CaseView
from agtrace.tables import CONTENT_TABLES, LOCAL_TIME
from agtrace.tables.history import RELATIONS
from simulation.formats.xel import filetime
from simulation.formats.xel_schema import Map
from simulation.formats.xel_sessions import SCHEMAS

START = datetime(2024, 3, 5, 12, 0, 0)
FIRST, LAST = datetime(1, 1, 1), datetime(9999, 12, 31)
WOBBLE = np.array([0.0, 1.0, -1.0, 0.5, -0.5, 0.8, -0.8])
PATH = re.compile(r"\\(?P<object>[^\\(]+)(?:\((?P<instance>.*)\))?\\(?P<counter>.+)$")
SAYS_ELSE = re.compile(r"\b(?:insert into|update|delete from) (?:messages|facts)\b", re.IGNORECASE)
INSERTED = re.compile(r"\binsert into (\w+)", re.IGNORECASE)
SEGMENT = re.compile(r"(?:(\d+)x)?(-$|-?[\d.]+?)(?:\.\.([\d.]+))?(?:~([\d.]+))?$")

NOTHING = {
    f"raw_{name}": pa.schema([pa.field("content_id", pa.string()), *schema]).empty_table()
    for name, schema in CONTENT_TABLES.items()
} | {name: schema.empty_table() for name, schema in RESOLVED.items()}
CHANGED = (
    "ticks", "samples", "errorlog", "messages", "facts", "issues", "rowset_heads", "rowset_rows",
)  # fmt: skip
"""Relations that are views of an opened case; tests may change what stands in them."""


_numbers = itertools.count(1)
_connect = store_view.connect


@cache
def _instance() -> duckdb.DuckDBPyConnection:
    return _connect(unused("spill"), few_rows=True)


def _attached(_spill: Path, *, few_rows: bool) -> duckdb.DuckDBPyConnection:
    """Return a connection to an empty database of its own, in the one instance of all tiny cases."""
    connection = _instance().cursor()
    name = f"tiny{next(_numbers)}"
    connection.execute(f"ATTACH ':memory:' AS {name}; USE {name}; CREATE SCHEMA scratch")
    connection.execute("SET TimeZone = 'UTC'; SET enable_progress_bar = false")
    return connection


def _detach(connection: duckdb.DuckDBPyConnection) -> None:
    with contextlib.suppress(duckdb.Error):
        (name,) = connection.execute("SELECT current_database()").fetchone() or ("",)
        connection.execute(f"USE memory; DETACH {name}")
        connection.close()


class Case(CaseView):
    """The relations of an opened case, in memory, by the same SQL.

    Parameters
    ----------
    tables
        Rows of the resolved tables, and of the content tables as ``raw_<name>``.
    shown
        Ids of the captures that are left in `captures`; the others only hold what is said of them.
    told
        Rows of relations of what happened, in place of what their makers find.
    """

    _topics: frozenset[str] | None = None

    def __init__(
        self,
        tables: dict[str, list[dict[str, Any]] | pa.Table] | None = None,
        shown: set[str] | None = None,
        told: dict[str, pa.Table] | None = None,
    ) -> None:
        given = NOTHING | {name: _typed(rows, NOTHING[name].schema) for name, rows in (tables or {}).items()}
        rows = {name: given[f"raw_{name}"] for name in CONTENT_TABLES}
        # Starting DuckDB takes longer than most tests.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(store_view, "connect", _attached)
            super().__init__({}, {name: given[name] for name in RESOLVED}, rows=rows)
        weakref.finalize(self, _detach, self.connection)
        said = (rows[name]["topic"].unique() for name in ("messages", "facts"))
        self._topics = frozenset(topic for each in said for topic in each.to_pylist())
        prefer(self)
        for name in (name for name in CHANGED if name not in self.empty):
            self.run(f"create table kept as from {name}; drop view {name}; alter table kept rename to {name}")
        # Clocks of captures are not part of a tiny case; its tests say them where they matter.
        self.run("delete from clocks")
        self.run("delete from captures where not list_contains($shown, capture_id)",
                 {"shown": sorted(shown or ())})  # fmt: skip
        for maker in makers():
            mine = {name: rows for name, rows in (told or {}).items() if name in maker.relations}
            self.offer(maker.relations, partial(_make, self, maker, mine))

    @property
    def topics(self) -> frozenset[str]:
        """Topics of what stands in the tables now: tests put rows into them."""
        if self._topics is None:
            said = "select topic from messages union select topic from facts"
            self._topics = frozenset(row["topic"] for row in self.rows(said))
        return self._topics

    def run(self, script: str, parameters: dict[str, Any] | None = None) -> None:
        """Run a script, which may fill tables and change what messages and facts say."""
        super().run(script, parameters)
        self.filled |= set(INSERTED.findall(script)) & CONTENT_TABLES.keys()
        if SAYS_ELSE.search(script):
            self._topics = None

    def insert(self, table: str, rows: list[dict[str, Any]] | pa.Table) -> None:
        """Put rows into a relation; columns that they lack are NULL."""
        if not len(rows):
            return
        batch = rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(rows)
        self.connection.register("batch", batch)
        self.connection.execute(f"insert into {table} by name select * from batch")
        self.connection.unregister("batch")
        self._topics = None
        self.filled |= {table} & CONTENT_TABLES.keys()


def _make(view: Case, maker: Maker, told: dict[str, pa.Table]) -> dict[str, pa.Table | Query]:
    """Run a maker for its relations, except those given by a test."""
    found = made(view, maker) if maker.sources.are_in(view) else maker.nothing()
    return {**found, **told}


def _typed(rows: list[dict[str, Any]] | pa.Table, schema: pa.Schema) -> pa.Table:
    """Return rows with all of a table's columns."""
    if isinstance(rows, list):
        return pa.Table.from_pylist(rows, schema=schema)
    lacking = [name for name in schema.names if name not in rows.column_names]
    for name in lacking:
        rows = rows.append_column(name, pa.nulls(len(rows), schema.field(name).type))
    return rows.select(schema.names).cast(schema)


def lines(text: str) -> list[list[str]]:
    """Split a text table into rows of cells."""
    return [[cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.strip()]


def values(text: str, rows: int) -> np.ndarray:
    """Spell out the values of a series, NaN for blanks."""
    segments = [segment.strip() for segment in text.split(",")]
    done: list[np.ndarray] = []
    for place, segment in enumerate(segments):
        match = SEGMENT.fullmatch(segment)
        if match is None:
            raise ValueError(f"not a segment of values: {segment!r}")
        length, first, last, percent = match.groups()
        left = rows - sum(map(len, done))
        size = left if place == len(segments) - 1 else min(int(length or 1), left)
        if first == "-":
            done.append(np.full(size, np.nan))
            continue
        series = np.linspace(float(first), float(last or first), size)
        if percent:
            series = series * (1 + float(percent) / 100 * np.resize(WOBBLE, size))
        done.append(series)
    return np.concatenate(done)


def series(path: str) -> dict[str, str | None]:
    """Take a counter path apart as the readers do."""
    match = PATH.match(path)
    if match is None:
        raise ValueError(f"not a counter path: {path!r}")
    name, sql_instance = match["object"], None
    if name.startswith("MSSQL$"):
        sql_instance, rest = name[6:].split(":")
        name = f"SQLServer:{rest}"
    elif name.startswith("SQLServer:"):
        sql_instance = "MSSQLSERVER"
    return {"sql_instance": sql_instance, "object": name, "instance": match["instance"],
            "counter": match["counter"], "path": path}  # fmt: skip


def case(
    perfmon: str = "",
    messages: str = "",
    facts: str = "",
    events: str = "",
    relations: str = "",
    *,
    rows: int = 120,
    every: float = 5.0,
    zone_unknown: tuple[str, ...] = (),
    skew: tuple[tuple[str, str, float], ...] = (),
    settings: dict[str, Any] | None = None,
) -> Case:
    """Build a case from text tables; every host's perfmon is a capture of its own."""
    texts = (perfmon, messages, facts, events, relations)
    hosts = dict.fromkeys(row[0].split("@")[0] for text in texts for row in lines(text))
    hosts.pop("", None)
    tables: dict[str, list[dict[str, Any]] | pa.Table] = {
        "hosts": [{"host_id": host, "display_name": host} for host in hosts],
        "skew": [
            {"host_id": a, "other_host_id": b, "ms": ms, "spread_ms": 1.0, "n": 9, "method": "test"}
            for a, b, ms in skew
        ],
    }
    captures: dict[str, dict[str, Any]] = {}
    clocks: list[dict[str, Any]] = []

    def capture(content: str, host: str | None, zone_of: str | None, **more: Any) -> None:
        """Register a content, with a clock if its host has a zone."""
        if content in captures:
            return
        captures[content] = {"capture_id": content, "content_id": content, "path": content,
                             "host_id": host, "has_part": True, **more}  # fmt: skip
        if zone_of not in zone_unknown:
            clocks.append({"capture_id": content, "content_id": content, "tick_from": 0,
                           "local_from": FIRST, "local_to": LAST,
                           "offset_minutes": 0})  # fmt: skip

    tables |= _perfmon(lines(perfmon), rows, every, capture)
    shown = set(captures)
    tables["raw_messages"] = _messages(lines(messages), capture)
    tables["raw_facts"] = _facts(lines(facts), capture)
    tables |= {"captures": list(captures.values()), "clocks": clocks}
    made = Case(tables, shown, _told(lines(relations), zone_unknown))
    made.settings = settings or {}
    _insert_events(made, events)
    return made


Known = Callable[..., None]
"""Lets a content be known: its id, its host, whose zone counts, and more columns of captures."""


def _perfmon(
    written: list[list[str]], rows: int, every: float, capture: Known
) -> dict[str, list[dict[str, Any]] | pa.Table]:
    local = pa.array([START + timedelta(seconds=every * i) for i in range(rows)], LOCAL_TIME)
    counters: list[dict[str, Any]] = []
    ticks: list[pa.Table] = []
    samples: list[pa.Table] = []
    for host in dict.fromkeys(row[0] for row in written):
        content = f"perfmon-{host}"
        capture(content, host, host, path=f"{host}.csv", kind="pdh", status="ingested", rows=rows)
        ticks.append({"content_id": [content] * rows, "tick": range(rows), "time_local": local})
        for owner, path, spelled in written:
            if owner != host:
                continue
            number = len(counters)
            counters.append({"content_id": content, "counter_no": number, "host": host} | series(path))
            spelled_out = values(spelled, rows)
            present = np.flatnonzero(~np.isnan(spelled_out))
            samples.append(
                {
                    "content_id": [content] * len(present),
                    "counter_no": np.full(len(present), number, np.int32),
                    "tick": present.astype(np.int32),
                    "value": spelled_out[present],
                }
            )
    joined = {"raw_ticks": ticks, "raw_samples": samples}
    return {"raw_counters": counters} | {
        name: pa.concat_tables(_typed(pa.table(part), NOTHING[name].schema) for part in parts)
        for name, parts in joined.items()
        if parts
    }


def _messages(written: list[list[str]], capture: Known) -> list[dict[str, Any]]:
    found = []
    for place, (host, seconds, topic, number, text) in enumerate(written):
        content = f"errorlog-{host}"
        capture(content, host.split("@")[0] or None, host)
        pairs = [tuple(pair.strip().split("=", 1)) for pair in text.split(";") if pair.strip()]
        found.append(
            {"content_id": content, "line": place + 1, "source": "spid20s", "topic": topic,
             "time_local": START + timedelta(seconds=float(seconds)),
             "message_id": int(number) if number else None,
             "language": "English", "fields": pairs}
        )  # fmt: skip
    return found


def _facts(written: list[list[str]], capture: Known) -> list[dict[str, Any]]:
    found = []
    for owner, topic, item, key, value, *rest in written:
        host, content = owner.split("@")[0] or None, f"{topic}-{owner}"
        capture(content, host, host)
        row = {"content_id": content, "topic": topic, "item": int(item), "key": key, "value": value}
        if rest:
            row["time_local"] = START + timedelta(seconds=float(rest[0]))
        found.append(row)
    return found


def _told(written: list[list[str]], zone_unknown: tuple[str, ...]) -> dict[str, pa.Table]:
    """Make tables of the relations that some row names, with all their columns."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for place, (owner, seconds, relation, text) in enumerate(written):
        host = owner.split("@")[0]
        pairs = (pair.split("=", 1) for pair in text.split(";") if pair.strip())
        row: dict[str, Any] = {name.strip(): value.strip() for name, value in pairs}
        row |= {"capture_id": f"look-{owner}", "content_id": f"look-{owner}", "host_id": host}
        row["line"] = place + 1
        if seconds != "-":
            row["time_local"] = START + timedelta(seconds=float(seconds))
            row["time"] = None if host in zone_unknown else row["time_local"].replace(tzinfo=UTC)
            if "seconds" in row:
                row["start_local"] = row["time_local"] - timedelta(seconds=float(row["seconds"]))
        found[relation].append(row)
    return {name: _relation(rows, RELATIONS[name]) for name, rows in found.items()}


def _relation(rows: list[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    columns = []
    for field in schema:
        values = [row.get(field.name) for row in rows]
        is_text = any(isinstance(value, str) for value in values)
        columns.append(pa.array(values, pa.string() if is_text else field.type).cast(field.type))
    return pa.table(columns, schema=schema)


COLUMN_TYPES = {"boolean": pa.bool_(), "int32": pa.int32(), "uint32": pa.uint32(),
                "uint64": pa.uint64(), "filetime": pa.uint64()}  # fmt: skip


def _insert_events(made: Case, events: str) -> None:
    """Make a table per event, with the columns that its rows name, as the store would show it."""
    files: dict[str, list[datetime]] = defaultdict(list)
    tables: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for place, (owner, seconds, event, text) in enumerate(lines(events)):
        time = (START + timedelta(seconds=float(seconds))).replace(tzinfo=UTC)
        files[owner].append(time)
        row: dict[str, Any] = {"_content_id": f"xel-{owner}", "_seq": place, "_time": time}
        row["_ticks"] = filetime(time)
        for pair in text.split(";"):
            name, _, value = (part.strip() for part in pair.partition("="))
            if name:
                row[name] = _field(event, name, value)
        tables[event].append(row)
    for event, rows in tables.items():
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: pa.array([row.get(name) for row in rows], _type(event, name)) for name in names}
        made.connection.register("batch", pa.table(columns))
        made.run(f'create table "events_{event}" as select * from batch')
        made.connection.unregister("batch")
        made.events.add(f"events_{event}")
    made.insert(
        "captures",
        [
            {"capture_id": f"xel-{owner}", "content_id": f"xel-{owner}", "path": f"{owner}.xel",
             "kind": "Extended Events file", "host_id": owner.split("@")[0] or None,
             "first_time": min(times), "last_time": max(times), "reader": "xel", "status": "ingested"}
            for owner, times in files.items()
        ],
    )  # fmt: skip


def _type(event: str, name: str) -> pa.DataType:
    if name == "_time":
        return pa.timestamp("us", "UTC")
    if name in ("_seq", "_ticks"):
        return pa.int64()
    kind = _kind(event, name)
    return COLUMN_TYPES.get(kind, pa.string()) if isinstance(kind, str) else pa.string()


def _kind(event: str, name: str) -> str | Map:
    declared = SCHEMAS[event].columns if event in SCHEMAS else {}
    return declared[name].type if name in declared else "unicode_string"


def _field(event: str, name: str, value: str) -> Any:
    kind = _kind(event, name)
    if kind == "filetime":
        return filetime(START + timedelta(seconds=float(value)))
    if kind == "boolean":
        return value in ("1", "true")
    return int(value) if kind in COLUMN_TYPES else value
