"""What people read is native English: no phrase of tests/english.py, few long sentences."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from agtrace.cli.group import VERBS, command_line
from tests.english import long_sentences, problems, sentences
from tests.folded import folded

ROOT = Path(__file__).resolve().parent.parent
DATA = {"tests", "bench", ".venv", "build", "dist", "node_modules", "target", "agtrace"}
"""Folders whose Markdown is data, is written by another tool or has texts that another test reads."""
PAGES = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(
        part in DATA or (part.startswith(".") and part != ".github")
        for part in path.relative_to(ROOT).parts[:-1]
    )
)
LONG_SHARE = 0.02
PAGE_WORDS = 2500
ALL_WORDS = 80_000


@folded("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_page_has_no_unnatural_phrase(page):
    assert problems(page.read_text(encoding="utf-8")) == []


@folded("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_page_has_few_long_sentences(page):
    text = page.read_text(encoding="utf-8")
    allowed = max(1, int(LONG_SHARE * len(sentences(text))))
    found = long_sentences(text)
    assert len(found) <= allowed, found


@folded("page", [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES])
def test_page_is_short(page):
    if page.relative_to(ROOT).parts[0] == "docs":
        assert len(page.read_text(encoding="utf-8").split()) < PAGE_WORDS


def test_long_sentences_are_rare():
    texts = [page.read_text(encoding="utf-8") for page in PAGES]
    found = sum(len(long_sentences(text)) for text in texts)
    assert found < LONG_SHARE * sum(len(sentences(text)) for text in texts)


def test_docs_are_short_in_all():
    pages = [page for page in PAGES if page.relative_to(ROOT).parts[0] == "docs"]
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in pages) <= ALL_WORDS


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("What nobody declared is dropped.", "What"),
        ("It was read. Whoever runs it sees that.", "Whoever"),
        ("Give the rows of both nodes.", "Give"),
        ("- Tell where it stands.", "Tell"),
        ("| a | That which is new. |", "That which"),
        ("The cause is open.", "cause is open"),
        ("It is open whether the disk was slow.", "is open whether"),
        ("This file is no page of the site.", "is no"),
        ("Of these there is no trace, and one is none.", "is none"),
        ("It ended without a word.", "without a word"),
        ("The two are told apart.", "told"),
        ("The log lies in a folder.", "lies"),
        ("The capture tells it.", "capture tells"),
        ("As of the last look it was healthy.", "last look"),
        ("Only settled answers are kept.", "settled"),
        ("The begin of the copy.", "The begin"),
        ("HASQL1 was awake for 8 s\nof it.", "awake"),
    ],
)
def test_phrase_is_found(text, phrase):
    assert [each for each in problems(text) if each.startswith(f'"{phrase}"')]


@pytest.mark.parametrize(
    "text",
    [
        "What limits the group?",
        "There is no network.",
        "It is no longer primary.",
        "Take a look at the page.",
        "The port is open.",
        "```\nGive what lies anew\n```",
        "Run `what nobody told`.",
        "[The page](what-lies-anew.md) has more.",
        "<!-- told -->",
    ],
)
def test_native_text_has_no_problem(text):
    assert problems(text) == []


def words(n):
    return " ".join(["word"] * n)


@pytest.mark.parametrize(
    ("text", "n"),
    [
        (f"{words(30)}.", 0),
        (f"{words(31)}.", 1),
        (f"{words(20)}. {words(20)}.", 0),
        (f"{words(20)}\n{words(20)}.", 1),
        (f"- {words(20)}\n- {words(20)}", 0),
        (f"| {words(20)} | {words(20)} |", 0),
        (f"# {words(20)}\n{words(20)}", 0),
        (f"{words(20)} e.g. {words(20)}", 1),
        (f"{words(29)} `agtrace kit --for CASE -o DIR`", 0),
        (f"```\n{words(40)}\n```", 0),
        (f"{words(20)}:\n\n- {words(20)}", 0),
    ],
)
def test_long_sentence_is_counted(text, n):
    assert len(long_sentences(text)) == n


def test_sentences_keep_their_order_and_drop_code():
    text = "# Start\n\nRun `a b`. Then see\n[the page](x.md).\n\n```\ncode\n```\n\n- one\n- two\n"
    assert sentences(text) == ["Start", "Run `x`.", "Then see the page.", "one", "two"]


def test_pages_are_found():
    names = {str(page.relative_to(ROOT)) for page in PAGES}
    assert {"README.md", "CHANGELOG.md", "docs/start.md", "xelib/README.md"} <= names
    assert not [name for name in names if re.match(r"tests/|bench/", name)]


SAID = [
    re.sub(r"^\s*(?:\+ )?[a-z_]+: ", "", line).strip()
    for path in sorted((ROOT / "tests" / "diagnostics").glob("*/said.snap"))
    for line in path.read_text(encoding="utf-8").splitlines()
    if re.match(r"\s+(?!- |variant \d+$)\S", line)
]
"""Titles, reasons, remedies and summaries of findings, as tests/diagnostics/said.yaml makes them."""


def texts_of(command: click.Command) -> list[str]:
    options = [each.help for each in command.params if isinstance(each, click.Option)]
    return [text for text in (command.help, *options) if text]


def helps() -> dict[str, list[str]]:
    """Return the texts of each command's help, without examples."""
    top = click.Context(command_line, info_name="agtrace")
    commands = {verb: command_line.get_command(top, verb) for verb in VERBS}
    return {
        verb: [text.partition("\b")[0] for text in texts_of(command)] for verb, command in commands.items()
    }


# A step may begin with them, and NONE is a value of a group's backup preference.
ALLOWED = ('"Give"', '"Have"', '"Let"', '"is NONE"')


def test_findings_have_no_unnatural_phrase():
    assert [each for each in problems("\n\n".join(SAID)) if not each.startswith(ALLOWED)] == []


def test_findings_have_few_long_sentences():
    text = "\n\n".join(SAID)
    assert len(long_sentences(text)) < LONG_SHARE * len(sentences(text))


@folded(("verb", "texts"), list(helps().items()))
def test_the_help_of_a_command_has_no_unnatural_phrase(verb, texts):
    assert [problems(text) + long_sentences(text) for text in texts] == [[] for _ in texts]
