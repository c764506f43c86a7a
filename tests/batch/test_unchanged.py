"""A report is kept only while nothing changed that its answer depends on."""

from __future__ import annotations

import dataclasses
import os

import pytest

from agtrace import plugins
from agtrace.batch import batch
from tests.batch.cases import FINDINGS_ONLY, make_quick_case
from tests.ingest import texts
from tests.test_plugins import clocks, nothing_is_left, put  # noqa: F401

pytestmark = pytest.mark.complete
NOW_NS = 1_700_000_000 * 10**9


@pytest.fixture
def case(tmp_path):
    return make_quick_case(tmp_path / "in" / "one")


@pytest.fixture
def run(tmp_path, case):
    def batch_again(**options):
        return batch([case.parent], tmp_path / "out", dataclasses.replace(FINDINGS_ONLY, **options))

    return batch_again


@pytest.mark.parametrize(
    "option", [{"case_settings": False}, {"follow_links": True}, {"thresholds": {"rpo_s": 7.0}}]
)
def test_a_changed_option_is_another_answer(run, option):
    assert run().reported == ["one"]
    assert run(**option).reported == ["one"]
    assert run(**option).unchanged == 1


def test_settings_that_are_left_out_do_not_stay_in_force(run, case):
    (case / "agtrace.toml").write_text("[thresholds]\nrpo_s = 1\n")
    run()
    assert run(case_settings=False).reported == ["one"]


def test_a_file_replaced_by_one_of_equal_size_and_time_is_read_again(run, case):
    before = (case / "perf.csv").stat()
    assert run().reported == ["one"]
    new = (case / "perf.csv").read_bytes().replace(b"Available MBytes", b"Available KBytes")
    (case / "new").write_bytes(new)
    (case / "new").replace(case / "perf.csv")
    os.utime(case / "perf.csv", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run().reported == ["one"]


def test_a_file_rewritten_in_place_with_its_old_time_is_read_again(run, case):
    path = case / "perf.csv"
    before = path.stat()
    assert run().reported == ["one"]
    path.write_bytes(path.read_bytes().replace(b"Available MBytes", b"Available KBytes"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run().reported == ["one"]


def test_the_target_of_a_link_counts_as_its_file(run, case):
    (case / "inner").mkdir()
    (case / "perf.csv").rename(case / "inner" / "perf")
    (case / "perf.csv").symlink_to("inner/perf")
    outside = case.parent.parent / "target.csv"
    outside.write_bytes(texts.perfmon(8))
    (case / "other.csv").symlink_to(outside)
    run(follow_links=True)
    outside.write_bytes(texts.perfmon(9))
    assert run(follow_links=True).reported == ["one"]


def test_files_with_other_inodes_and_the_same_contents_keep_their_report(run, case, tmp_path):
    first = run()
    page = (tmp_path / "out" / "one" / "index.html").stat().st_mtime_ns
    path = case / "perf.csv"
    status = path.stat()
    (case / "copy").write_bytes(path.read_bytes())
    (case / "copy").replace(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    again = run()
    assert (first.reported, again.reported, again.unchanged) == (["one"], [], 1)
    assert (tmp_path / "out" / "one" / "index.html").stat().st_mtime_ns == page


def test_a_file_with_coarse_times_is_read_again_once_and_its_contents_decide(run, case, monkeypatch):
    status = os.stat_result

    def coarse(path):
        found = os.lstat(path)
        return status((*found[:7], 1e9, 1e9, 1e9), {"st_mtime_ns": NOW_NS, "st_ctime_ns": NOW_NS})

    monkeypatch.setattr(type(case), "lstat", coarse)
    monkeypatch.setattr("time.time_ns", lambda: NOW_NS + 10**9)
    assert run().reported == ["one"]
    path = case / "perf.csv"
    path.write_bytes(path.read_bytes().replace(b"Available MBytes", b"Available KBytes"))
    assert run().unchanged == 1
    monkeypatch.setattr("time.time_ns", lambda: NOW_NS + 3 * 10**9)
    assert run().reported == ["one"]
    assert run().unchanged == 1


def test_an_offset_given_to_the_store_is_another_answer(run, tmp_path):
    from agtrace.store import Store

    run()
    (store,) = (tmp_path / "out" / ".agtrace-cases" / "stores").iterdir()
    with (kept := Store(store)).lock():
        kept.write_utc_offsets({"*": 120})
    assert run().reported == ["one"]


def test_a_new_version_reports_again(run, monkeypatch):
    run()
    monkeypatch.setattr("agtrace.__version__", "99.0")
    assert run().reported == ["one"]


def test_a_broken_case_is_tried_again_when_a_plugin_is_added(run, case, tmp_path):
    (case / "perf.csv").write_text("clock says 12:00\n")
    assert list(run().broken) == ["one"]
    assert run().unchanged == 1
    plugins.use(put(tmp_path / "plugins", clocks()))
    assert run().reported == ["one"]


def test_a_plugin_that_goes_is_another_answer(run, tmp_path):
    plugins.use(put(tmp_path / "plugins", clocks()))
    assert run().reported == ["one"]
    plugins.take_over(())
    assert run().reported == ["one"]
