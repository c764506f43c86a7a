"""The whole report: pages that stand alone, findings first, one failure that stops nothing else."""

from __future__ import annotations

import itertools
import json
import math
import re
from pathlib import Path

import nbformat
import nbformat.v4 as v4
import pytest

import agtrace
from agtrace.diagnostics import Evidence, Finding, analyses
from agtrace.errors import CaseError
from agtrace.history import makers, offering
from agtrace.report import findings_json, report
from agtrace.tables.history import RELATIONS
from simulation.formats.pdh_text import write_pdh
from tests.ready import copied, copy_captures
from tests.report import made
from tests.report.conftest import DATABASE, HOST, pages_of
from tests.report.page_parts import Parts, digests
from tests.report.prose import Prose, said_too_much

pytestmark = pytest.mark.complete

MAY_STAND = {
    "html", "head", "rect", "line", "text", "caption", "meta", "title", "style", "body", "script", "noscript",
    "a", "div", "span", "svg", "path",
    "circle", "nav", "main", "header", "footer", "article", "section", "p", "h1", "h2", "h3", "ul", "li", "b",
    "strong", "button", "input", "ol",
    "code", "pre", "small", "details", "summary", "figure", "figcaption", "table", "thead", "tbody", "tr",
    "th", "td",
}  # fmt: skip


def test_the_index_gives_the_answer_first(sample_report):
    text = " ".join(Parts.of(sample_report.index).text.split())
    assert "11 captures of 3 hosts (JBSAG1, JBSAG2 and JBSAG3)" in text
    assert "No damage: nothing was lost while reading." in text
    worst = sample_report.findings[0]
    assert worst.id == "transport.window_limited"
    verdict = (
        "JBSAG3 receives log too slowly from 2019-08-20 13:30:03 UTC on: 728 KB/s of the 943 KB/s of log"
    )
    for before, after in itertools.pairwise([verdict, "What to do", "No damage", "Pages"]):
        assert text.index(before) < text.index(after)
    assert "log bytes in 44 min 29 s with samples of every hop" in text
    assert (
        "flushed 2.5 GB sent 1.5 GB on the wire received ▸ held back here 1.9 GB send queue +584 MB" in text
    )
    assert f"agtrace {agtrace.__version__}" in text
    for finding in sample_report.findings:
        assert finding.title in text


def test_a_page_that_finds_nothing_is_not_answered_yet_can_be_reached(sample_report):
    listed = navigation(sample_report.index)
    assert {"overview.html", "health.html", "transport.html"} <= listed
    assert listed & {"backup.html", "percentiles.html"} == set()
    index = sample_report.index.read_text(encoding="utf-8")
    left = index[index.index("<h2>Pages</h2>") :]
    assert "24 backups and restores of 3 databases: nothing was found in them." in left
    for name in ("backup", "percentiles"):
        assert f'<a href="{name}.html">' in left
        assert f"{name}.html" in navigation(sample_report.pages[name]), "it names itself"


def test_what_is_asked_for_is_an_answer_whatever_it_finds(two_notebooks, small_case):
    two_notebooks(overview="print(1)", transport="print(2)", percentiles="print(3)")
    assert "percentiles.html" not in navigation(report(small_case).index)
    assert "percentiles.html" in navigation(report(small_case, only=["percentiles"]).index)
    assert "percentiles.html" in navigation(report(small_case, parameters={"n": 7}).index)


def test_where_nothing_else_answers_percentiles_do(two_notebooks, small_case):
    two_notebooks(overview="print(1)", percentiles="print(2)")
    assert "percentiles.html" in navigation(report(small_case).index)


def navigation(page):
    """Return the pages that the head of a page leads to."""
    head = page.read_text(encoding="utf-8").partition("</nav>")[0].partition("<nav")[2]
    return set(re.findall(r'href="([a-z_]+\.html)"', head)) - {"index.html"}


def test_the_index_links_to_each_finding_on_its_page(sample_report):
    for tag, name, link in Parts.of(sample_report.index).attributes:
        if (tag, name) == ("a", "href") and "#finding-" in link:
            page, _, anchor = link.partition("#")
            attributes = Parts.of(sample_report.index.parent / page).attributes
            assert ("article", "id", anchor) in attributes


def test_a_page_tells_its_findings_in_full(sample_report):
    text = " ".join(Parts.of(sample_report.pages["transport"]).text.split())
    worst = sample_report.findings[0]
    for told in (worst.id, "What to do", "confidence high (85 %)", worst.evidence[0].source):
        assert told in text
    told = worst.narrative.split(". ")
    assert [sentence for sentence in told if sentence not in text] == []
    assert [text.count(sentence) for sentence in told[1:4]] == [1, 1, 1]


def test_pages_say_little_before_anything_is_unfolded(sample_report, hostile_report):
    for path in [*pages_of(sample_report), *pages_of(hostile_report)]:
        assert said_too_much(path) == []


