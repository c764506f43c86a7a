"""What processes leave that were killed: the next one takes it over, or removes it."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time

import psutil
import pytest

import agtrace
from agtrace.errors import StoreError
from agtrace.ingest import ingest
from agtrace.opening import keep_utc_offsets
from agtrace.store import CommitRecord, Store, layout, lock, open_store, scratch
from tests.ingest import texts
from tests.ingest.test_ingest import put, statuses
from tests.store.test_store import samples, write_part


@pytest.fixture
def case(tmp_path):
    folder = tmp_path / "case"
    folder.mkdir()
    put(folder, perf__csv=texts.perfmon(2))
    return folder


def empty(store):
    store.mkdir()


def marker_begun(store):
    store.mkdir()
    (store / ".agtrace-store.0123456789ab.tmp").write_text('{"for')


def folders_without_a_marker(store):
    for name in ("parts", "commits"):
        (store / name).mkdir(parents=True)
    (store / ".agtrace-store.4711.tmp").write_text("")


def marker_without_folders(store):
    Store(store).create()
    for name in ("parts", "commits"):
        (store / name).rmdir()


@pytest.mark.parametrize("left", [empty, marker_begun, folders_without_a_marker, marker_without_folders])
def test_a_store_that_was_being_made_is_made(case, left):
    left(case / ".agtrace")
    report = ingest(case)
    assert (report.store, report.ingested) == (case / ".agtrace", 1)


def test_the_next_writer_removes_what_was_being_written(case):
    report = ingest(case)
    store = Store(report.store)
    part = store.part("c2", "x")
    part.__enter__()
    for path in (
        store.commits / f"{'0' * 64}.json.0123456789ab.tmp",
        store.commits / "x.json.4711.tmp",
        store.root / "captures.json.0123456789ab.tmp",
        store.root / "lock.0123456789ab.tmp",
        store.root / ".agtrace-store.0123456789ab.tmp",
    ):
        path.write_text("{")
    put(case, more__csv=texts.perfmon(3))
    ingest(case)
    assert not part.folder.exists()
    assert list(store.root.rglob("*.tmp")) == []


def test_a_lock_from_the_future_is_given_up_when_it_stands_still(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "WATCHED_S", 0.2)
    path = tmp_path / "lock"
    path.write_text(json.dumps({"host": "elsewhere", "pid": 1}))
    os.utime(path, (time.time() + 10_000, time.time() + 10_000))
    with lock.WriterLock(tmp_path):
        assert json.loads(path.read_text())["pid"] == os.getpid()


def test_a_lock_from_the_future_that_beats_is_respected(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "WATCHED_S", 2.0)
    path = tmp_path / "lock"
    path.write_text(json.dumps({"host": "elsewhere", "pid": 1}))
    os.utime(path, (time.time() + 10_000, time.time() + 10_000))
    beat = threading.Timer(0.3, os.utime, (path, (time.time() + 10_005, time.time() + 10_005)))
    beat.start()
    with pytest.raises(StoreError, match="in use by process 1 on elsewhere"):
        lock.WriterLock(tmp_path).__enter__()
    beat.join()


def test_a_lock_of_an_earlier_process_of_this_number_is_taken_over(tmp_path):
    owner_ = {"host": socket.gethostname(), "pid": os.getpid(), "token": "another"}
    (tmp_path / "lock").write_text(json.dumps(owner_))
    with lock.WriterLock(tmp_path):
        pass


def test_who_lost_the_lock_commits_nothing_and_leaves_it_alone(tmp_path):
    with lock.WriterLock(tmp_path) as held:
        (tmp_path / "lock").write_text("{}")
        with pytest.raises(StoreError, match="took the lock over"):
            held.check()
    assert (tmp_path / "lock").exists()


def test_a_writer_that_lost_the_lock_stores_nothing(case, monkeypatch):
    real = agtrace.ingest.run_jobs

    def lose(*args):
        for outcome in real(*args):
            (case / ".agtrace" / "lock").write_text("{}")
            yield outcome

    monkeypatch.setattr(agtrace.ingest, "run_jobs", lose)
    with pytest.raises(StoreError, match="took the lock over"):
        ingest(case)
    assert Store(case / ".agtrace").records() == {}


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_workers_end_with_their_parent(tmp_path):
    """The parent is killed while a worker sleeps in the middle of a capture."""
    code = """
