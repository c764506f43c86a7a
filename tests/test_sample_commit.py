"""The cases of what commits wait for: the same bytes each time, and the truth of the simulation in the
answer.
"""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

import agtrace
from simulation.samples.commit_cases import STORIES, write_case

pytestmark = pytest.mark.complete

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"
MANIFEST = tomllib.loads((SAMPLES / "manifest.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=STORIES)
def told(request, sample_store):
    """Return a sample's truth and its findings by id: on its commits, and on redo that is behind."""
    with agtrace.open_case(SAMPLES / request.param, store=sample_store(request.param)) as case:
        found = case.commit_latency.findings()
        if request.param == "commit_redo":
            found += case.transport.findings()
    return MANIFEST[request.param]["truth"], {finding.id: finding for finding in found}


@pytest.mark.parametrize("case", STORIES)
def test_the_committed_files_are_those_of_the_generator_and_the_manifest(case, tmp_path):
    made = write_case(tmp_path, case)
    assert made.files == sorted(MANIFEST[case]["sha256"])
    for file, expected in MANIFEST[case]["sha256"].items():
        for folder in (SAMPLES / case, tmp_path):
            assert hashlib.sha256((folder / file).read_bytes()).hexdigest() == expected, file
    assert sum((SAMPLES / case / file).stat().st_size for file in made.files) < 1e6


def evidence(finding):
    return {each.label: each.value for each in finding.evidence}


def test_the_hop_that_is_slow_is_named(told):
    truth, found = told
    assert evidence(found["commit.hop"])["dominant hop"] == truth["dominant_hop"]
    subject = {"ag": truth["ag"], "database": truth["database"], "replica": truth["synchronous"]}
    assert found["commit.hop"].subject == found["commit.latency"].subject == subject


def test_every_hop_takes_what_it_took(told):
    truth, found = told
    said = evidence(found["commit.latency"])
    assert said["commit wait mean"] == pytest.approx(truth["commit_wait_ms"], rel=0.05)
    for hop, ms in truth["mean_ms"].items():
        assert said[f"{hop} p50"] == pytest.approx(ms, rel=0.1, abs=0.01), hop
    assert abs(said["skew"] - truth["skew_ms"]) <= said["skew spread"]


def test_counters_waits_and_events_agree(told):
    _, found = told
    assert "commit.contradiction" not in found


def test_redo_that_is_behind_costs_no_commit_anything(told):
    _, found = told
    if "transport.redo_limited" in found:
        assert found["commit.hop"].severity == "info"
        assert evidence(found["commit.latency"])["commit p99"] < 5
    else:
        assert found["commit.hop"].severity == "notice"