def test_figures_are_drawn_from_data_in_the_page(sample_report):
    page = Parts.of(sample_report.pages["transport"])
    figures = [value for tag, name, value in page.attributes if (tag, name) == ("figure", "data-figure")]
    assert len(figures) == 6
    assert list(page.data) == [*figures, "times", "time", "packed-lines"]
    for spec in (json.loads(page.data[name]) for name in figures):
        assert spec["data"]
        for trace in spec["data"]:
            assert trace["type"] in ("scatter", "bar")
            assert len(trace["x"]) <= 4000
    assert ("script", "src", "plotly.min.js") in page.attributes
    assert "showSendToCloud: false" in page.scripts[-2]
    assert "JBSAG3: 535 points, 191 to 792 MB, 1 gap" in page.text


def test_narrative_comes_before_the_first_figure_and_that_before_the_first_table(sample_report):
    for path in sample_report.pages.values():
        html = path.read_text(encoding="utf-8")
        figures = [m.start() for m in re.finditer("<figure ", html)]
        tables = [m.start() for m in re.finditer("<table", html)]
        first = min(tables, default=len(html))
        assert html.index('class="verdict') < first
        if figures:
            assert html.index('class="verdict') < min(figures) < first


def test_code_is_not_shown(sample_report):
    for path in sample_report.pages.values():
        assert "open_case(" not in Parts.of(path).text
        assert "NBVAL" not in Parts.of(path).text


@pytest.mark.parametrize("name", ["sample_report", "hostile_report"])
def test_pages_need_no_network_and_run_nothing_but_their_own_scripts(name, request):
    for path in pages_of(request.getfixturevalue(name)):
        page = Parts.of(path)
        assert set(page.tags) <= MAY_STAND, set(page.tags) - MAY_STAND
        assert [a for a in page.attributes if a[1].startswith("on")] == []
        local = re.compile(r"#[\w-]+|[\w]+\.(html|ipynb|json)(#[\w-]+)?|plotly\.min\.js")
        assert [link for link in page.links if not local.fullmatch(link)] == []
        assert page.policy.startswith("default-src 'none'; ")
        inside = [script for script in page.scripts if script]
        assert re.findall(r"sha256-([^']+)", page.policy) == digests(inside)
        nonces = [value for _, name, value in page.attributes if name == "nonce"]
        assert re.findall(r"nonce-([^']+)", page.policy) == nonces
        assert not re.search(r"unsafe-eval|script-src[^;]*unsafe|https?:", page.policy)
        styles = path.read_text(encoding="utf-8").split("<style>")[1].split("</style>")[0]
        assert not re.search(r"url\(|@import|@font-face", styles)


def test_markup_in_names_is_shown_as_text(hostile_report):
    assert hostile_report.failures == []
    index = Parts.of(hostile_report.index)
    overview = Parts.of(hostile_report.pages["overview"])
    # Host names compare in upper case.
    assert HOST.upper() in index.text
    assert HOST.upper() in overview.text
    assert f"{DATABASE}.txt" in overview.text
    figure = json.loads(next(iter(overview.data.values())))
    assert "&lt;IMG SRC=X" in json.dumps(figure["layout"]["yaxis"]["ticktext"])
    for path in pages_of(hostile_report):
        for spec in Parts.of(path).data.values():
            assert "<" not in spec


def test_a_report_in_the_case_is_no_capture_of_it(hostile_report):
    case = hostile_report.index.parent.parent
    with agtrace.open_case(case) as opened:
        assert {c.path for c in opened.overview.captured.captures} == {"log.csv", f"{DATABASE}.txt"}


@pytest.fixture
def two_notebooks(tmp_path, monkeypatch):
    """Notebooks of one line instead of the real ones."""

    def write(**sources):
        for name, source in sources.items():
            declared = v4.new_code_cell("case = None\nstore = None\ningest = True\nn = 1")
            declared.metadata["tags"] = ["parameters"]
            cells = [v4.new_markdown_cell(f"# {name}"), declared, v4.new_code_cell(source)]
            nbformat.write(v4.new_notebook(cells=cells), tmp_path / f"{name}.ipynb")
        monkeypatch.setattr("agtrace.bundled.notebooks", lambda: tmp_path)

    return write


@pytest.fixture
def small_case(read_sample, tmp_path):
    """The sample, read before; whose notebooks take a moment."""
    return copied(read_sample, tmp_path / "case")


@pytest.fixture
def unread_case(tmp_path):
    return copy_captures(agtrace.sample("log_send_queue"), tmp_path / "case")


