"""``agtrace sample``: a bundled case, copied to look at."""

from __future__ import annotations

import errno
import shutil

import agtrace as package
from agtrace import bundled
from agtrace.bundled import tutorials


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


def test_tutorials_are_copied_as_they_are(agtrace, tmp_path):
    ran = agtrace("sample", "tutorials", "--out", tmp_path / "mine")
    assert (ran.status, ran.err) == (0, "")
    assert "8 notebooks" in ran.out
    copied = {path.name: path.read_bytes() for path in (tmp_path / "mine").iterdir()}
    assert copied == {path.name: path.read_bytes() for path in tutorials().iterdir() if path.is_file()}


def test_tutorials_are_in_the_installed_samples(tmp_path, monkeypatch):
    place = tmp_path / "agtrace_samples" / "_tutorials"
    place.mkdir(parents=True)
    (place.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(bundled, "PACKAGE", tmp_path / "agtrace")
    assert tutorials().resolve() == place.resolve()


def test_a_name_that_no_sample_has_is_told(agtrace):
    ran = agtrace("sample", "nope")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "there is no sample 'nope'" in ran.err


def test_a_full_disk_leaves_nothing_and_the_copy_can_be_repeated(agtrace, tmp_path, monkeypatch):
    copied = []

    def copy(source, target, **_more):
        copied.append(target)
        if len(copied) == 3:
            raise OSError(errno.ENOSPC, "No space left on device", str(target))
        return honest(source, target)

    honest = shutil.copy2
    target = tmp_path / "new" / "case"
    with monkeypatch.context() as patch:
        patch.setattr(shutil.copytree, "__defaults__", (False, None, copy, False, False))
        ran = agtrace("sample", "endpoint_certificate", "--out", target)
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "the disk is full" in ran.err
    assert list(tmp_path.iterdir()) == []
    assert agtrace("sample", "endpoint_certificate", "--out", target).status == 0
    assert any(target.rglob("*"))
