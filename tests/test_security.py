"""docs/security.md names tests that exist, for every promise; and what no other test holds for all verbs."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.folded import folded
from tests.ingest import texts
from tests.ingest.test_ingest import put

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "docs" / "security.md", *sorted((ROOT / "docs" / "security").glob("*.md"))]
PAGE = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


def promises() -> list[list[str]]:
    """Return the cells of each row in a table of guarantees."""
    tables = re.findall(r"^\| guarantee \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE, re.M)
    rows = [line.strip("|").split(" | ") for table in tables for line in table.splitlines()]
    return [[cell.strip() for cell in row] for row in rows]


@folded(("file", "name"), NAMED)
def test_each_test_that_is_named_exists(file, name):
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_each_promise_names_its_tests_and_the_ways_of_the_other_systems():
    assert promises()
    bare = [row[0] for row in promises() if len(row) != 3 or "::" not in row[1]]
    assert bare == []
    assert [row[0] for row in promises() if not re.search(r"same test|not tested", row[2])] == []


def test_no_promise_waits_for_its_test():
    assert [row[0] for row in promises() if "TEST?" in "".join(row)] == []


def test_the_decoders_hold_no_unsafe_code():
    """But for what pyo3 writes."""
    sources = {path.relative_to(ROOT): path for path in (ROOT / "xelib" / "src").rglob("*.rs")}
    said = {name: path.read_text(encoding="utf-8") for name, path in sources.items()}
    assert "#![deny(unsafe_code)]" in said[Path("xelib/src/lib.rs")]
    assert [name for name, text in said.items() if re.search(r"\bunsafe\b|allow\(unsafe", text)] == []


GUARDED = """
import sys

def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        sys.stderr.write(f"{event} {arguments}\\n")
        sys.stderr.flush()
        import os
        os._exit(77)

sys.addaudithook(refuse)
from agtrace.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.complete
@pytest.mark.parametrize(
    "words",
    [
        ["findings", "{case}", "--json"],
        ["info", "{case}/perf.csv"],
        ["convert", "{case}/perf.csv", "-o", "{out}/perf.parquet"],
        ["export", "{case}", "--out", "{out}/export"],
        ["sql", "{case}", "select count(*) from samples"],
    ],
    ids=lambda words: words[0],
)
def test_no_verb_asks_for_an_address(tmp_path, words):
    case, out = tmp_path / "case", tmp_path / "out"
    case.mkdir()
    out.mkdir()
    put(case, perf__csv=texts.perfmon(3))
    command = [word.format(case=case, out=out) for word in words]
    done = subprocess.run(
        [sys.executable, "-P", "-c", GUARDED, *command], cwd=out, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
