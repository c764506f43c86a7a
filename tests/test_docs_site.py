"""The site of docs/: made without a warning, nothing of it is fetched, and its search works from a folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import agtrace
from agtrace.diagnostics import analyses
from agtrace.errors import AgtraceError
from agtrace.report.browser import find_browser
from tools.docs_site import api, linked
from tools.site_findings import findings, page

ROOT = Path(__file__).resolve().parent.parent
MKDOCS = ROOT / ".venv" / "docs" / "bin" / "mkdocs"
FETCHED = re.compile(
    r"<(?:script|img|iframe|source)[^>]*\bsrc=\"https?:|<link[^>]*\bhref=\"https?:|@import url\(\"?https?:"
)


@pytest.mark.parametrize(
    ("text", "source", "at", "shown"),
    [
        ("[x](docs/store.md#views)", "", "index.md", "[x](store.md#views)"),
        ("![x](docs/images/a.png)", "", "index.md", "![x](images/a.png)"),
        ("[readme](../README.md)", "docs/lab.md", "lab.md", "[readme](index.md)"),
        ("[x](../store.md)", "docs/formats/blg.md", "formats/blg.md", "[x](../store.md)"),
        ("[`bench/RESULTS.md`](../bench/RESULTS.md)", "docs/lab.md", "lab.md", "`bench/RESULTS.md`"),
        ("[out](https://example.org/a.md)", "docs/lab.md", "lab.md", "[out](https://example.org/a.md)"),
        ("```\n[x](docs/store.md)\n```", "", "index.md", "```\n[x](docs/store.md)\n```"),
        ("    [x](docs/a.md)\n[x](docs/b.md)", "", "index.md", "    [x](docs/a.md)\n[x](b.md)"),
        ("[x](01.ipynb)", "notebooks/tutorials/README.md", "tutorials.md", "[x](tutorials/01.md)"),
        ("[x](../notebooks/tutorials/README.md)", "docs/start.md", "start.md", "[x](tutorials.md)"),
    ],
)
def test_a_link_leads_to_the_page_of_the_site(text, source, at, shown):
    assert linked(text, source, at) == shown


def test_each_finding_has_its_rule_its_words_and_its_thresholds():
    told = {each.id: each for each in findings()}
    assert len(told) > 50
    assert told["transport.suspended"].rule.startswith("a stale queue; critical while it lasts, warning when")
    assert told["transport.suspended"].words[0].startswith("- **title:** ")
    text = page()
    assert "](../" not in text
    assert "## transport.redo_blocked" in text
    assert "| `redo_blocked_share` |" in text.partition("## transport.redo_blocked")[2].partition("\n## ")[0]


def test_the_api_page_lists_all_public_names_and_no_private_path():
    entries = re.findall(r"^::: (\S+)$", api(), re.M)
    public = {f"agtrace.{name}" for name in agtrace.__all__ if name != "__version__"}
    assert public <= set(entries)
    private = [each for each in entries if each not in public and not each.startswith("agtrace.kit")]
    assert private == []


def test_the_api_page_lists_the_methods_that_the_lab_page_teaches():
    (listed,) = re.findall(r"^      members: \[(\w[^\]]+)\]$", api(), re.M)
    methods = (ROOT / "docs" / "lab.md").read_text("utf-8").partition("## Methods")[2].partition("\n## ")[0]
    taught = set(re.findall(r"`case\.(\w+)", methods))
    assert taught - set(analyses()) <= set(listed.split(", "))
    assert [name for name in listed.split(", ") if not hasattr(agtrace.Case, name)] == ["folder", "part"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    if not MKDOCS.exists():
        pytest.skip("`make docs-site` has not installed what builds the site")
    folder = tmp_path_factory.mktemp("site")
    quiet = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    command = [MKDOCS, "build", "--strict", "--site-dir", folder]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ | quiet)
    assert (made.returncode, re.findall("WARNING.*", made.stderr)) == (0, [])
    return folder


@pytest.mark.complete
def test_the_api_page_has_inherited_methods_with_their_types(site):
    page = (site / "api.html").read_text("utf-8")
    assert 'id="agtrace.Case.perfmon"' in page
    assert not re.search(r'id="agtrace\.(?:interactive|opening|reading|case|say)\.', page)
    shown = re.sub(r"<[^>]+>", "", page.partition('id="agtrace.Case.perfmon"')[2])
    assert "str | Iterable[str]" in " ".join(shown.split())[:2000]


@pytest.mark.complete
def test_nothing_of_it_is_fetched(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    assert [page.name for page in pages if FETCHED.search(page.read_text("utf-8"))] == []


@pytest.mark.complete
@pytest.mark.skipif(sys.platform == "win32", reason="file URLs of Windows are another form")
def test_its_search_works_from_a_folder(site):
    try:
        browser = find_browser()
    except AgtraceError as error:
        pytest.skip(str(error))
    asked = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom",
        f"{(site / 'index.html').as_uri()}?q=seeding",
    ]  # fmt: skip
    shown = subprocess.run(asked, capture_output=True, text=True, timeout=180).stdout
    assert re.search(r"md-search-result__meta\">\d+ matching documents<", shown)
