"""Each finding and each page is told by some test of its question, and its words can be read in words.txt."""

from __future__ import annotations

from pathlib import Path

import pytest

from agtrace import diagnostics
from agtrace.say.said import Said
from tests import words

QUESTIONS = sorted(path.parent.name for path in Path(diagnostics.__path__[0]).glob("*/said"))


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_finding_and_page_stands_among_the_words(question):
    said = Said(f"agtrace.diagnostics.{question}")
    told = {entry.split()[0] for entry in words.written(question)}
    assert {name for name in said.names if name.endswith(".md") or said.template(name, "title")} <= told
