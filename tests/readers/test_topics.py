"""What the readers say is what they declare: topics, their values, units and message numbers."""

from __future__ import annotations

import re

import pyarrow as pa
import pytest

from agtrace.readers import readers, topics
from agtrace.readers.base import Source
from agtrace.readers.errorlog.buffer_configuration import KEYS
from agtrace.readers.errorlog.catalogue import RECOGNISED, STARTUP, TRACE_FLAG, Literal
from agtrace.readers.errorlog.messages import _REFINE
from agtrace.readers.errorlog.phases import phase_patterns
from agtrace.testing import undeclared
from tests.readers.small import said, small_captures

GROUP = re.compile(r"\(\?P<(\w+)>")
TRACED = {"operation", "database", "operation_line"}
"""What the parser of the trace flags adds to each row: the operation that it belongs to."""


def fields_by_topic() -> dict[str, set[str]]:
    """Return the possible fields of recognised texts, by topic of messages."""
    given: dict[str, set[str]] = {}
    for entry in RECOGNISED:
        if entry.topic in (STARTUP, TRACE_FLAG):
            continue
        is_literal = isinstance(entry, Literal)
        names = GROUP.findall(entry.pattern) if is_literal else [n for n in entry.arguments if n]
        columns = {name: pa.array([], pa.string()) for name in (*names, *entry.says)}
        refine = _REFINE.get(entry.topic, lambda same: same)
        given.setdefault(entry.topic, set()).update(refine(columns))
    for pattern in phase_patterns().patterns:
        if pattern.entry.topic:
            kind = {"phase"} if pattern.entry.topic == "phase" else set()
            names = {*GROUP.findall(pattern.regex), *pattern.entry.says, *kind, *TRACED}
            given.setdefault(pattern.entry.topic, set()).update(names)
    given["phase"] |= {"text"}
    given["zeroing"] |= {"bytes"}
    given["buffer_configuration"] = {*KEYS.values(), *TRACED, "total_matches"}
    return given


def test_every_field_of_a_message_is_declared_and_every_declared_one_given():
    declared = {
        name: {value.name for value in topic.values}
        for (table, name), topic in topics().items()
        if table == "messages"
    }
    assert declared == fields_by_topic()


def test_every_message_number_is_declared():
    numbers: dict[str, set[int]] = {}
    for entry in RECOGNISED:
        if not isinstance(entry, Literal) and entry.topic not in (STARTUP, TRACE_FLAG):
            numbers.setdefault(entry.topic, set()).add(entry.id)
    declared = {t.name: set(t.message_ids) for t in topics().values() if t.message_ids}
    assert declared == numbers


@pytest.mark.complete
def test_every_declared_fact_is_given_by_some_reader():
    given = set()
    by_name = {reader.name: reader for reader in readers()}
    texts = [*small_captures(), *said()]
    for small in texts:
        for table, batch in by_name[small.reader].read(Source.of_bytes(small.data, small.name)):
            if table == "facts":
                keys = batch["key"].to_pylist()
                given.update(zip(batch["topic"].to_pylist(), keys, strict=True))
    silent = {
        (topic.name, value.name)
        for (table, _name), topic in topics().items()
        if table == "facts"
        for value in topic.values
        if not any(topic.value(key) is value for name, key in given if name == topic.name)
    }
    assert silent == set()


def test_a_topic_that_two_readers_give_is_one():
    for reader in readers():
        for topic in reader.topics:
            assert topics()[topic.table, topic.name] is topic


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"topic": "ping", "key": "sent", "unit": None}, None),
        ({"topic": "tcp_global", "key": "other:Chimney", "unit": None}, None),
        ({"topic": "pong", "key": "sent", "unit": None}, "facts pong: no such topic"),
        ({"topic": "ping", "key": "sunk", "unit": None}, "facts ping: 'sunk' is not declared"),
        (
            {"topic": "ping", "key": "rtt_avg_ms", "unit": "s"},
            "facts ping: 'rtt_avg_ms' has unit 's', declared is 'ms'",
        ),
    ],
)
def test_what_is_not_declared_is_told(row, problem):
    batch = pa.RecordBatch.from_pylist([row])
    assert undeclared("facts", batch, topics()) == ({problem} if problem else set())
