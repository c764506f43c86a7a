"""A store is this user's at its place: copied, moved, sent back or forged it is read again, or trusted by
word.
"""

from __future__ import annotations

import json
import os
import shutil
import threading

import pytest

import agtrace
from agtrace.cli import main
from agtrace.errors import StoreError
from agtrace.ingest import ingest
from agtrace.report.folder import ReportFolder
from agtrace.report.place import report_path
from agtrace.store import Store, owner, seals
from tests.ingest import texts
from tests.ingest.test_ingest import put, statuses

ONCE = "are not as they were stored here; they are read again"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A user with a registry of their own."""
    for name in ("data", "cache"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / "home" / name))
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / "home" / "data" / name)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "home" / "cache" / name)
    return tmp_path / "home"


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, perf__csv=texts.perfmon(), ERRORLOG=texts.errorlog())
    agtrace.open_case(folder).findings()
    return folder


def values(case, **how):
    """What is told of a case, as its store has it."""
    with agtrace.open_case(case, **how) as opened:
        rows = opened.sql("select sum(value), count(*) from samples").fetchall()
        return rows, opened.sql("select count(*) from roles").fetchall(), opened.ingested


@pytest.mark.complete
def test_a_copied_case_is_read_again_and_that_is_said(case, tmp_path):
    copy = shutil.copytree(case, tmp_path / "copy")
    found = ingest(copy)
    assert (found.ingested, found.store.parent) == (2, tmp_path / "home" / "cache" / "agtrace")
    assert "at another place" in found.notes[0]
    assert "--trust-store" in found.notes[0]
    assert statuses(found)[".agtrace"] == "recognised"


@pytest.mark.complete
def test_a_moved_case_is_used_as_it_is_once_that_is_said_and_bound_to_its_new_place(case, tmp_path):
    moved = case.rename(tmp_path / "moved")
    trusted = ingest(moved, trust_store=True)
    assert (trusted.skipped, trusted.ingested, trusted.notes) == (2, 0, [])
    again = ingest(moved)
    assert (again.skipped, again.store, set(statuses(again))) == (
        2,
        moved / ".agtrace",
        {"perf.csv", "ERRORLOG"},
    )


@pytest.mark.complete
def test_a_moved_case_that_cannot_be_written_is_trusted_each_time_that_it_is_said(
    case, tmp_path, monkeypatch
):
    moved = case.rename(tmp_path / "moved")

    def refused(_store):
        raise StoreError("cannot be written")

    monkeypatch.setattr(Store, "take_over", refused)
    for _ in range(2):
        assert ingest(moved, trust_store=True).skipped == 2
        assert values(moved, trust_store=True)[2].skipped == 2
    assert ingest(moved).ingested == 2


@pytest.mark.complete
def test_every_verb_that_opens_a_case_can_be_told(case, tmp_path, capsys):
    for number, words in enumerate((["findings"], ["ingest"], ["sql"], ["export"])):
        moved = shutil.copytree(case, tmp_path / f"copy-{number}")
        rest = {"sql": ["select 1"], "export": ["--out", str(tmp_path / "out")]}
        main([*words, str(moved), *rest.get(words[0], []), "--trust-store"])
        assert ingest(moved).store == moved / ".agtrace"
    for verb in ("report", "lab", "batch", "watch"):
        main([verb, "--help"])
        assert "--trust-store" in capsys.readouterr().out


def other_values(case, tmp_path):
    """The same captures with other values, as a stranger's store of this very marker would hold them."""
    forged = tmp_path / "forged"
    forged.mkdir()
    put(forged, perf__csv=texts.perfmon(99), ERRORLOG=texts.errorlog())
    agtrace.open_case(forged).findings()
    return forged / ".agtrace"


def forge_part(store, theirs):
    (mine,) = store.glob("parts/*/samples.parquet")
    (other,) = theirs.glob("parts/*/samples.parquet")
    shutil.copyfile(other, mine)


def forge_part_by_a_file_of_the_same_times(store, theirs):
    (mine,) = store.glob("parts/*/samples.parquet")
    before = mine.stat()
    data = bytearray(mine.read_bytes())
    data[40] ^= 0xFF
    mine.unlink()
    mine.write_bytes(data)
    os.utime(mine, ns=(before.st_atime_ns, before.st_mtime_ns))


def forge_record(store, theirs):
    """The rows of their part, under a record that was changed to fit."""
    forge_part(store, theirs)
    for record in (store / "commits").iterdir():
        found = json.loads(record.read_text())
        for file in found["files"].get("samples", []):
            (path,) = store.glob("parts/*/samples.parquet")
            file["digest"] = seals.digest_of(path)
        record.write_text(json.dumps(found))


