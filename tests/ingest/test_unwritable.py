"""A store that cannot be written and holds all that is asked for."""

from __future__ import annotations

import errno
import os

import pytest

import agtrace
from agtrace.errors import StoreError
from agtrace.store import parts
from agtrace.store.lock import WriterLock
from tests.ingest import texts


@pytest.fixture
def read_only(tmp_path, monkeypatch):
    """A case whose content is all stored, on a file system that was mounted read-only since."""
    (tmp_path / "log.csv").write_bytes(texts.perfmon(30))
    (tmp_path / "notes.txt").write_text("no capture")
    agtrace.open_case(tmp_path).close()

    def refused(self):
        error = OSError(errno.EROFS, os.strerror(errno.EROFS), str(self.path))
        raise parts.storage_error(self.path.parent, error) from error

    monkeypatch.setattr(WriterLock, "_make", refused)
    return tmp_path


def test_it_is_opened_without_a_lock_also_where_its_files_have_other_times(read_only):
    for path in read_only.glob("*.*"):
        os.utime(path, (1.5e9, 1.5e9))
    with agtrace.open_case(read_only) as case:
        assert len(case.captures) == 2


def test_what_is_new_there_is_not_passed_over_in_silence(read_only):
    (read_only / "other.csv").write_bytes(texts.perfmon(31))
    with pytest.raises(StoreError, match=r"cannot be written \(Read-only file system\)"):
        agtrace.open_case(read_only)
