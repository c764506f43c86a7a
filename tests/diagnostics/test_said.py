"""Each text of each question is rendered once, from literal facts: said.yaml in, said.snap out."""

from __future__ import annotations

import pytest

from agtrace.say.said import Said
from tests.diagnostics.rendering import FOLDER, examples, package, questions, snapshot
from tests.snapshots import check

QUESTIONS = questions()


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
