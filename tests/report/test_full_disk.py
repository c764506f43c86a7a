"""A full temporary folder leaves the report before as it was."""

from __future__ import annotations

import pytest

from agtrace.case import Case
from agtrace.errors import NotebookError, StoreError
from agtrace.report import ReportResult, report
from tests.batch.cases import make_quick_case

pytestmark = pytest.mark.complete
FULL = [
    OSError(28, "No space left on device"),
    RuntimeError("failed to offload data block of size 256.0 KiB. This limit was set by the "
                 "'max_temp_directory_size' setting."),
    FileNotFoundError("No usable temporary directory found in ['/tmp']"),
    StoreError("the disk is full (x)"),
]  # fmt: skip


@pytest.fixture
def case(tmp_path):
    return make_quick_case(tmp_path / "case")


def refuse(error):
    def answers(self, name):
        raise error

    return answers


@pytest.mark.parametrize("error", FULL, ids=lambda error: str(error)[:24])
def test_an_analysis_without_room_leaves_the_good_report(case, monkeypatch, error):
    index = report(case, pages=False).index
    before = index.read_bytes()
    monkeypatch.setattr(Case, "answers", refuse(error))
    with pytest.raises(StoreError, match="the temporary folder is full"):
        report(case, pages=False)
    assert index.read_bytes() == before
    monkeypatch.undo()
    assert report(case, pages=False).failures == []


def test_a_notebook_without_room_leaves_the_good_report(case, monkeypatch):
    index = report(case, pages=False).index
    before = index.read_bytes()

    def made(*_given):
        failure = NotebookError("notebook overview failed: OSError: [Errno 28] No space left on device")
        return ReportResult(index, failures=[failure])

    monkeypatch.setattr("agtrace.report._made", made)
    with pytest.raises(StoreError, match="the temporary folder is full"):
        report(case, pages=False)
    assert index.read_bytes() == before


def test_a_failure_while_there_is_no_room_is_of_the_disk(case, monkeypatch):
    report(case, pages=False)
    monkeypatch.setattr(Case, "answers", refuse(RuntimeError("kernel died")))
    monkeypatch.setattr("agtrace.store.scratch.has_room", lambda: False)
    with pytest.raises(StoreError, match="the temporary folder is full"):
        report(case, pages=False)


def test_another_failure_is_told_in_the_report(case, monkeypatch):
    monkeypatch.setattr(Case, "answers", refuse(RuntimeError("a defect")))
    assert report(case, pages=False).failures
