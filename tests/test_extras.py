"""What works without the extras, and how each lack is said."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import agtrace
from agtrace import bundled, extras
from agtrace.errors import AgtraceError, MissingExtraError
from tests.ingest import texts
from tests.ingest.test_ingest import put

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OPTIONAL = sorted({module for modules in extras.EXTRAS.values() for module in modules})


def run(without: list[str], commands: list[list[str]]) -> dict:
    """Run commands in one process that lacks some modules."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.without"],
        input=json.dumps({"without": without, "commands": commands}),
        cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    folder = tmp_path_factory.mktemp("case")
    put(folder, ERRORLOG=texts.errorlog(20), perf__csv=texts.perfmon())
    return folder


def without_extras(case: Path, out: Path) -> dict[str, list[str]]:
    """Return the verbs that need none."""
    one = str(case)
    return {
        "ingest": ["ingest", one, "--jobs", "1"],
        "findings": ["findings", one, "--jobs", "1"],
        "sql": ["sql", one, "select count(*) as n from findings", "--jobs", "1"],
        "around": ["around", one, "2019-03-02 01:00", "--jobs", "1"],
        "info": ["info", str(next(case.rglob("*.csv")))],
        "convert": ["convert", str(next(case.rglob("*.csv"))), "-o", str(out / "perf.parquet")],
        "export": ["export", one, "--out", str(out / "exported"), "--jobs", "1"],
        "ticket": ["export", one, "--ticket", "--jobs", "1"],
        "sample": ["sample"],
        "compare": ["compare", one, one],
        "kit": ["kit", "transport", "-o", str(out / "kit")],
        "batch": ["batch", one, "--cases", "--out", str(out / "reports"), "--findings-only", "--jobs", "1"],
    }


@pytest.mark.complete
def test_without_any_extra_all_works_but_pages_notebooks_pictures_urls_and_clusters(case, tmp_path):
    works = without_extras(case, tmp_path)
    lacks = {
        "agtrace report needs the report extra: pip install 'agtrace[report]'": ["report", str(case)],
        "agtrace lab needs the lab extra: pip install 'agtrace[lab]'": ["lab", str(case), "--no-server"],
        "XLSX needs the export extra: pip install 'agtrace[export]'": [
            "export", str(case), "--out", str(tmp_path / "x"), "--format", "xlsx"],
        "PNG needs the export extra: pip install 'agtrace[export]'": [
            "export", str(case), "--out", str(tmp_path / "x"), "--format", "png"],
        "s3:// needs the s3 extra: pip install 'agtrace[s3]'": ["ingest", "s3://bucket/case"],
        "abfs:// needs the azure extra: pip install 'agtrace[azure]'": ["findings", "abfs://container/case"],
        "gs://b/case: no extra of agtrace is for gs:// - pip install fsspec": ["sql", "gs://b/case", "x"],
        "tcp://127.0.0.1:9 needs the cluster extra: pip install 'agtrace[cluster]'": [
            "batch", str(case), "--cases", "--out", str(tmp_path / "c"), "--scheduler", "tcp://127.0.0.1:9"],
        "agtrace mcp needs the mcp extra: pip install 'agtrace[mcp]'": ["mcp", str(case)],
    }  # fmt: skip
    told = run(OPTIONAL, [*works.values(), *lacks.values()])["told"]
    assert {name: status for name, (status, _) in zip(works, told, strict=False)} == dict.fromkeys(works, 0)
    said = [(status, text) for status, text in told[len(works) :]]
    assert said == [(1, f"agtrace: {line}\n") for line in lacks]
    assert not (tmp_path / "x").exists()


@pytest.mark.complete
def test_a_batch_without_the_report_extra_gives_findings_and_says_so(case, tmp_path):
    batch = ["batch", str(case), "--cases", "--out", str(tmp_path / "out"), "--jobs", "1"]
    (told,) = run(list(extras.EXTRAS["report"]), [batch])["told"]
    assert told[0] == 0, told[1]
    assert (
        "findings and results only, as with --findings-only: a page for each question needs the report"
        in told[1]
    )
    assert len(list((tmp_path / "out" / case.name).glob("*.html"))) == 1


@pytest.mark.complete
def test_what_needs_no_extra_imports_none(case, tmp_path):
    done = run([], list(without_extras(case, tmp_path).values()))
    assert [status for status, _ in done["told"]] == [0] * 12
    assert done["imported"] == []


def test_a_figure_is_one_line_in_python(monkeypatch, sample_store):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == "plotly" else True)
    sample = agtrace.sample("log_send_queue")
    with agtrace.open_case(sample, store=sample_store("log_send_queue"), ingest=False) as opened:
        figures_are_refused(opened)


def figures_are_refused(opened):
    with pytest.raises(
        MissingExtraError, match=r"^case\.plot needs the report extra: pip install 'agtrace\[report\]'$"
    ):
        opened.plot("Log Send Queue")
    with pytest.raises(ImportError, match=r"^a figure \(fig_chain\) needs the report extra"):
        opened.transport.fig_chain()


def test_where_the_samples_are_not_installed_it_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(bundled, "PACKAGE", tmp_path / "agtrace")
    with pytest.raises(AgtraceError, match=r"a package of their own.* - pip install agtrace-samples$"):
        bundled.sample("log_send_queue")


@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_an_extra_brings_what_is_imported_of_it(extra):
    def of(name: str) -> set[str]:
        found = set()
        for requirement in PROJECT["optional-dependencies"][name]:
            own = re.fullmatch(r"agtrace\[([^]]+)\]", requirement)
            found |= (
                set().union(*map(of, own[1].split(","))) if own else {re.match(r"[\w-]+", requirement)[0]}
            )
        return found

    assert {module.lower().replace("_", "-") for module in extras.EXTRAS[extra]} == of(extra)


def test_all_is_every_extra_that_people_may_want():
    (all_of_them,) = PROJECT["optional-dependencies"]["all"]
    assert set(all_of_them.removeprefix("agtrace[").removesuffix("]").split(",")) == set(extras.EXTRAS)


def test_it_travels_between_processes():
    import pickle

    error = pickle.loads(pickle.dumps(MissingExtraError("s3://", "s3")))
    assert (str(error), error.extra) == ("s3:// needs the s3 extra: pip install 'agtrace[s3]'", "s3")
