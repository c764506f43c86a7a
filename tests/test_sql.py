"""What holds for every SQL file of the package: it opens with its question, and what it makes on the way lies
aside.
"""

from __future__ import annotations

import re
from itertools import takewhile
from pathlib import Path

import pytest

import agtrace
from tests.folded import folded

PACKAGE = Path(agtrace.__file__).parent
FILES = {
    str(path.relative_to(PACKAGE)): path
    for path in sorted(PACKAGE.rglob("*.sql"))
    # What a kit has a server run is T-SQL, and tells the customer what it does.
    if path.relative_to(PACKAGE).parts[0] != "kit"
    # Recipes are many queries in a file, each under its task.
    and path.parent.name != "recipes"
}
MADE = re.compile(
    r"\bcreate\s+(?:or\s+replace\s+)?(?:temp\w*\s+)?(?:table|view|macro|type)\s+(\S+)", re.IGNORECASE
)
RELATIONS = Path("store") / "views.sql"
"""What an opened case offers by name is made here, and nowhere else."""
SENTENCE = re.compile(r".*?[.?](?=\s|$)")


def opening(text: str) -> str:
    """Return the first sentence of the comment that a file begins with."""
    comment = takewhile(lambda line: line.startswith("--"), text.splitlines())
    sentence = SENTENCE.match(" ".join(line.removeprefix("--").strip() for line in comment))
    return sentence[0] if sentence else ""


@folded("name", FILES)
def test_a_file_opens_with_its_question(name):
    assert opening(FILES[name].read_text("utf-8")).endswith("?")


@folded("name", [name for name in FILES if name not in (str(RELATIONS), "store/unmasked.sql")])
def test_what_a_file_makes_lies_in_the_schema_for_scratch_tables(name):
    made = MADE.findall(FILES[name].read_text("utf-8"))
    assert [table for table in made if not table.startswith("scratch.")] == []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("-- What does sys.dm_x say? More.\nselect 1;", "What does sys.dm_x say?"),
        ("-- What ran,\n-- and when?\nselect 1;", "What ran, and when?"),
        ("-- What ran. And when?\nselect 1;", "What ran."),
        ("select 1;\n-- What ran?", ""),
    ],
)
def test_the_question_is_the_first_sentence_of_the_first_comment(text, first):
    assert opening(text) == first
