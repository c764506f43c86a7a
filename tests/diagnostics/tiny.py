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

A host is written ``SQL1``, or ``SQL1@name`` where a host has several files of a kind; ``@name`` is a
file whose host is not known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from agtrace.history import makers
from agtrace.store.view import CaseView, Offer
from tests.make.xel import filetime
from tests.make.xel_schema import Map
from tests.make.xel_sessions import SCHEMAS

START = datetime(2024, 3, 5, 12, 0, 0)
WOBBLE = np.array([0.0, 1.0, -1.0, 0.5, -0.5, 0.8, -0.8])
PATH = re.compile(r"\\(?P<object>[^\\(]+)(?:\((?P<instance>.*)\))?\\(?P<counter>.+)$")
SEGMENT = re.compile(r"(?:(\d+)x)?(-$|-?[\d.]+?)(?:\.\.([\d.]+))?(?:~([\d.]+))?$")

TABLES = """
create table captures (capture_id varchar, content_id varchar, path varchar, kind varchar,
  bytes bigint, host_id varchar, host_source varchar, sql_instance varchar,
  first_time timestamptz, last_time timestamptz, first_local timestamp, last_local timestamp,
  rows bigint, reader varchar, reader_version integer, status varchar, reason varchar,
  superseded_by varchar);
create table issues (content_id varchar, path varchar, "offset" bigint, severity varchar,
  kind varchar, message varchar, "count" bigint);
create table hosts (host_id varchar, display_name varchar, aliases varchar[],
  fci_network_name varchar, zone varchar, evidence varchar);
create table clocks (capture_id varchar, content_id varchar, local_from timestamp,
  local_to timestamp, offset_minutes integer, source varchar, confidence double);
create table skew (host_id varchar, other_host_id varchar, ms double, spread_ms double, n bigint,
  method varchar);
create table counters (counter_id bigint, content_id varchar, counter_no integer, host_id varchar,
  host varchar, sql_instance varchar, object varchar, instance varchar, counter varchar,
  object_written varchar, counter_written varchar, path varchar, unit varchar,
  counter_type varchar);
create table ticks (content_id varchar, tick integer, time_local timestamp, time timestamptz);
create table samples (counter_id bigint, content_id varchar, counter_no integer, tick integer,
  time_local timestamp, time timestamptz, value double);
create table errorlog (content_id varchar, host_id varchar, line bigint, time_local timestamp,
  time timestamptz, source varchar, spid integer, error integer, severity integer, state integer,
  message varchar, continuation_lines integer);
create table messages (content_id varchar, host_id varchar, line bigint, time_local timestamp,
  time timestamptz, source varchar, topic varchar, message_id integer, language varchar,
  fields map(varchar, varchar));
create table runs (run_id varchar, label varchar, factors varchar, start timestamptz,
  "end" timestamptz, source varchar);
create table facts (capture_id varchar, content_id varchar, host_id varchar, topic varchar,
  item integer, key varchar, value varchar, unit varchar, line bigint, time_local timestamp,
  time timestamptz);
"""


class Case(CaseView):
    """The relations of an opened case, in memory."""

    def __init__(self) -> None:
        self.settings: dict[str, Any] = {}
        self.events: set[str] = set()
        self._offered: dict[str, Offer] = {}
        self.connection = duckdb.connect()
        self.connection.execute("create schema scratch")
        self.connection.execute("set TimeZone = 'UTC'")
        self.connection.execute(TABLES)
        for maker in makers():
            self.offer(maker.relations, partial(maker.make, self))

    def insert(self, table: str, rows: list[dict[str, Any]] | pa.Table) -> None:
        """Put rows into a relation; columns that they lack are NULL."""
        if not len(rows):
            return
        batch = rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(rows)
        self.connection.register("batch", batch)
        self.connection.execute(f"insert into {table} by name select * from batch")
        self.connection.unregister("batch")


