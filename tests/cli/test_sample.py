"""``agtrace sample``: a bundled case, copied to look at."""

from __future__ import annotations

import agtrace as package


def test_without_a_name_it_says_which_there_are(agtrace):
    ran = agtrace("sample")
    assert (ran.status, ran.err) == (0, "")
    assert "failover_lease_cpu" in ran.out
    assert len(ran.out.splitlines()) > 10


def test_a_sample_is_copied_without_what_was_made_of_it(agtrace, tmp_path):
    target = tmp_path / "case"
    ran = agtrace("sample", "endpoint_certificate", "--out", target)
    assert (ran.status, ran.err) == (0, "")
    copied = {path.relative_to(target) for path in target.rglob("*") if path.is_file()}
    source = package.sample("endpoint_certificate")
    captures = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    assert copied == {
        path for path in captures if not path.parts[0].startswith((".agtrace", "agtrace-report"))
    }


def test_a_folder_that_is_there_is_left_alone(agtrace, tmp_path):
    (tmp_path / "case").mkdir()
    ran = agtrace("sample", "failover_planned", "-o", tmp_path / "case")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert list((tmp_path / "case").iterdir()) == []


def test_a_name_that_no_sample_has_is_told(agtrace):
    ran = agtrace("sample", "nope")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "there is no sample 'nope'" in ran.err
