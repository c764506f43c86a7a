"""Each text of each question is rendered once, from literal facts: said.yaml in, said.snap out."""

from __future__ import annotations

import re

import pytest

from agtrace.say.said import Said
from tests.diagnostics.rendering import FOLDER, Row, examples, package, questions, rendered, snapshot
from tests.snapshots import check

QUESTIONS = questions()
MOST = 90
ORDINARY = {"A": "SQLPRD01", "B": "SQLPRD02", "SQL1": "SQLPRD01", "SQL2": "SQLPRD02", "AG": "SalesAG"}
"""Names of ordinary length in place of short ones."""
LONG_NAME = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-|an unnamed host")


def lengthened(value):
    if isinstance(value, dict):
        return Row({lengthened(key): lengthened(each) for key, each in value.items()})
    if isinstance(value, list | tuple):
        return type(value)(map(lengthened, value))
    return ORDINARY.get(value, value) if isinstance(value, str) else value


@pytest.mark.complete
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_words_of_a_question_are_those_of_its_snapshot(question, pytestconfig):
    check(pytestconfig, FOLDER / question / "said.snap", snapshot(question))


@pytest.mark.complete
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_finding_and_page_of_a_question_is_rendered(question):
    said = Said(package(question))
    wanted = {name for name in said.names if name.endswith(".md") or said.template(name, "title")}
    assert sorted(wanted - examples(question).keys()) == []


@pytest.mark.complete
@pytest.mark.parametrize("question", QUESTIONS)
def test_titles_have_90_characters_at_most(question):
    said = Said(package(question))
    titles = [
        rendered(said, name, lengthened(facts)).get("title", "")
        for name, own in examples(question).items()
        for facts in own
    ]
    assert [title for title in titles if len(title) > MOST and not LONG_NAME.search(title)] == []
