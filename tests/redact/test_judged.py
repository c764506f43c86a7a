"""Nothing is handed out of which nobody has said what it holds."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pyarrow as pa
import pytest

from agtrace.redact.columns import KINDS
from agtrace.redact.fields import TEXT, kind_of, kind_of_instance
from agtrace.redact.pseudonyms import DATABASE, GROUP, HOST, LOGIN
from agtrace.store import CommitRecord, Fact, FoundCapture, Summary
from agtrace.tables import CONTENT_TABLES
from tests.folded import folded

TEXTUAL = [
    (table, field)
    for table, schema in CONTENT_TABLES.items()
    for field in schema
    if pa.types.is_string(field.type) or pa.types.is_nested(field.type)
]


@folded(("table", "field"), TEXTUAL)
def test_every_column_of_text_says_what_it_holds(table, field):
    assert (field.metadata.get(b"holds") or b"").decode() in {*KINDS, "keyed"}, f"{table}.{field.name}"


KEPT = {
    FoundCapture: "path bytes mtime_ns content_id status kind reason changed_ns",
    CommitRecord: "content_id bytes kind status reason reader reader_version options readers beside part "
    "tables files summary",
    Summary: "first_local last_local interval_s steps hosts sql_instances first_entry facts",
    Fact: "topic item key value line time_local",
}


@pytest.mark.parametrize("record", KEPT)
def test_what_a_record_gains_is_judged_before_it_is_handed_out(record: type[Any]):
    named = [field.name for field in fields(record)]
    assert named == KEPT[record].split(), "say in agtrace/redact/stored.py what becomes of it, then here"


@folded(
    ("name", "kind"),
    [
        ("database_name", DATABASE),
        ("availability_group_name", GROUP),
        ("replica_server_name", HOST),
        ("action_client_hostname", HOST),
        ("nt_username", LOGIN),
        ("action_session_nt_username", LOGIN),
        ("message", TEXT),
        ("a field of tomorrow", TEXT),
    ],
)
def test_fields_are_told_by_their_names_and_the_others_are_texts(name, kind):
    assert kind_of(name) == kind


def test_instances_of_counters_are_told_by_their_object():
    assert kind_of_instance("SQLServer:Databases") == DATABASE
    assert kind_of_instance("SQLServer:Availability Replica") == f"{GROUP}:{HOST}"