import psutil, time
from agtrace.engines.base import Share
from agtrace.engines.workers import Workers
from tests.engines import works
workers, share = Workers(2), Share(1, 2**30)
print(*[f.result() for f in [workers.submit(share, works.sleep, 0.5) for _ in range(2)]], flush=True)
[workers.submit(share, works.sleep, 60) for _ in range(2)]
print(*[child.pid for child in psutil.Process().children()], flush=True)
time.sleep(60)
"""
    script = tmp_path / "parent.py"
    script.write_text(code)
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    parent.stdout.readline()
    workers = [int(pid) for pid in parent.stdout.readline().split()]
    assert len(workers) == 2
    parent.send_signal(signal.SIGKILL)
    parent.communicate()
    _, alive = psutil.wait_procs([psutil.Process(p) for p in workers if psutil.pid_exists(p)], 5)
    assert alive == []


@pytest.mark.skipif(os.name == "nt", reason="processes cannot be looked up by number")
def test_temporary_folders_of_dead_processes_go_and_others_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    mine = scratch.unused("spill")
    dead = tmp_path / mine.name.replace(f"{os.getpid():x}-", f"{ended.pid:x}-")
    for path in (mine, dead, tmp_path / "agtrace-kernel-notes", tmp_path / "holiday"):
        path.mkdir()
        (path / "x").write_text("x")
    beside = tmp_path / "beside"
    beside.mkdir()
    link = tmp_path / f"{dead.name}0"
    link.symlink_to(beside)
    scratch.remove_abandoned()
    assert {p.name for p in tmp_path.iterdir()} == {
        mine.name, link.name, "agtrace-kernel-notes", "holiday", "beside"
    }  # fmt: skip


@pytest.mark.parametrize("text", ["{", "[1]", '{"SQL1": "x"}', "[" * 100_000, '{"SQL1": 1e9}'])
def test_damaged_offsets_are_said_and_no_end_of_the_case(case, text):
    ingest(case)
    keep_utc_offsets(case, None, {"JBSAG3": 60})
    (case / ".agtrace" / "utc_offsets.json").write_text(text)
    report = ingest(case)
    assert report.notes == [
        f"{case}/.agtrace/utc_offsets.json: damaged; what --utc-offset said before is lost - give it again"
    ]
    agtrace.open_case(case).close()
    keep_utc_offsets(case, None, {"JBSAG3": 60})
    assert ingest(case).notes == []


@pytest.mark.parametrize("text", ["{", '[{"path": 7}]', '[{"path": "x"}]', "[" * 100_000, "7"])
def test_a_damaged_list_of_captures_is_made_anew(case, text):
    ingest(case)
    (case / ".agtrace" / "captures.json").write_text(text)
    assert statuses(ingest(case)) == {"perf.csv": "ingested"}


def test_a_store_that_was_removed_is_one_line(case):
    import shutil

    with agtrace.open_case(case) as opened:
        shutil.rmtree(case / ".agtrace")
        with pytest.raises(StoreError, match="was removed or replaced - open the case again"):
            opened.view.table("SELECT * FROM samples")
    with pytest.raises(StoreError, match="nothing is in it; it was removed"):
        agtrace.open_case(case, ingest=False)


@pytest.mark.complete
@pytest.mark.skipif(os.name == "nt", reason="no limit to set")
@pytest.mark.parametrize("verb", ["ingest", "findings"])
def test_too_few_file_handles_are_one_line(case, tmp_path, verb):
    import resource

    for number in range(40):
        put(case, **{f"p{number}__csv": texts.perfmon(2, host=f"H{number}")})
    if verb == "findings":
        ingest(case)
    ran = subprocess.run(
        [sys.executable, "-m", "agtrace", verb, str(case), "--jobs", "1"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12)),
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode:
        assert "too many files are open" in ran.stderr
        assert "internal error" not in ran.stderr
    assert statuses(ingest(case))["perf.csv"] == "ingested"


@pytest.mark.complete
def test_the_key_of_a_place_is_made_once_whole_and_for_this_user_only(tmp_path):
    """Twelve processes mark one place for the first time at once."""
    code = (
        "import sys, pathlib; from agtrace.store import owner; sys.stdin.read(); "
        "owner.mark(pathlib.Path(sys.argv[1]), 'store'); "
        "print(owner._read(owner.entry_of(pathlib.Path(sys.argv[1]), 'store')).hex())"
    )
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(12)
    ]
    for each in started:
        each.stdin.close()
        each.stdin = None
    assert len({each.communicate()[0] for each in started}) == 1
    (path,) = (tmp_path / "agtrace" / "places").iterdir()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_first_starts_side_by_side_share_a_store(case):
    """Each finds what the others have made so far, at whatever moment."""
    roots, errors = set(), []

    def start():
        try:
            roots.add(open_store(case).root)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=start) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (roots, errors) == ({case / ".agtrace"}, [])


def test_a_store_that_another_finished_and_swept_meanwhile_is_shared(case, monkeypatch):
    """The other one removes what this one is about to name."""
    real, store = layout.write_atomically, case / ".agtrace"

    def swept(path, text, **how):
        monkeypatch.setattr(layout, "write_atomically", real)
        assert ingest(case).ingested == 1
        raise FileNotFoundError(path)

    monkeypatch.setattr(layout, "write_atomically", swept)
    Store(store).create()
    assert len(Store(store).records()) == 1


def test_a_part_is_known_by_its_record_only(tmp_path):
    store = Store(tmp_path / "store")
    store.create()
    part = write_part(store, samples(1))
    assert part.folder.name.endswith(".partial")
    store.commit(CommitRecord("c1", 1, "x", "ingested", part=part.name))
    assert [p.name for p in store.parts.iterdir()] == [part.name]
