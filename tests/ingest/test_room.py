"""How much of the disk archives take that lie packed themselves: as much as is kept, and what is being
read.
"""

from __future__ import annotations

import errno
import gzip
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from agtrace.ingest import ingest
from agtrace.ingest.archives import Unpacked, unpacked, unpacked_folder
from agtrace.ingest.archives.unpacked import _Spared
from tests.ingest import texts
from tests.ingest.test_containers import tarred

Disk = namedtuple("Disk", "total used free")
MB = 2**20


@pytest.fixture
def case(tmp_path):
    (tmp_path / "case").mkdir()
    return tmp_path / "case"


@pytest.fixture
def seen(monkeypatch):
    """Return what the temporary folder held each time that something was unpacked."""
    held = []
    whole = Unpacked._make_room

    def watched(self: Unpacked, newest: Path) -> None:
        held.append(sum(path.stat().st_size for path in self.folder.iterdir()))
        whole(self, newest)

    monkeypatch.setattr(Unpacked, "_make_room", watched)
    return held


def small_ones(case: Path, count: int) -> None:
    """Write archives of next to nothing that hold a megabyte each."""
    for number in range(count):
        text = texts.perfmon(50) + b"\r\n" * (MB // 2) + b"%d" % number
        (case / f"{number}.csv.gz").write_bytes(gzip.compress(text))


@pytest.mark.complete
def test_many_small_archives_take_what_is_kept_and_one_more(case, seen, monkeypatch):
    monkeypatch.setattr(unpacked, "KEPT_BYTES", 3 * MB)
    small_ones(case, 12)
    assert ingest(case, jobs=1).ingested == 12
    assert max(seen) <= 4.2 * MB


@pytest.mark.complete
def test_a_folder_with_room_left_is_not_looked_at_for_each_file(case, seen, monkeypatch):
    looked = []
    whole = Path.iterdir
    monkeypatch.setattr(unpacked.Path, "iterdir", lambda path: looked.append(path) or whole(path))
    small_ones(case, 12)
    assert ingest(case, jobs=1).ingested == 12
    # Once by the fixture for each of them.
    assert len([path for path in looked if "unpacked" in path.name]) - len(seen) == 1


def test_a_disk_with_little_room_has_less_unpacked_at_once(monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Disk(100 * MB, 92 * MB, 8 * MB))
    with unpacked_folder() as folder:
        assert folder.kept == 2 * MB


def test_what_does_not_fit_is_said_of_its_archive_and_the_rest_is_read(case, monkeypatch):
    small_ones(case, 1)
    (case / "perf.csv").write_bytes(texts.perfmon(50))
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Disk(100 * MB, 36 * MB, 64 * MB))
    found = {c.path: (c.status, c.reason) for c in ingest(case, jobs=1).captures}
    assert found["perf.csv"][0] == "ingested"
    status, reason = found["0.csv.gz"]
    assert status == "failed"
    assert "does not fit on the disk once unpacked - free some space, or set TMPDIR" in reason


@pytest.mark.complete
def test_room_is_asked_for_again_while_a_large_file_is_written(tmp_path, monkeypatch):
    free = iter([1000 * MB, 64 * MB])
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: Disk(0, 0, next(free)))
    with (tmp_path / "out").open("wb") as out:
        spared = _Spared(out, tmp_path)
        for _ in range(234):
            spared.write(bytes(MB))
        with pytest.raises(OSError, match="does not fit") as raised:
            spared.write(bytes(MB))
    assert raised.value.errno == errno.ENOSPC


@pytest.mark.complete
def test_members_of_archives_that_make_room_for_each_other_are_all_read(case, monkeypatch):
    monkeypatch.setattr(unpacked, "KEPT_BYTES", 1)
    for number in range(3):
        logs = {f"JBSAG{n}/perf.csv": texts.perfmon(20 + 10 * number + n) for n in range(4)}
        (case / f"{number}.tar.gz").write_bytes(gzip.compress(tarred(logs)))
    assert ingest(case, jobs=2).ingested == 12


def test_what_is_unpacked_together_is_unpacked_once_to_be_decoded(case, seen, monkeypatch):
    monkeypatch.setattr(unpacked, "KEPT_BYTES", 1)
    for number in range(3):
        logs = {f"JBSAG{n}/perf.csv": texts.perfmon(20 + 10 * n + number) for n in range(8)}
        (case / f"{number}.tar.gz").write_bytes(gzip.compress(tarred(logs)))
    monkeypatch.setattr("agtrace.ingest.update.ThreadPoolExecutor", _one_thread)
    assert ingest(case, jobs=1).ingested == 24
    # To be listed, to be hashed, to be decoded; the last one is still there.
    assert len(seen) <= 3 * 3


def _one_thread(_count):
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1)
