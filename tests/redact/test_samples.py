"""A redacted case holds no name of its case, and the same is found in it."""

from __future__ import annotations

from pathlib import Path

import pytest

import agtrace
from agtrace.bundled import shows
from tests.effort import IS_THOROUGH, thorough
from tests.folded import folded
from tests.redact.cases import findings, judged, redacted, titles
from tests.redact.searching import found, secrets_of
from tests.shared import CAPTURES, needs_captures

SAMPLES = sorted(shows())
FEW = ("failover_lease_cpu", "read_only_routing")
"""Of every kind of capture that samples have."""
REAL = ("failover_2017", "support_folder")


def assert_same_and_silent(case: Path, folder: Path) -> None:
    store, made = redacted(case, folder)
    own, theirs = findings(case, store), findings(made.folder)
    assert judged(theirs) == judged(own)
    assert titles(theirs, made.secret) == titles(own)
    secrets = secrets_of(case, store)
    assert secrets.names
    assert secrets.contents
    assert found(made.folder, secrets.all) == {}
    missing = secrets.all - found(store, secrets.all).keys()
    assert missing == set(), "the search itself does not find these where they are"


@pytest.mark.complete
@pytest.mark.parametrize("name", FEW)
def test_the_same_is_found_in_a_sample_and_no_name(name, tmp_path):
    assert_same_and_silent(agtrace.sample(name), tmp_path)


@thorough
@pytest.mark.skipif(not IS_THOROUGH, reason="make thorough asks every sample")
@folded("name", sorted(set(SAMPLES) - set(FEW)))
def test_the_same_is_found_in_every_sample_and_no_name(name, tmp_path):
    assert_same_and_silent(agtrace.sample(name), tmp_path)


@needs_captures
@pytest.mark.complete
@pytest.mark.parametrize("name", REAL)
def test_the_same_is_found_in_a_real_case_and_no_name(name, tmp_path):
    assert_same_and_silent(CAPTURES / name, tmp_path)
