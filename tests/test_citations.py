"""What comments rest on lies in the repository, or is a public text with a title."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from agtrace.readers import readers
from tests.folded import folded
from tests.test_project import ROOT, project_files

FORMATS = ROOT / "docs" / "formats"
MARKS = {".rs": r"//[/!]?", ".sql": "--", ".toml": "#", ".tsv": "#", ".yml": "#"}
"""What begins a comment, where that is not Python."""
WRITTEN = {path.name for path in (ROOT / "agtrace").rglob("said/*.md")}
"""Pages that agtrace writes, and no text that anything rests on."""

PAGE = re.compile(r"(?<![\w./*-])(?:[\w-]+/)*[\w-]+\.md\b")
ELSEWHERE = re.compile(r"(?:\.\./|(?<![\w./-]))(?:shared|knowledge|facts|seeds|captures)/[\w.]")
SECTION = re.compile(r"\b[Ss]ections? \d")
NAMED = re.compile(r'docs/[\w/]+\.md|\bRFC \d+|"[^"]{5,}"|\bCommonMark\b')
NEAR = 160
"""Characters in front of a section's number in which it is named what has it."""


def comments(path: Path) -> list[tuple[int, str]]:
    """The comments and docstrings of a file, with their lines; lines that follow each other are one."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return [*_docstrings(text), *_joined(_hashes(text))]
    mark = re.compile(rf"^\s*{MARKS[path.suffix]} ?(.*)$")
    lines = ((number, mark.match(line)) for number, line in enumerate(text.splitlines(), 1))
    return _joined((number, found[1]) for number, found in lines if found)


def _hashes(text):
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def _docstrings(text):
    """Every text that stands for itself: of modules, classes and functions, and under what they define."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, " ".join(text.split())


def _joined(lines):
    found: list[tuple[int, str]] = []
    last = 0
    for number, line in lines:
        if found and number == last + 1:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line}")
        else:
            found.append((number, line))
        last = number
    return found


def strangers(comment: str) -> list[str]:
    """What a comment cites that is neither in the repository nor has a title."""
    found = [
        page
        for page in PAGE.findall(comment)
        if not (ROOT / page).is_file() and Path(page).name not in WRITTEN
    ]
    found += [hit[0] for hit in ELSEWHERE.finditer(comment)]
    for hit in SECTION.finditer(comment):
        if not NAMED.search(comment[max(hit.start() - NEAR, 0) : hit.start()]):
            found.append(comment[max(hit.start() - 30, 0) : hit.end()])
    return found


@pytest.mark.complete
def test_no_comment_cites_a_text_outside_of_the_repository():
    cited = [
        f"{path.relative_to(ROOT)}:{line}: {stranger}"
        for path in project_files()
        if path.suffix in {".py", *MARKS}
        for line, comment in comments(path)
        for stranger in strangers(comment)
    ]
    assert cited == []


@pytest.mark.parametrize(
    "comment",
    [
        "Recognised by its first line (ERRORLOG, section 1).",
        "Source: FORMAT_NOTES.md",
        "As ../shared/captures/x.blg shows.",
        "knowledge/AG.md has the waits.",
    ],
)
def test_a_text_elsewhere_is_noticed(comment):
    assert strangers(comment)


@pytest.mark.parametrize(
    "comment",
    [
        "Where entries begin (docs/formats/errorlog.md, section 2).",
        "16 bits (RFC 9293, section 3.1).",
        'Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", sections 4.3 and 4.5.',
    ],
)
def test_pages_of_the_project_and_public_titles_are_no_strangers(comment):
    assert strangers(comment) == []


def pages_of_readers() -> dict[str, str]:
    """The page of each reader, as the table of docs/formats says."""
    found = {}
    for line in (FORMATS / "README.md").read_text(encoding="utf-8").splitlines():
        if row := re.match(r"\| \[[\w]+\]\((\w+\.md)\) \|([^|]*)\|", line):
            found |= dict.fromkeys(re.findall(r"`(\w+)`", row[2]), row[1])
    return found


def test_each_reader_has_a_page():
    assert pages_of_readers().keys() == {reader.name for reader in readers()}


@folded("name", sorted(reader.name for reader in readers()))
def test_a_reader_names_its_page(name):
    code = (ROOT / "agtrace" / "readers" / name / "__init__.py").read_text(encoding="utf-8")
    assert f"docs/formats/{pages_of_readers()[name]}" in ast.get_docstring(ast.parse(code))


def test_each_page_is_in_the_table():
    listed = re.findall(r"^\| \[\w+\]\((\w+\.md)\)", (FORMATS / "README.md").read_text("utf-8"), re.M)
    assert sorted(listed) == sorted(page.name for page in FORMATS.glob("*.md") if page.name != "README.md")


def test_each_page_says_where_it_is_from():
    silent = [
        page.name
        for page in FORMATS.glob("*.md")
        if page.name != "README.md"
        if "ource" not in page.read_text("utf-8") and "found out" not in page.read_text("utf-8")
    ]
    assert silent == []
