"""Nothing is handed out of which nobody has said what it holds."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import agtrace
from agtrace.readers import topics
from agtrace.readers.errorlog.catalogue import RECOGNISED
from agtrace.redact.columns import KINDS
from agtrace.redact.dictionary import Dictionary
from agtrace.redact.fields import TEXT, kind_of, kind_of_instance
from agtrace.redact.pseudonyms import DATABASE, GROUP, HOST, LOGIN, Pseudonyms
from agtrace.redact.text import Texts
from agtrace.redact.vocabulary import is_declared
from agtrace.store import CommitRecord, Fact, FoundCapture, Summary
from agtrace.tables import CONTENT_TABLES
from agtrace.tables.timeline_kinds import KINDS as KINDS_OF_EVENTS
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


def test_every_column_of_a_rowset_that_a_relation_asks_for_is_declared():
    history = Path(agtrace.__file__).parent / "history"
    asked = {
        name
        for path in history.rglob("*.sql")
        for name in re.findall(
            r"scratch\.\w+\((?:k\.)?names, (?:r\.)?cells, '([^']+)'", path.read_text("utf-8")
        )
    }
    assert len(asked) > 70
    assert sorted(name for name in asked if kind_of(name) == TEXT and not is_declared(name)) == []


def test_words_by_which_queries_know_texts_stay():
    names = Dictionary(Pseudonyms(bytes(32)))
    names.settle()
    texts = Texts(names)
    packages = [Path(agtrace.__file__).parent / name for name in ("history", "resolve", "diagnostics")]
    literals = {
        literal
        for package in packages
        for path in package.rglob("*.sql")
        for literal in re.findall(
            r"(?:contains|starts_with|like|ilike)\s*\(?[^'\n]{0,60}'((?:[^']|'')*)'",
            re.sub(r"--.*", "", path.read_text("utf-8")),
        )
    }
    kinds = (packages[0] / "timeline" / "kinds.sql").read_text("utf-8")
    literals |= set(re.findall(r"\('((?:[^']|'')*%(?:[^']|'')*)',", kinds))
    words = {word for literal in literals for word in re.findall(r"[A-Za-z]{3,}(?:-[A-Za-z]{3,})?", literal)}
    assert len(words) > 100
    assert sorted(word for word in words if texts.words(word) != word) == []


def test_every_value_that_a_reader_declares_keeps_its_name():
    names = Dictionary(Pseudonyms(bytes(32)))
    names.settle()
    texts = Texts(names)
    declared = {value.name for topic in topics().values() for value in topic.values if "*" not in value.name}
    assert len(declared) > 100
    assert sorted(name for name in declared if texts.words(name) != name) == []


def test_kinds_of_events_and_what_messages_say_keep_their_names():
    names = Dictionary(Pseudonyms(bytes(32)))
    names.settle()
    texts = Texts(names)
    said = {*KINDS_OF_EVENTS, *(value for entry in RECOGNISED for value in entry.says.values())}
    assert sorted(name for name in said if texts.words(name) != name) == []
