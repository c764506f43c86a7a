"""Pages, notebooks, exports and the answers of the verbs hold no name of a case, whatever it is of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import agtrace
from agtrace.bundled import shows
from agtrace.cli import main
from agtrace.ingest import ingest
from agtrace.redact import redact
from tests.effort import IS_THOROUGH, thorough
from tests.folded import folded
from tests.ready import copy_captures
from tests.redact.searching import Secrets, found, secrets_of
from tests.shared import CAPTURES, needs_captures

FEW = ("read_only_routing",)
CUSTOMER = "contoso-outage"


def copied(source: Path, folder: Path) -> Path:
    """A case in a folder that names a customer as well."""
    case = folder / CUSTOMER
    copy_captures(source, case)
    ingest(case, jobs=1)
    return case


def beside(folder: Path, secrets: Secrets) -> set[str]:
    """What of a case must stand nowhere, and neither its folder nor the one that the pages are made in."""
    return secrets.all | {CUSTOMER, str(folder).casefold(), "agtrace-redacted-"}


def assert_pages_are_silent(source: Path, folder: Path) -> None:
    case = copied(source, folder)
    secrets = beside(folder, secrets_of(case, case / ".agtrace"))
    assert main(["report", str(case), "--redact", "--jobs", "1"]) == 0
    pages = case / "agtrace-report-redacted"
    assert (pages / "index.html").is_file()
    assert list(pages.glob("*.ipynb"))
    assert found(pages, secrets) == {}
    out = folder / "exported"
    formats = ["--format", "csv,xlsx,parquet"]
    assert main(["export", str(case), "--redact", "--out", str(out), *formats]) == 0
    assert {each.suffix for each in out.rglob("*") if each.is_file()} >= {".csv", ".xlsx", ".parquet"}
    assert found(out, secrets) == {}


@pytest.mark.complete
@pytest.mark.parametrize("name", FEW)
def test_pages_and_exports_of_a_sample_hold_no_name(name, tmp_path):
    assert_pages_are_silent(agtrace.sample(name), tmp_path)


@thorough
@pytest.mark.skipif(not IS_THOROUGH, reason="make thorough asks every sample")
@folded("name", sorted(set(shows()) - set(FEW)))
def test_pages_and_exports_of_every_sample_hold_no_name(name, tmp_path):
    assert_pages_are_silent(agtrace.sample(name), tmp_path)


@thorough
@needs_captures
@pytest.mark.skipif(not IS_THOROUGH, reason="make thorough asks the real cases")
@pytest.mark.parametrize("name", ["failover_2017", "support_folder"])
def test_pages_and_exports_of_a_real_case_hold_no_name(name, tmp_path):
    assert_pages_are_silent(CAPTURES / name, tmp_path)


@pytest.mark.complete
def test_findings_without_names_are_those_of_the_redacted_case(tmp_path, capsys):
    case = copied(agtrace.sample("failover_planned"), tmp_path)
    secrets = beside(tmp_path, secrets_of(case, case / ".agtrace"))
    answers = []
    made = redact(case, tmp_path / "send")
    for words in (["findings", case, "--redact"], ["findings", made.folder]):
        capsys.readouterr()
        assert main([*map(str, words), "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0]
    assert answers[0] == answers[1]
    written = tmp_path / "answer"
    written.mkdir()
    (written / "answer.json").write_text(json.dumps(answers), encoding="utf-8")
    assert found(written, secrets) == {}


@pytest.mark.complete
def test_a_report_without_names_of_a_case_without_names_is_its_report(tmp_path):
    case = copied(agtrace.sample("failover_planned"), tmp_path)
    made = redact(case, tmp_path / "send")
    files = {}
    for words in ([], ["--redact"]):
        out = tmp_path / f"out{len(words)}"
        assert main(["report", str(made.folder), "--only", "health", "--out", str(out), *words]) == 0
        files[len(words)] = sorted(path.name for path in out.iterdir())
        assert "HOST-" in (out / "health.html").read_text(encoding="utf-8")
        secrets = beside(case, secrets_of(case, case / ".agtrace")) - {str(case).casefold()}
        assert found(out, secrets) == {}
    assert files[0] == files[1]
