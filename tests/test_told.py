"""A report of each sample opens with the finding that its manifest names."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import agtrace
from agtrace.say.headline import headline

pytestmark = pytest.mark.complete

MANIFEST = tomllib.loads(
    (Path(__file__).parents[1] / "sample_data" / "manifest.toml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", sorted(MANIFEST))
def test_a_sample_opens_with_the_finding_of_its_manifest(name, sample_store):
    wanted = MANIFEST[name]["told"]
    with agtrace.open_case(agtrace.sample(name), store=sample_store(name), ingest=False) as case:
        first = headline(case.findings())
    assert first.id == wanted["finding"]
    assert {key: first.subject.get(key) for key in wanted["subject"]} == wanted["subject"]
