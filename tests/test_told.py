"""A report of each sample opens with what its manifest says that a customer knows after a minute."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import agtrace
from agtrace.say.headline import headline
from agtrace.say.said import MOST_OF_TITLE
from agtrace.say.summary import LEAST_WORDS, MOST_WORDS, Watched, summary

pytestmark = pytest.mark.complete

MANIFEST = tomllib.loads(
    (Path(__file__).parents[1] / "sample_data" / "manifest.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_a_sample_opens_with_the_finding_of_its_manifest(name, sample_store):
    wanted = MANIFEST[name]["told"]
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as case:
        found = case.findings()
    first = headline(found)
    assert first.id == wanted["finding"]
    assert {key: first.subject.get(key) for key in wanted["subject"]} == wanted["subject"]
    told = summary(found, Watched())
    assert [word for word in words_of(wanted["customer"]) if word not in words_of(told.text)] == []
    assert all((told.what, told.cost, told.step))
    assert LEAST_WORDS <= len(told.text.split()) <= MOST_WORDS
    assert [each.title for each in found if len(each.title) > MOST_OF_TITLE] == []


def words_of(text: str) -> list[str]:
    """Return the words that carry a text: those of five letters or more, names and numbers."""
    return [
        word.lower()
        for word in re.findall(r"[\w.,:\\+%]*\w", text)
        if len(word) > 4 or re.search(r"[A-Z\d]", word[1:] + word[:1].strip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    ]
