"""``--settings FILE``: every verb that judges takes the thresholds of whoever asks."""

from __future__ import annotations

import ast
import json

import nbformat
import pytest

import agtrace as toolkit
from agtrace.comparing.rows import DIFFERENCES
from agtrace.interactive.case_settings import OWN
from tests.ingest import texts
from tests.ingest.test_ingest import put

NEVER = {"growing_minutes": 100_000}


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, ERRORLOG=texts.errorlog())
    return folder


@pytest.fixture
def settings(tmp_path):
    put(tmp_path, mine__toml=b"[thresholds]\ngrowing_minutes = 100000\n")
    return tmp_path / "mine.toml"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"[thresholds]\nrpo = 30\n", "no threshold is named 'rpo'"),
        (b"[threshold]\nrpo_s = 30\n", "'threshold' is not known"),
        (b"rpo_s = \n", "mine.toml"),
        (None, "no such file"),
    ],
)
@pytest.mark.parametrize("verb", ["findings", "report", "sql", "compare", "what-if"])
def test_a_file_that_does_not_hold_ends_a_verb_before_anything_is_read(
    agtrace, case, tmp_path, verb, file, said
):
    if file is not None:
        put(tmp_path, mine__toml=file)
    rest = {"sql": ["select 1"], "compare": [case]}.get(verb, [])
    ran = agtrace(verb, case, *rest, "--settings", tmp_path / "mine.toml")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert not (case / ".agtrace").exists()


def test_no_pipeline_fails_because_of_them(agtrace, case, settings):
    ran = agtrace("findings", case, "--settings", settings, "--json", "--fail-on", "notice")
    found = {each["id"]: each["severity"] for each in json.loads(ran.out)}
    assert (ran.status, found[OWN]) == (0, "info")


@pytest.mark.complete
def test_sql_asks_with_them(agtrace, case, settings):
    query = "select id from findings where id like 'quality.own%'"
    assert agtrace("sql", case, query, "--settings", settings).out == "id\nquality.own_settings\n"
    assert agtrace("sql", case, query).out == "id\n"


@pytest.mark.complete
def test_a_page_of_the_export_names_them(agtrace, case, settings, tmp_path):
    assert agtrace("export", case, "--settings", settings, "--out", tmp_path / "out").status == 0
    assert "quality.own_settings" in (tmp_path / "out" / "findings.csv").read_text(encoding="utf-8")


@pytest.mark.complete
def test_a_comparison_counts_by_them_and_hands_them_to_its_notebook(agtrace, tmp_path):
    fixed = toolkit.sample("log_send_queue_fixed")
    put(tmp_path, most__toml=b"[thresholds]\ncompare_resource_share = 1000000\n")
    words = ["compare", fixed / "before", fixed / "after", "--store", tmp_path / "stores"]
    default = json.loads(agtrace(*words, "--json").out)
    given = [*words, "--settings", tmp_path / "most.toml", "--json"]
    by_mine = json.loads(agtrace(*given, "--out", tmp_path / "out").out)
    assert [any(row["verdict"] in DIFFERENCES for row in each["numbers"]) for each in (default, by_mine)] == [
        True,
        False,
    ]
    notebook = nbformat.read(tmp_path / "out" / "compare.ipynb", as_version=4)
    assert "thresholds = {'compare_resource_share': 1000000" in notebook.cells[1].source
    assert "thresholds=thresholds" in notebook.cells[2].source


@pytest.mark.complete
def test_an_estimate_is_offered_by_them(agtrace, tmp_path, sample_store):
    put(tmp_path, none__toml=b"[thresholds]\nreplay_error_share = 0.0000000001\n")
    place = toolkit.sample("log_send_queue"), "--store", sample_store("log_send_queue")
    words = ["what-if", *place, "--replica", "JBSAG3", "--window", "scaled", "--json"]
    mine = ["--settings", tmp_path / "none.toml"]
    assert json.loads(agtrace(*words).out)["after"]["send_queue_p95_bytes"] is not None
    assert json.loads(agtrace(*words, *mine).out)["after"]["send_queue_p95_bytes"] is None


@pytest.mark.complete
def test_the_notebooks_of_a_report_judge_with_them(agtrace, case, settings, tmp_path):
    ran = agtrace("report", case, "--only", "overview", "--settings", settings, "--out", tmp_path / "out")
    assert ran.status == 0
    notebook = nbformat.read(tmp_path / "out" / "overview.ipynb", as_version=4)
    shown = str(notebook.cells)
    assert "**Thresholds that you set** are in force" in shown
    assert OWN in (tmp_path / "out" / "findings.json").read_text(encoding="utf-8")


def test_the_notebook_of_a_lab_opens_the_case_with_them(agtrace, case, settings, tmp_path):
    ran = agtrace("lab", case, "--no-server", "--out", tmp_path / "notes", "--settings", settings)
    assert ran.status == 0
    (path,) = (tmp_path / "notes").glob("*.ipynb")
    parameters = nbformat.read(path, as_version=4).cells[1]
    assert parameters.metadata.tags == ["parameters"]
    given = {each.targets[0].id: ast.literal_eval(each.value) for each in ast.parse(parameters.source).body}
    assert given["thresholds"] == NEVER