def test_a_failing_notebook_is_one_line_and_the_rest_is_done(two_notebooks, small_case):
    two_notebooks(overview="print('before'); raise ValueError('no <b>')", transport="print('n is', n)")
    result = report(small_case, parameters={"n": 7})
    assert [str(f) for f in result.failures] == ["notebook overview failed: ValueError: no <b>"]
    assert "notebook overview failed: ValueError: no <b>" in Parts.of(result.index).text
    overview = Parts.of(result.pages["overview"]).text
    assert "This page is not complete: notebook overview failed: ValueError: no <b>" in overview
    assert "before" in overview
    assert "n is 7" in Parts.of(result.pages["transport"]).text
    assert result.findings[0].severity == "critical"


def test_only_runs_what_is_named_and_removes_the_rest_of_an_older_report(two_notebooks, small_case):
    two_notebooks(overview="print(1)", transport="print(2)")
    report(small_case)
    result = report(small_case, only=["transport"])
    assert list(result.pages) == ["transport"]
    assert sorted(p.name for p in result.index.parent.glob("*.html")) == ["index.html", "transport.html"]
    assert {f.id.partition(".")[0] for f in result.findings} == {"transport"}


def test_what_cannot_be_done_is_said_before_anything_is_run(two_notebooks, small_case, tmp_path):
    two_notebooks(overview="print(1)")
    with pytest.raises(CaseError, match="no notebook is called 'nope' - there are: overview"):
        report(small_case, only=["nope"])
    with pytest.raises(CaseError, match="no notebook has a parameter 'm' - there are: n"):
        report(small_case, parameters={"m": 1})
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.docx").write_text("x")
    with pytest.raises(CaseError, match="not empty and not a report"):
        report(small_case, tmp_path / "mine")
    with pytest.raises(CaseError, match="no such folder"):
        report(tmp_path / "gone")


def test_a_notebook_without_input_is_named_with_what_it_lacks(tmp_path, two_notebooks):
    case = tmp_path / "case"
    case.mkdir()
    (case / "log.csv").write_bytes(write_pdh([r"\\HOSTA\Memory\Available MBytes"], [[n] for n in range(30)]))
    two_notebooks(overview="print(1)", transport="print(2)")
    result = report(case)
    assert list(result.pages) == ["overview"]
    assert "No perfmon counters of an availability group" in result.missing["transport"][0]
    rows = re.findall(
        r'<tr data-state="not-captured"><th scope="row">([^<]+)', result.index.read_text("utf-8")
    )
    assert "Sending log to replicas" in rows


def test_a_report_makes_each_relation_once_whatever_the_number_of_notebooks(
    two_notebooks, unread_case, tmp_path, monkeypatch
):
    asked = "\n".join(f"case.sql('select count(*) from {name}').fetchall()" for name in RELATIONS)
    opened = "from agtrace.report.notebook import open_case\ncase = open_case(case, store, ingest=False)"
    names = ("overview", "percentiles", "transport")
    two_notebooks(**dict.fromkeys(names, f"{opened}\n{asked}"))
    agtrace.open_case(unread_case).close()
    for folder in (Path(__file__).parents[2], made.NOTING):
        monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv(made.NOTES, str(tmp_path / "notes"))
    monkeypatch.setattr(offering, "makers", offering.makers)
    made.note_makers()
    result = report(unread_case)
    assert (sorted(result.pages), result.failures) == (sorted(names), [])
    notes = [line.split() for line in (tmp_path / "notes").read_text().splitlines()]
    with agtrace.open_case(unread_case) as case:
        fed = [m.relations[0] for m in makers() if m.sources.are_in(case.view) and not m.is_view]
    # What only names rows of captures is never computed.
    views = {m.relations[0] for m in makers() if m.is_view}
    assert sorted(first for _pid, first in notes if first not in views) == sorted(fed)
    assert len(fed) >= 5


def test_numbers_that_json_does_not_know_become_null():
    finding = Finding("a.b", "info", "t", "n", evidence=(Evidence("l", math.nan, "B", "s"),))
    assert json.loads(findings_json([finding]))[0]["evidence"][0]["value"] is None


def test_an_answer_that_fails_is_one_line_and_the_rest_is_done(two_notebooks, small_case, monkeypatch):
    def fail(self):
        raise ValueError("no <b>")

    two_notebooks(overview="print(1)", transport="print(2)")
    for name in ("say_verdict", "key_figures", "strips"):
        monkeypatch.setattr(analyses()["transport"], name, fail)
    result = report(small_case, only=["transport"])
    assert {str(f) for f in result.failures} == {"the head of transport failed: ValueError: no <b>"}
    assert "the head of transport failed: ValueError: no <b>" in Parts.of(result.index).text


def test_without_pages_the_index_holds_the_cards(small_case):
    result = report(small_case, pages=False)
    assert said_too_much(result.index) == []
    page = Parts.of(result.index)
    cards = {value for tag, name, value in page.attributes if (tag, name) == ("article", "id")}
    assert len(cards) == len(result.findings)
    assert " ".join(Prose.of(result.index).text).count(result.findings[0].title) == 1
    links = {link for link in page.links if link.startswith("#finding-")}
    assert {link[1:] for link in links} <= cards
