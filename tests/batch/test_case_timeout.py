"""A case that takes too long is given up alone."""

from __future__ import annotations

from dataclasses import replace

import psutil
import pytest

from agtrace.batch import batch
from agtrace.batch.places import Reports
from agtrace.errors import CaseError
from tests.batch.cases import FINDINGS_ONLY, make_case
from tests.batch.slow import slow_case

pytestmark = pytest.mark.complete

LIMIT_S = 25.0


@pytest.fixture
def inbox(tmp_path):
    for number in range(3):
        make_case(tmp_path / "in" / f"case{number}")
    return tmp_path / "in"


def test_it_is_that_cases_failure_and_what_it_started_is_ended(inbox, tmp_path, monkeypatch):
    out, options = tmp_path / "out", replace(FINDINGS_ONLY, jobs=2, case_timeout=LIMIT_S)
    others = set(psutil.Process().children(recursive=True))
    with monkeypatch.context() as patch:
        patch.setattr("agtrace.batch.runner.run_case", slow_case)
        done = batch([inbox], out, options)
    assert sorted(done.reported) == ["case0", "case2"], done
    assert done.broken == {"case1": "took longer than 25 s (--case-timeout)"}
    started = set(psutil.Process().children(recursive=True)) - others
    assert psutil.wait_procs(started, 5)[1] == []
    assert "took longer than 25 s" in (out / "case1" / "index.html").read_text()
    assert "took longer than 25 s" in (out / "index.html").read_text()
    again = batch([inbox], out, options)
    assert (again.reported, again.unchanged) == ([], 3)
    longer = batch([inbox], out, replace(options, case_timeout=100.0))
    assert (longer.reported, longer.unchanged) == (["case1"], 2)
    assert {record.given_up_s for record in Reports(out).records().values()} == {0.0}


def test_workers_elsewhere_cannot_be_ended_so_that_is_refused(inbox, tmp_path):
    class Elsewhere:
        here = False
        at_once = 1

    with pytest.raises(CaseError, match="--case-timeout holds on this machine alone"):
        batch([inbox], tmp_path / "out", replace(FINDINGS_ONLY, case_timeout=1.0), engine=Elsewhere())
