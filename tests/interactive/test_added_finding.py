"""Findings of whoever asks stand among the others: in Python, SQL, exports and the report of the run."""

from __future__ import annotations

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import agtrace
from agtrace.cli import main
from agtrace.errors import CaseError
from tests.folded import folded
from tests.ingest import texts
from tests.ingest.test_ingest import put

MINE = agtrace.Evidence("latency of the array", 41.0, "ms", "storage team")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, ERRORLOG=texts.errorlog())
    return folder


@pytest.fixture
def case(folder):
    with agtrace.open_case(folder) as opened:
        yield opened


@pytest.mark.complete
def test_it_is_one_of_the_findings_with_its_window_and_subject(case):
    before = len(case.findings())
    assert case.sql("select count(*) from findings").fetchall() == [(before,)]
    case.add_finding(
        "mine.storage",
        "The array was rebuilding",
        severity="critical",
        evidence=MINE,
        host="JBSAG3",
        start="2019-03-02 10:00",
        end="2019-03-02 11:00",
        tz="Asia/Tokyo",
    )
    first, *rest = case.findings()
    assert (first.id, first.subject, len(rest)) == ("mine.storage", {"host": "JBSAG3"}, before)
    assert first.window == {"start": "2019-03-02T01:00:00Z", "end": "2019-03-02T02:00:00Z"}
    query = "select title, start::varchar, evidence[1].value from findings where id = 'mine.storage'"
    assert case.sql(query).fetchall() == [("The array was rebuilding", "2019-03-02 01:00:00+00", 41.0)]
    assert case.findings().to_df()["id"].tolist()[0] == "mine.storage"
    assert "CRITICAL The array was rebuilding" in repr(case)


@pytest.mark.complete
def test_an_export_has_it(case, tmp_path):
    case.add_finding("mine.storage", "The array was rebuilding", evidence=[MINE])
    agtrace.export_case(case, tmp_path / "out", only="findings")
    assert "mine.storage" in (tmp_path / "out" / "findings.csv").read_text(encoding="utf-8")


@pytest.mark.complete
@folded(
    ("given", "said"),
    [
        ({"id": "storage"}, "'storage' is no id of a finding"),
        ({"id": 5}, "5 is no id of a finding"),
        ({"id": "transport.mine"}, "ids of agtrace's own begin with 'transport'"),
        ({"id": "quality.mine"}, "ids of agtrace's own begin with 'quality'"),
        ({"severity": "fatal"}, "severity 'fatal' is not known - there are: info, notice, warning, critical"),
        ({"evidence": ()}, "a finding rests on evidence"),
        ({"evidence": ["41 ms"]}, "a finding rests on evidence"),
        ({"title": ""}, "title='' is no text"),
        ({"title": "two\nlines"}, "is no text"),
        ({"confidence": 90}, "confidence=90 is no share"),
        ({"host": 5}, "host=5 is no text"),
        ({"start": "yesterday"}, "'yesterday' is not a time"),
        ({"tz": "Berlin"}, "tz='Berlin' is no zone"),
    ],
)
def test_what_is_none_is_told_and_nothing_is_added(case, given, said):
    before = len(case.findings())
    with pytest.raises(CaseError) as error:
        case.add_finding(**({"id": "mine.x", "title": "A title", "evidence": MINE} | given))
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(case.findings()) == before


NOTEBOOK = [
    ("case = None\nstore = None\ningest = True", ["parameters"]),
    (
        "import agtrace\nfrom agtrace.lab.session import open_case\n"
        "case = open_case(case, store, ingest=ingest)",
        [],
    ),
    (
        'mine = agtrace.Evidence("latency", 41.0, "ms", "storage team")\n'
        'case.add_finding("mine.storage", "The array was <rebuilding>", severity="warning", evidence=mine)',
        [],
    ),
    ("print(len(case.hosts))", []),
]


@pytest.mark.complete
def test_a_notebook_is_a_page_of_the_report_and_what_it_adds_is_among_the_findings(folder, tmp_path, capsys):
    cells = [new_markdown_cell("# The storage team's view")]
    cells += [new_code_cell(source, metadata={"tags": tags}) for source, tags in NOTEBOOK]
    path = tmp_path / "storage.ipynb"
    path.write_text(nbformat.writes(new_notebook(cells=cells)), encoding="utf-8")
    words = ["report", folder, "--only", "overview", "--notebook", path, "--out", tmp_path / "out"]
    assert main([*map(str, words), "--fail-on", "warning"]) == 3
    capsys.readouterr()
    found = json.loads((tmp_path / "out" / "findings.json").read_text(encoding="utf-8"))
    assert found[0]["id"] == "mine.storage"
    index = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "The array was &lt;rebuilding&gt;" in index
    assert "storage.html" in index
    page = (tmp_path / "out" / "storage.html").read_text(encoding="utf-8")
    assert "The storage team&#39;s view" in page or "The storage team's view" in page
    assert page.count("The array was &lt;rebuilding&gt;") >= 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("nothing.ipynb", None, "cannot be read"),
        ("text.ipynb", "no notebook", "is no notebook"),
        ("overview.ipynb", "{}", "the report has a page 'overview' already"),
    ],
)
def test_what_is_no_notebook_ends_it_before_anything_is_made(folder, tmp_path, capsys, name, content, said):
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    status = main(["report", str(folder), "--notebook", str(tmp_path / name), "--out", str(tmp_path / "out")])
    assert status != 0
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
