"""A full temporary folder is no answer about a case: it is tried again."""

from __future__ import annotations

import pytest

from agtrace.batch import batch
from agtrace.case import Case
from tests.batch.cases import FINDINGS_ONLY, make_quick_case
from tests.ingest import texts

pytestmark = pytest.mark.complete


@pytest.mark.parametrize("where", ["answers", "sql"])
def test_it_counts_as_failed_keeps_the_report_and_is_tried_again(tmp_path, monkeypatch, where):
    case, out = make_quick_case(tmp_path / "in" / "one"), tmp_path / "out"
    assert batch([case.parent], out, FINDINGS_ONLY).reported == ["one"]
    page = (out / "one" / "index.html").read_bytes()
    (case / "perf.csv").write_bytes(texts.perfmon(9))

    def full(*_given):
        raise RuntimeError("IO Error: could not write: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Case, where, full)
        done = batch([case.parent], out, FINDINGS_ONLY)
    assert (done.reported, done.broken, list(done.postponed)) == ([], {}, ["one"])
    assert (out / "one" / "index.html").read_bytes() == page
    assert batch([case.parent], out, FINDINGS_ONLY).reported == ["one"]
