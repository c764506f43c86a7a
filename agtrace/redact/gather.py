"""Gathering of a case's names from every column of a known kind, before rewriting."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

import pyarrow as pa

from agtrace.redact.dictionary import COMPOSITE, Dictionary
from agtrace.redact.fields import kind_of, kind_of_instance
from agtrace.redact.pseudonyms import DATABASE, GROUP, HOST, INSTANCE, KINDS, LOGIN
from agtrace.redact.vocabulary import SYSTEM
from agtrace.resolve.attribution import is_placeholder
from agtrace.store import CaseView
from agtrace.store.quoting import identifier, literal
from agtrace.tables.history import RELATIONS

_NAMING = (*KINDS, COMPOSITE)
_OF_RELATIONS = {
    "database": DATABASE, "ag": GROUP, "replica": HOST, "host_id": HOST, "node": HOST,
    "sql_instance": INSTANCE, "primary_replica": HOST, "login": LOGIN,
}  # fmt: skip
_SKIPPED = frozenset(
    [
        "rowsets",
        "timeline",
        "findings",
        "cluster_log",
        "log_entries",
        "log_messages",
        "os_events",
        "log_blocks",
        "waits",
        "commit_waits",
        "counter_values",
        "flow_control",
        "hadr_traces",
        "long_waits",
        "processor_minutes",
        "redo_locks",
    ]
)
"""Relations of texts, and long ones whose names are also in others."""


def gather(view: CaseView, names: Dictionary) -> None:
    """Note every name of a case, and its addresses, so that no pseudonym is one of them."""
    for name, kind in _named(view):
        if not is_placeholder(name) and name.casefold() not in SYSTEM:
            names.add(name, kind)
    names.pseudonyms.addresses.avoid(frozenset(_addresses(names)))
    names.settle()


def _named(view: CaseView) -> Iterator[tuple[str, str]]:
    yield from _distinct(view, "SELECT host_id FROM hosts", HOST)
    yield from _distinct(view, "SELECT unnest(aliases) FROM hosts", HOST)
    yield from _distinct(view, "SELECT name FROM host_names", HOST)
    for column, kind in (("host", HOST), ("sql_instance", INSTANCE)):
        yield from _distinct(view, f"SELECT {column} FROM raw_counters", kind)
    yield from _distinct(view, "SELECT sql_instance FROM captures", INSTANCE)
    written = "SELECT regexp_extract(object_written, '^MSSQL\\$([^:]{1,40}):', 1) FROM raw_counters"
    yield from _distinct(view, written, INSTANCE)
    objects = "SELECT DISTINCT coalesce(object, object_written) AS o, instance AS i FROM raw_counters"
    for row in view.rows(f"SELECT * FROM ({objects}) WHERE i IS NOT NULL"):
        kind = kind_of_instance(row["o"])
        if kind in _NAMING:
            yield row["i"], kind
    yield from _of_pairs(
        view,
        "SELECT e.key AS k, e.value AS v FROM (SELECT unnest(map_entries(fields)) AS e FROM raw_messages)",
    )
    yield from _of_pairs(
        view, "SELECT if(topic = 'errorlog_replica', 'replica', key) AS k, value AS v FROM raw_facts"
    )
    yield from _of_rowsets(view)
    for kind, column in (("computer", "computer"), ("user", '"user"')):
        yield from _distinct(view, f"SELECT {column} FROM raw_os_events", kind_of(kind))
    for event in sorted(view.events):
        for field in sorted(view.fields(event.removeprefix("events_"))):
            if kind_of(field) in _NAMING:
                quoted = identifier(field)
                yield from _distinct(
                    view, f"SELECT {quoted}::VARCHAR FROM {identifier(event)}", kind_of(field)
                )
    yield from _of_relations(view)


def _distinct(view: CaseView, query: str, kind: str) -> Iterator[tuple[str, str]]:
    rows = view.rows(f"SELECT DISTINCT v FROM ({query}) AS q(v) WHERE v IS NOT NULL AND v <> ''")
    yield from ((row["v"], kind) for row in rows)


def _of_pairs(view: CaseView, query: str) -> Iterator[tuple[str, str]]:
    """Yield the names among values whose meaning a key states."""
    keys = [row["k"] for row in view.rows(f"SELECT DISTINCT k FROM ({query})")]
    for key in keys:
        if kind_of(key) in _NAMING:
            yield from _distinct(view, f"SELECT v FROM ({query}) WHERE k = {literal(key)}", kind_of(key))


def _of_rowsets(view: CaseView) -> Iterator[tuple[str, str]]:
    yield from _of_pairs(
        view,
        "SELECT trim(h.columns[c]) AS k, r.cells[c] AS v FROM raw_rowset_rows r JOIN raw_rowset_heads h "
        "USING (content_id, rowset), range(1, len(h.columns) + 1) t(c)",
    )


def _of_relations(view: CaseView) -> Iterator[tuple[str, str]]:
    for name, schema in RELATIONS.items():
        if name in _SKIPPED:
            continue
        for field in schema:
            kind = _OF_RELATIONS.get(field.name)
            if kind and pa.types.is_string(field.type):
                yield from _distinct(view, f"SELECT {identifier(field.name)} FROM {identifier(name)}", kind)


def _addresses(names: Dictionary) -> Iterator[str]:
    for name in names.names.values():
        try:
            ipaddress.ip_address(name)
        except ValueError:
            continue
        yield name
