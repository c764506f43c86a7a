"""The samples of an installed package: found wherever it lies, and never written into."""

from __future__ import annotations

import shutil

import pytest

import agtrace
from agtrace import bundled
from agtrace.report import report
from agtrace.store import open_store
from tests.ingest import texts

pytestmark = pytest.mark.complete


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A sample as it lies in site-packages; small."""
    package = tmp_path / "site-packages" / "agtrace"
    sample = package.with_name("agtrace_samples") / "log_send_queue"
    sample.mkdir(parents=True)
    (sample.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(package.parent)
    (sample / "perfmon.csv").write_bytes(texts.perfmon())
    shutil.copytree(bundled.notebooks(), package / "_bundled" / "notebooks")
    monkeypatch.setattr(bundled, "PACKAGE", package)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "current").mkdir()
    monkeypatch.chdir(tmp_path / "current")
    return sample


def test_its_store_lies_in_the_users_cache(installed):
    store = open_store(agtrace.sample("log_send_queue"))
    assert installed not in store.root.parents
    assert store.root.is_dir()
    assert [path.name for path in installed.iterdir()] == ["perfmon.csv"]


def test_its_report_goes_into_the_current_folder(installed, tmp_path):
    result = report(agtrace.sample("log_send_queue"), only=["overview"])
    assert result.failures == []
    assert result.index.resolve() == tmp_path / "current" / "agtrace-report" / "index.html"
    assert [path.name for path in installed.iterdir()] == ["perfmon.csv"]


def test_a_copy_of_it_is_a_case_like_any_other(installed, tmp_path):
    copy = tmp_path / "case"
    shutil.copytree(installed, copy)
    assert open_store(copy).root == copy / ".agtrace"
