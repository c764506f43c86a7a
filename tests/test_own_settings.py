"""Thresholds of whoever asks: before those of the case, told with the answers, in nobody's way."""

from __future__ import annotations

import pytest

import agtrace
from agtrace.batch import Options, batch
from agtrace.errors import CaseError
from agtrace.interactive.case_settings import ID, OWN
from tests.batch.cases import make_case
from tests.ingest import texts
from tests.ingest.test_ingest import put

NEVER = {"growing_minutes": 100_000}


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, ERRORLOG=texts.errorlog())
    return folder


def ids(findings):
    return {finding.id: finding for finding in findings}


@pytest.mark.complete
def test_they_turn_a_verdict_and_are_told_at_info(read_sample):
    with agtrace.open_case(read_sample, thresholds=NEVER) as case:
        found = ids(case.findings())
    assert "transport.window_limited" not in found
    assert found[OWN].severity == "info"
    (evidence,) = found[OWN].evidence
    assert (evidence.label, evidence.value, evidence.unit, evidence.source) == (
        "threshold growing_minutes", 100_000, "min", "set by you; the default is 5",
    )  # fmt: skip
    assert ID not in found, "they are no settings of the case"


@pytest.mark.complete
def test_they_come_before_those_of_the_case(case):
    put(case, agtrace__toml=b"[thresholds]\ngrowing_minutes = 7\nrpo_s = 90\n")
    with agtrace.open_case(case, thresholds={"growing_minutes": 9}) as opened:
        limits = opened.thresholds
        found = ids(opened.findings())
    columns = ["value", "unit", "default", "set_by"]
    assert limits.loc["growing_minutes", columns].tolist() == [9, "min", 5.0, "you"]
    assert limits.loc["rpo_s", columns].tolist() == [90, "s", 60, "agtrace.toml"]
    assert limits.loc["min_samples", columns].tolist() == [20, "samples", 20, ""]
    assert [each.label for each in found[OWN].evidence] == ["threshold growing_minutes"]
    assert [each.label for each in found[ID].evidence] == ["threshold rpo_s"]


@pytest.mark.complete
def test_without_any_nothing_is_told(case):
    with agtrace.open_case(case, thresholds={}) as opened:
        assert OWN not in ids(opened.findings())
        assert set(opened.thresholds["set_by"]) == {""}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"rpo": 30}, "no threshold is named 'rpo' - nearest: rpo_s"),
        ({"rpo_s": "30"}, "threshold rpo_s = '30' - give a positive number"),
        ({"rpo_s": -1}, "threshold rpo_s = -1"),
        (["rpo_s"], "gives no names"),
        ({5: 5}, "no threshold is named 5"),
    ],
)
def test_what_is_no_threshold_is_told_before_anything_is_read(case, given, said):
    with pytest.raises(CaseError) as error:
        agtrace.open_case(case, thresholds=given)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert not (case / ".agtrace").exists()


@pytest.mark.complete
def test_a_batch_with_others_reports_again(tmp_path):
    make_case(tmp_path / "in" / "one")
    asked = [
        Options(pages=False),
        Options(pages=False),
        Options(pages=False, thresholds=NEVER),
        Options(pages=False, thresholds=NEVER),
    ]
    done = [batch([tmp_path / "in"], tmp_path / "out", options) for options in asked]
    assert [each.unchanged for each in done] == [0, 1, 0, 1]
