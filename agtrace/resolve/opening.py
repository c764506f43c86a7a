"""From what was resolved to the tables of an opened case."""

from __future__ import annotations

import hashlib
import pickle
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa

from agtrace.moments import iso
from agtrace.resolve import Resolved, ResolvedCapture
from agtrace.store import Store
from agtrace.store.records import PartFile
from agtrace.tables import LOCAL_TIME, UTC_TIME
from agtrace.tables.rows import no_rows, table_of

_CAPTURES = pa.schema(
    [
        ("capture_id", pa.string()), ("content_id", pa.string()), ("path", pa.string()),
        ("kind", pa.string()), ("bytes", pa.int64()), ("host_id", pa.string()),
        ("host_source", pa.string()), ("sql_instance", pa.string()), ("first_time", UTC_TIME),
        ("last_time", UTC_TIME), ("first_local", LOCAL_TIME), ("last_local", LOCAL_TIME),
        ("interval_s", pa.float64()), ("rows", pa.int64()), ("reader", pa.string()),
        ("reader_version", pa.int32()), ("status", pa.string()), ("reason", pa.string()),
        ("superseded_by", pa.string()), ("has_part", pa.bool_()), ("first_entry", pa.string()),
        ("entries", pa.int64()),
    ]
)  # fmt: skip
_HOSTS = pa.schema(
    [
        ("host_id", pa.string()),
        ("display_name", pa.string()),
        ("aliases", pa.list_(pa.string())),
        ("fci_network_name", pa.string()),
        ("zone", pa.string()),
        ("evidence", pa.list_(pa.string())),
    ]
)
_CLOCKS = pa.schema(
    [
        ("capture_id", pa.string()), ("content_id", pa.string()), ("local_from", LOCAL_TIME),
        ("local_to", LOCAL_TIME), ("tick_from", pa.int32()), ("tick_to", pa.int32()),
        ("offset_minutes", pa.int32()), ("source", pa.string()), ("confidence", pa.float64()),
    ]
)  # fmt: skip
_SKEW = pa.schema(
    [
        ("host_id", pa.string()),
        ("other_host_id", pa.string()),
        ("ms", pa.float64()),
        ("spread_ms", pa.float64()),
        ("n", pa.int64()),
        ("method", pa.string()),
        ("first_time", UTC_TIME),
        ("last_time", UTC_TIME),
    ]
)
_RUNS = pa.schema(
    [
        ("run_id", pa.string()), ("label", pa.string()), ("factors", pa.string()),
        ("start", UTC_TIME), ("end", UTC_TIME), ("source", pa.string()),
        ("measured", pa.string()), ("value", pa.float64()), ("value_step", pa.float64()),
        ("unit", pa.string()), ("is_more_better", pa.bool_()),
    ]
)  # fmt: skip
_NAMES = pa.schema([("name", pa.string()), ("host_id", pa.string())])

RESOLVED = {
    "captures": _CAPTURES,
    "hosts": _HOSTS,
    "host_names": _NAMES,
    "clocks": _CLOCKS,
    "skew": _SKEW,
    "runs": _RUNS,
}
"""The resolved tables that the views of a case rest on."""


def resolved_tables(
    runs: list[dict[str, Any]], store: Store, resolved: Resolved
) -> tuple[dict[str, list[tuple[Path, PartFile]]], dict[str, pa.Table]]:
    """Return the Parquet files by content table, and the resolved tables with the case's ``runs``."""
    files: dict[str, dict[Path, PartFile]] = {}
    for capture in resolved.captures:
        if capture.record and capture.record.part:
            for table, listed in capture.record.files.items():
                for file in listed:
                    files.setdefault(table, {})[store.parts / capture.record.part / file.name] = file
    names = sorted({n for c in resolved.captures if c.record for n in c.record.summary.hosts})
    hosts = resolved.hosts
    tables = {
        "captures": _rows(_CAPTURES, [_capture(c) for c in resolved.captures]),
        "hosts": _rows(
            _HOSTS,
            [
                {
                    "host_id": host,
                    "display_name": host,
                    "aliases": sorted(set(hosts.aliases[host])),
                    "zone": resolved.zones.get(host),
                    "evidence": hosts.evidence.get(host, []),
                }
                for host in sorted(hosts.aliases)
            ],
        ),
        "host_names": _rows(_NAMES, [{"name": n, "host_id": hosts.canonical(n)} for n in names]),
        "clocks": _rows(_CLOCKS, [row for c in resolved.captures for row in _clocks(c)]),
        "skew": no_rows(_SKEW),
        "runs": _rows(_RUNS, runs),
    }
    return {table: list(listed.items()) for table, listed in files.items()}, tables


def digest(
    files: dict[str, list[tuple[Path, PartFile]]],
    resolved: dict[str, pa.Table],
    settings: dict[str, Any],
    given: str = "",
) -> str:
    """Digest what was read and resolved, the settings and whose they are: equal text, equal answers."""
    # Not JSON: a stranger's settings may hold numbers that no text can be made of.
    found = hashlib.sha256(pickle.dumps(settings))
    found.update(given.encode("utf-8", "surrogatepass"))
    for name in sorted(files):
        # A part's name holds its content, its reader and a number of its own.
        found.update("\n".join([name, *sorted(str(path) for path, _file in files[name])]).encode())
    for name in sorted(resolved):
        found.update(name.encode())
        for batch in resolved[name].to_batches():
            found.update(batch.serialize())
    return found.hexdigest()


def _rows(schema: pa.Schema, rows: list[dict[str, Any]]) -> pa.Table:
    return table_of(rows, schema)


def _capture(capture: ResolvedCapture) -> dict[str, Any]:
    found, record = capture.found, capture.record
    row: dict[str, Any] = {
        "capture_id": capture.capture_id,
        "content_id": found.content_id,
        "path": found.path,
        "kind": record.kind if record else found.kind,
        "bytes": found.bytes,
        "host_id": capture.host.host_id,
        "host_source": capture.host.source,
        "sql_instance": capture.host.sql_instance,
        "status": capture.status,
        "reason": capture.reason,
        "has_part": bool(record and record.part),
        "rows": 0,
    }
    if record:
        summary = record.summary
        first, last = iso(summary.first_local), iso(summary.last_local)
        row |= {
            "reader": record.reader,
            "reader_version": record.reader_version,
            "rows": record.rows,
            "first_local": first,
            "last_local": last,
            "interval_s": summary.interval_s,
            "first_entry": summary.first_entry,
            "entries": record.tables.get("errorlog"),
        }
        if first and last and capture.stretches:
            row["first_time"] = first - timedelta(minutes=capture.stretches[0].offset_minutes)
            row["last_time"] = last - timedelta(minutes=capture.stretches[-1].offset_minutes)
    return row


def _clocks(capture: ResolvedCapture) -> list[dict[str, Any]]:
    return [
        {
            "capture_id": capture.capture_id,
            "content_id": capture.found.content_id,
            "local_from": stretch.local_from,
            "local_to": stretch.local_to,
            "tick_from": stretch.tick_from,
            "tick_to": stretch.tick_to,
            "offset_minutes": stretch.offset_minutes,
            "source": stretch.source,
            "confidence": stretch.confidence,
        }
        for stretch in capture.stretches
    ]
