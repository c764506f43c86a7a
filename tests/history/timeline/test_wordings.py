"""Every number that the timeline knows has its texts, in every language that the facts contain."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib import resources

import pytest

from tests.diagnostics.tiny import case
from tests.readers.errorlog.errorlog_rows import said
from tests.shared import SHARED, needs_captures


def numbers():
    kinds = resources.files("agtrace.history.timeline").joinpath("kinds.sql").read_text("utf-8")
    return {int(number) for number in re.findall(r"\((\d{3,5}), '", kinds)}


def table(name):
    text = resources.files("agtrace.readers.errorlog").joinpath(name).read_text("utf-8")
    return [line.split("\t") for line in text.rstrip("\n").split("\n")[1:]]


def wordings():
    found = defaultdict(set)
    for number, language, _text in table("templates.tsv"):
        found[int(number)].add(language)
    return found


def test_every_number_has_a_text_or_a_reason_why_it_has_none():
    reasons = {int(number): reason for number, reason in table("unworded.tsv")}
    assert all(reasons.values())
    assert sorted(numbers() - wordings().keys() - reasons.keys()) == []
    assert sorted(reasons.keys() & wordings().keys()) == []


@needs_captures
def test_every_number_has_the_texts_of_every_language_that_the_facts_contain():
    facts = defaultdict(set)
    for name, language in (("messages_en.tsv", "en"), ("messages_i18n.tsv", None)):
        for line in (SHARED / "facts" / name).read_text("utf-8").rstrip("\n").split("\n")[1:]:
            number, second, *_rest = line.split("\t")
            facts[int(number)].add(language or second)
    found = wordings()
    assert {n: facts[n] - found[n] for n in sorted(numbers()) if facts[n] - found[n]} == {}


THREADS = "The thread pool for {} Availability Groups was unable to start a new worker thread"
REDO = "Could not redo log record (1:2:3), for transaction ID (0:9), on page (1:4), "


@pytest.mark.parametrize(
    ("text", "number", "database"),
    [
        ("The log for database 'Ost' is not available. Check the log.", 9001, "Ost"),
        ("AlwaysOn: AG integrity check failed for AG 'AG1' with error 1, severity 2", 19435, None),
        (THREADS.format("AlwaysOn"), 35217, None),
        (" " + THREADS.format("Always On"), 35217, None),
        ("Process 0:0:0 (0x1a) Worker 0x02 appears to be non-yielding on Scheduler 3.", 17883, None),
        ("Nonqualified transactions are being rolled back in database Ost for an Always On x", 35299, "Ost"),
        (REDO + "database 'Ost' (database ID 5).", 3456, "Ost"),
        ("A time-out occurred while waiting for memory resources to execute the query", 8645, None),
    ],
)
def test_a_message_without_its_number_is_recognised_by_its_text(text, number, database):
    _topic, found, fields = said(text)
    assert (found, fields.get("database")) == (number, database)


def test_a_text_without_its_number_is_an_event_of_its_database():
    made = case(messages="A | 5 | fault | 9001 | database=Ost")
    assert [(row["kind"], row["database"]) for row in made.rows("from timeline")] == [
        ("log_not_available", "Ost")
    ]
