"""What the customer is told of each sample after a minute, against what a report of it says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import agtrace
from agtrace.say.headline import headline
from agtrace.say.wording import verdict_of

pytestmark = pytest.mark.sample

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))
FIRST = 7
"""Lines of a story that are read at first sight."""


def plain(text: str) -> str:
    return " ".join(text.split()).casefold()


@pytest.fixture(scope="module", params=sorted(MANIFEST))
def told(request, sample_store):
    sample, store = agtrace.sample(request.param), sample_store(request.param)
    with agtrace.open_case(sample, store=store, ingest=False) as case:
        yield MANIFEST[request.param]["told"], headline(case.findings()), case.health.incidents().first


def missing(phrases, text):
    return [phrase for phrase in phrases if plain(phrase) not in plain(text)]


@pytest.mark.parametrize("place", ["headline", "remedy", "story"])
@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_what_a_report_is_held_to_are_words_of_the_sentence(name, place):
    said = MANIFEST[name]["told"]
    assert missing(said[place], said["customer"]) == []


def test_the_headline_says_what_the_customer_is_told(told):
    said, first, _incident = told
    assert missing(said["headline"], verdict_of(first)) == []


def test_what_to_do_is_what_the_customer_is_told_to(told):
    said, first, _incident = told
    assert missing(said["remedy"], first.recommendation) == []


def test_the_story_tells_it_in_that_order(told):
    said, _first, incident = told
    lines = [plain(line.what) for line in incident.lines[:FIRST]] if incident else []
    place = 0
    for phrase in said["story"]:
        place = next((n for n in range(place, len(lines)) if plain(phrase) in lines[n]), len(lines))
        assert place < len(lines), phrase