def lines(text: str) -> list[list[str]]:
    """Split a text table into rows of cells."""
    return [
        [cell.strip() for cell in line.split("|")] for line in text.splitlines() if line.strip()
    ]


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
    *,
    rows: int = 120,
    every: float = 5.0,
    zone_unknown: tuple[str, ...] = (),
    skew: tuple[tuple[str, str, float], ...] = (),
    settings: dict[str, Any] | None = None,
) -> Case:
    """Build a case from text tables; every host's perfmon is a capture of its own."""
    made = Case()
    made.settings = settings or {}
    texts = (perfmon, messages, facts, events)
    hosts = dict.fromkeys(row[0].split("@")[0] for text in texts for row in lines(text))
    hosts.pop("", None)
    made.insert("hosts", [{"host_id": host, "display_name": host} for host in hosts])
    made.insert(
        "skew",
        [
            {"host_id": a, "other_host_id": b, "ms": ms, "spread_ms": 1.0, "n": 9, "method": "test"}
            for a, b, ms in skew
        ],
    )
    times = [START + timedelta(seconds=every * i) for i in range(rows)]
    local = pa.array(times, pa.timestamp("us"))

    def utc(host: str, moments: pa.Array) -> pa.Array:
        if host in zone_unknown:
            return pa.nulls(len(moments), pa.timestamp("us", "UTC"))
        return moments.cast(pa.timestamp("us", "UTC"))

    counters, captures, samples = [], [], []
    for host in dict.fromkeys(row[0] for row in lines(perfmon)):
        content = f"perfmon-{host}"
        ticks = {"tick": range(rows), "time_local": local, "time": utc(host, local)}
        made.insert("ticks", pa.table(ticks | {"content_id": [content] * rows}))
        captures.append(
            {"capture_id": content, "content_id": content, "path": f"{host}.csv", "kind": "pdh",
             "host_id": host, "status": "ingested", "rows": rows}
        )  # fmt: skip
        for owner, path, spelled in lines(perfmon):
            if owner != host:
                continue
            number = len(counters) + 1
            counters.append({"counter_id": number, "content_id": content, "counter_no": number,
                             "host_id": host, "host": host} | series(path))  # fmt: skip
            spelled_out = values(spelled, rows)
            present = np.flatnonzero(~np.isnan(spelled_out))
            moments = local.take(pa.array(present))
            samples.append(
                pa.table(
                    {
                        "counter_id": pa.array([number] * len(present), pa.int64()),
                        "content_id": pa.array([content] * len(present), pa.string()),
                        "counter_no": pa.array([number] * len(present), pa.int32()),
                        "tick": pa.array(present, pa.int32()),
                        "time_local": moments,
                        "time": utc(host, moments),
                        "value": spelled_out[present],
                    }
                )
            )
    made.insert("captures", captures)
    made.insert("counters", counters)
    if samples:
        made.insert("samples", pa.concat_tables(samples))
    for place, (host, seconds, topic, number, text) in enumerate(lines(messages)):
        moment = pa.array([START + timedelta(seconds=float(seconds))], pa.timestamp("us"))
        pairs = [tuple(pair.strip().split("=", 1)) for pair in text.split(";") if pair.strip()]
        made.insert(
            "messages",
            pa.table(
                {
                    "content_id": [f"errorlog-{host}"],
                    "host_id": [host.split("@")[0] or None],
                    "line": [place + 1],
                    "time_local": moment,
                    "time": utc(host, moment),
                    "source": ["spid20s"],
                    "topic": [topic],
                    "message_id": pa.array([int(number)], pa.int32()),
                    "language": ["English"],
                    "fields": pa.array([pairs], pa.map_(pa.string(), pa.string())),
                }
            ),
        )
    _insert_facts(made, facts, zone_unknown)
    _insert_events(made, events)
    return made


def _insert_facts(made: Case, facts: str, zone_unknown: tuple[str, ...]) -> None:
    rows = []
    for owner, topic, item, key, value, *rest in lines(facts):
        host, content = owner.split("@")[0] or None, f"{topic}-{owner}"
        row = {"capture_id": content, "content_id": content, "host_id": host, "topic": topic,
               "item": int(item), "key": key, "value": value}  # fmt: skip
        if rest:
            row["time_local"] = START + timedelta(seconds=float(rest[0]))
            row["time"] = None if host in zone_unknown else row["time_local"].replace(tzinfo=UTC)
        rows.append(row)
    # The type of a batch is that of its first row.
    made.insert("facts", [row for row in rows if "time" not in row])
    made.insert("facts", [row for row in rows if "time" in row])


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
        columns = {
            name: pa.array([row.get(name) for row in rows], _type(event, name)) for name in names
        }
        made.connection.register("batch", pa.table(columns))
        made.run(f'create table "events_{event}" as select * from batch')
        made.connection.unregister("batch")
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
