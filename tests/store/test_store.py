"""The store: atomic, idempotent, one writer, whole after every fault."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from agtrace.errors import StorageError, StoreError
from agtrace.store import CommitRecord, Fact, Store, Summary, open_store
from agtrace.store.parts import PartWriter, file_stem
from agtrace.store.records import unread_records
from agtrace.tables import SAMPLES


def samples(rows: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_pydict(
        {"counter_no": [0] * rows, "tick": list(range(rows)), "value": [1.5] * rows}, schema=SAMPLES
    )


def write_part(store: Store, *batches: pa.RecordBatch) -> PartWriter:
    with store.part("c1", "pdh_text-1") as part:
        for batch in batches:
            part.write("samples", batch)
        part.finish()
    return part


@pytest.fixture
def store(tmp_path):
    kept = Store(tmp_path / "store")
    kept.create()
    return kept


def test_a_record_comes_back_as_it_was_written(store):
    record = CommitRecord(
        "c1",
        10,
        "perfmon text log",
        "ingested",
        reader="pdh_text",
        reader_version=1,
        tables={"ticks": 2},
        summary=Summary(steps=[(3, "a", "b")], facts=[Fact("startup", 0, "k", "v", 7, None)]),
    )
    store.commit(record)
    assert store.records() == {"c1": record}


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 99}', '{"format": 1}'])
def test_a_damaged_record_is_no_record(store, text):
    (store.commits / "c1.json").write_text(text)
    assert store.records() == {}


def test_a_record_without_its_part_is_no_record(store):
    part = write_part(store, samples(1))
    store.commit(CommitRecord("c1", 10, "x", "ingested", part=part.name))
    shutil.rmtree(store.parts / part.name)
    assert store.records() == {}


def test_contents_without_a_part_share_a_file(store):
    records = [
        CommitRecord("c1", 7, "", "not_understood", "no reader knows this format", readers="x-1"),
        CommitRecord("c2", 8, "a log", "recognised", "not read", reader="x", reader_version=2, readers="x-2"),
    ]
    store.write_unread(records)
    assert (store.records(), list(store.commits.iterdir())) == ({r.content_id: r for r in records}, [])


def test_a_content_that_has_no_part_any_more_has_no_record_of_its_own(store):
    part = write_part(store, samples(1))
    store.commit(CommitRecord("c1", 10, "x", "ingested", part=part.name))
    without = CommitRecord("c1", 10, "", "not_understood", readers="x-2")
    store.write_unread([without])
    assert store.records() == {"c1": without}


@pytest.mark.parametrize(
    "value",
    [7, [], {"x": 7}, {"x": [7, [], ["c1"], ["c1", "7", "", "x", "", "r", 1], [7, 7, "", "x", "", "r", 1]]}],
)
def test_damaged_records_of_contents_without_a_part_are_left_out(value):
    assert list(unread_records(value)) == []


def test_a_list_of_contents_without_a_part_that_is_not_ours_is_empty(store):
    (store.root / "unread.json").write_text('{"": [["c1", 7, "", "x", "", null, null]]}')
    assert store.records() == {}


def test_rows_of_a_part_carry_their_content(store):
    part = write_part(store, samples(3), samples(2))
    table = pq.read_table(part.folder / "samples.parquet")
    assert part.rows == {"samples": 5}
    assert table["content_id"].to_pylist() == ["c1"] * 5
    assert table["tick"].to_pylist() == [0, 1, 2, 0, 1]


def test_a_part_that_fails_is_removed(store):
    part = store.part("c1", "x")
    part.__enter__()
    part.write("samples", samples(3))
    error = RuntimeError()
    part.__exit__(RuntimeError, error, None)
    assert list(store.parts.iterdir()) == []


def test_a_full_disk_is_one_line_and_leaves_what_was_there(store, monkeypatch):
    store.commit(CommitRecord("old", 1, "x", "not_understood"))

    def full(*_args, **_kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pq.ParquetWriter, "write_batch", full)
    with pytest.raises(StoreError, match="no space left on the disk - free some"):
        write_part(store, samples(3))
    assert list(store.parts.iterdir()) == []
    assert set(store.records()) == {"old"}


def test_a_second_writer_is_refused_by_name(store):
    with store.lock(), pytest.raises(StoreError, match=f"in use by process {os.getpid()} on"), store.lock():
        pass
    with store.lock():
        pass


def test_the_lock_of_a_dead_process_is_taken_over(store):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    import socket

    (store.root / "lock").write_text(json.dumps({"host": socket.gethostname(), "pid": ended.pid}))
    with store.lock():
        assert json.loads((store.root / "lock").read_text())["pid"] == os.getpid()


def test_a_lock_without_a_heartbeat_is_taken_over(store):
    path = store.root / "lock"
    path.write_text(json.dumps({"host": "elsewhere", "pid": 1}))
    with pytest.raises(StoreError, match="in use by process 1 on elsewhere"), store.lock():
        pass
    os.utime(path, (time.time() - 61, time.time() - 61))
    with store.lock():
        pass


def test_a_part_that_was_replaced_goes_after_the_grace_period(store):
    parts = [write_part(store, samples(1)) for _ in range(2)]
    for part in parts:
        store.commit(CommitRecord("c1", 1, "x", "ingested", part=part.name))
    store.remove_unnamed_parts()
    assert {p.name for p in store.parts.iterdir()} == {part.name for part in parts}
    store.remove_unnamed_parts(grace_s=-1)
    assert [p.name for p in store.parts.iterdir()] == [parts[1].name]


def test_a_folder_that_holds_something_else_is_refused(tmp_path):
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(StoreError, match="not empty and not an agtrace store"):
        Store(tmp_path).create()


def test_a_store_of_a_newer_version_is_refused(store):
    (store.root / ".agtrace-store").write_text('{"format": 2}')
    with pytest.raises(StoreError, match="made by a newer agtrace"):
        store.create()


def test_the_store_lies_in_the_case(tmp_path):
    assert open_store(tmp_path).root == tmp_path / ".agtrace"


def test_a_read_only_case_is_kept_in_the_cache_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "access", lambda *_args: False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "cache" / name)
    case = tmp_path / "case-7"
    case.mkdir()
    root = open_store(case).root
    assert root.parent == tmp_path / "cache" / "agtrace"
    assert root.name.startswith("case-7-")


def test_a_url_of_no_known_storage_is_refused_with_a_reason(tmp_path, monkeypatch):
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "cache" / name)
    with pytest.raises(StorageError, match=r"^nosuch://bucket/x: .*nosuch"):
        open_store(tmp_path, "nosuch://bucket/x")


@pytest.mark.parametrize(
    ("table", "stem"),
    [("samples", "samples"), ("events/wait_info", "events/wait_info"), ("events/../../x", "events/______x")],
)
def test_file_names_cannot_leave_the_part(table, stem):
    assert file_stem(table) == stem