def swap_records(store, theirs):
    first, second = sorted((store / "commits").iterdir())
    one, other = first.read_text(), second.read_text()
    first.write_text(other)
    second.write_text(one)


@pytest.mark.complete
@pytest.mark.parametrize(
    "forge", [forge_part, forge_part_by_a_file_of_the_same_times, forge_record, swap_records]
)
def test_a_store_that_comes_back_forged_is_read_again_and_that_is_said(case, tmp_path, forge):
    before = values(case)[:2]
    forge(case / ".agtrace", other_values(case, tmp_path))
    *after, found = values(case)
    assert tuple(after) == before
    assert found.ingested >= 1
    assert ONCE in found.notes[0]
    assert ingest(case).skipped == 2


@pytest.mark.complete
def test_a_relation_that_was_forged_is_computed_again(case):
    before = values(case)[:2]
    for path in (case / ".agtrace" / "derived").glob("*/*.parquet"):
        path.write_bytes(b"PAR1 forged PAR1")
    assert values(case)[:2] == before


@pytest.mark.complete
@pytest.mark.parametrize("text", ['{"value": {"*": 60}}', '{"*": 60}', '{"value": {"*": 60}, "seal": "00"}'])
def test_offsets_that_nobody_gave_here_do_not_count(case, text):
    (case / ".agtrace" / "utc_offsets.json").write_text(text)
    kept = agtrace.store.open_store(case)
    assert kept.utc_offsets() == {}


@pytest.mark.complete
def test_what_was_looked_at_is_looked_at_again_only_when_it_changes(case, monkeypatch):
    read = []
    honest = seals.digest_of

    def counted(path):
        read.append(path.name)
        return honest(path)

    monkeypatch.setattr(seals, "digest_of", counted)
    values(case)
    assert read == []
    (part,) = (case / ".agtrace").glob("parts/*/samples.parquet")
    os.utime(part, (1, 1))
    assert values(case)[2].skipped == 2
    assert read == ["samples.parquet"]
    values(case)
    assert read == ["samples.parquet"]


@pytest.mark.complete
def test_a_lost_registry_costs_reading_again_and_nothing_else(case, home):
    before = values(case)[:2]
    shutil.rmtree(home / "data")
    *after, found = values(case)
    assert (tuple(after), found.ingested) == (before, 2)
    assert values(case)[2].skipped == 2


@pytest.mark.complete
@pytest.mark.parametrize("text", ["", "[", "[]", '{"key": 7}', '{"key": "00"}', "[" * 100_000])
def test_a_damaged_entry_of_the_registry_costs_reading_again(case, home, text):
    for path in (home / "data" / "agtrace" / "places").iterdir():
        path.write_text(text)
    assert ingest(case).ingested == 2
    assert ingest(case).skipped == 2


def test_the_registry_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(owner, "MOST_PLACES", 10)
    for number in range(25):
        (tmp_path / f"{number}").mkdir()
        owner.mark(tmp_path / f"{number}", "store")
    assert len(list(owner.registry().iterdir())) <= 11


def test_marks_of_many_at_once_are_all_of_one_key(tmp_path):
    marks = []
    threads = [
        threading.Thread(target=lambda: marks.append(owner.mark(tmp_path, "store"))) for _ in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({owner.key_of(tmp_path, "store", mark) for mark in marks}) == 1
    assert owner.key_of(tmp_path, "report", marks[0]) is None


@pytest.mark.complete
def test_a_report_that_was_copied_is_not_overwritten(case, tmp_path):
    with ReportFolder(report_path(case)) as folder:
        folder.write("index.html", "page")
        folder.finish()
    copy = shutil.copytree(case, tmp_path / "copy")
    assert report_path(copy) == copy / "agtrace-report-2"
    assert report_path(case) == case / "agtrace-report"


def test_a_link_to_a_case_is_the_same_place(case, tmp_path):
    (tmp_path / "link").symlink_to(case)
    assert ingest(tmp_path / "link").skipped == 2


@pytest.mark.complete
def test_the_copy_of_a_store_at_a_url_is_opened_by_its_folder_as_kernels_do(case, home):
    made = ingest(case, "memory://bucket/store-of-a-case", jobs=1)
    with agtrace.open_case(case, made.store, ingest=False) as opened:
        assert opened.sql("select count(*) from samples").fetchall() == [(12,)]
