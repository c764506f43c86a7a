"""One run at a time writes at a URL: who holds its lock, who waits, and who takes over what died."""

from __future__ import annotations

import json
import threading
import time
import uuid

import platformdirs
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from agtrace.batch import batch
from agtrace.errors import StoreError
from agtrace.storage import Remote
from agtrace.store import remote_lock
from agtrace.store.remote_lock import RemoteLock
from tests.batch.cases import FINDINGS_ONLY, make_case

ELSEWHERE = {"host": "other", "pid": 7, "token": "theirs"}


@pytest.fixture(autouse=True)
def quick(tmp_path, monkeypatch):
    for name, seconds in (("BEAT_S", 0.05), ("WATCHED_S", 0.3), ("SETTLED_S", 0.01)):
        monkeypatch.setattr(remote_lock, name, seconds)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache" / name)


@pytest.fixture
def url():
    return f"memory://{uuid.uuid4().hex}/out"


@pytest.fixture
def lock(url, tmp_path):
    """Make a lock as another machine would: with a copy of its own."""
    count = iter(range(99))

    def made(patience_s=0.0, taken=lambda: None):
        root = tmp_path / f"copy-{next(count)}"
        root.mkdir()
        return RemoteLock(root, Remote(url), "lock", patience_s, taken)

    return made


def held_by_others(url, beat):
    Remote(url).write("lock", json.dumps(ELSEWHERE | {"beat": beat}).encode())


def test_a_second_run_is_told_who_is_at_it(url, lock):
    with lock(), pytest.raises(StoreError, match=rf"^{url}: in use by process \d+ on "), lock():
        pass
    with lock():
        pass
    assert Remote(url).look("lock") is None


def test_who_is_patient_has_it_when_it_is_given_back(url, lock):
    held_by_others(url, time.time())
    threading.Timer(0.2, lambda: Remote(url).remove(["lock"])).start()
    with lock(patience_s=30.0):
        assert json.loads(Remote(url).read("lock"))["token"] != "theirs"


def test_a_lock_whose_heart_stands_still_is_taken_over(url, lock):
    held_by_others(url, time.time() - 3600)
    with lock() as mine:
        mine.check()


def test_a_lock_of_a_machine_whose_clock_is_wrong_is_left_alone_while_it_beats(url, lock):
    held_by_others(url, time.time() - 3600)
    beats = threading.Timer(0.1, lambda: held_by_others(url, time.time() - 3599))
    beats.start()
    with pytest.raises(StoreError, match="in use by process 7 on other"), lock():
        pass
    beats.join()


def test_a_storage_that_knows_no_condition_is_written_all_the_same(url, lock, monkeypatch):
    put = MemoryFileSystem.pipe_file

    def plain(self, path, value, mode="overwrite", **more):
        if mode == "create":
            raise NotImplementedError("A header you provided implies functionality that is not implemented")
        return put(self, path, value, **more)

    monkeypatch.setattr(MemoryFileSystem, "pipe_file", plain)
    with lock(), pytest.raises(StoreError, match=f"^{url}: in use by process "), lock():
        pass


def test_a_damaged_lock_is_nobodys_once_it_stands_still(url, lock):
    Remote(url).write("lock", b"")
    with lock() as mine:
        mine.check()


def test_who_lost_the_lock_writes_nothing_more(url, lock):
    with lock() as mine:
        held_by_others(url, time.time())
        with pytest.raises(StoreError, match="another run took over writing there"):
            mine.check()
    assert json.loads(Remote(url).read("lock"))["token"] == "theirs"


def test_what_others_wrote_is_fetched_once_it_is_held(url, lock):
    seen = []
    with lock(taken=lambda: seen.append(Remote(url).look("lock") is not None)):
        assert seen == [True]


@pytest.mark.complete
def test_a_batch_into_a_url_that_another_machine_writes_says_so(url, tmp_path):
    make_case(tmp_path / "inbox" / "one")
    assert batch([tmp_path / "inbox"], url, FINDINGS_ONLY).reported == ["one"]
    held = Remote(url)
    held.write(".agtrace-cases/lock", json.dumps(ELSEWHERE | {"beat": time.time()}).encode())
    with pytest.raises(StoreError, match=rf"^{url}: in use by process 7 on other"):
        batch([tmp_path / "inbox"], url, FINDINGS_ONLY)
    held.remove([".agtrace-cases/lock"])
    assert batch([tmp_path / "inbox"], url, FINDINGS_ONLY).unchanged == 1
