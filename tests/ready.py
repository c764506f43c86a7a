"""What takes seconds to get ready, once for all tests of a process."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from shutil import copy2, copytree, ignore_patterns
from typing import TypeVar

import pytest

import agtrace
from agtrace.store import owner
from agtrace.store.layout import DEFAULT_NAME as STORE
from agtrace.store.lock import WriterLock

PATIENCE_S = 120.0
KEY = "key of the store.json"
"""Beside a case that was read: what proves that its store is of this user."""


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Stores of samples for who only asks them: read once, whichever process of the run comes first.

    A sample's folder is named after it: ``log_send_queue_fixed/before``.
    """
    shared = shared_folder(tmp_path_factory)

    def store(name: str) -> Path:
        sample, _, part = name.partition("/")
        folder = shared / "sample stores" / name.replace("/", " ")
        folder.parent.mkdir(exist_ok=True)
        with WriterLock(folder.parent, f"{folder.name}.lock", PATIENCE_S):
            if not folder.exists():
                agtrace.open_case(agtrace.sample(sample) / part, store=folder).close()
        return folder

    return store


Made = TypeVar("Made")


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder that all processes of a run have in common."""
    folder = factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Made]) -> Made:
    """Make something once per run, in the process that wants it first; its folder is read-only.

    Parameters
    ----------
    factory
        That of the run.
    name
        Name of the folder.
    make
        Makes it in that folder; what it gives is given to all.
    """
    folder = shared_folder(factory) / name
    given = folder.with_name(f"{name}.pickle")
    with WriterLock(folder.parent, f"{name}.lock", PATIENCE_S):
        if not given.exists():
            folder.mkdir()
            given.write_bytes(pickle.dumps(make(folder)))
    made: Made = pickle.loads(given.read_bytes())
    return made


@pytest.fixture(scope="session")
def read_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample log_send_queue with its store; what `copied` makes of it is not read again."""
    made = made_once(tmp_path_factory, "read", lambda folder: read_in("log_send_queue", folder))
    # A copy for each process: whoever opens it may write into its store while another one copies it.
    folder = tmp_path_factory.mktemp("read")
    copy2(made.parent / KEY, folder)
    return copied(made, folder / made.name)


def copy_captures(case: Path, to: Path) -> Path:
    """Copy the captures of a case without what commands have left beside them: store and report."""
    return Path(copytree(case, to, ignore=ignore_patterns(".agtrace*", "agtrace-report*")))


def read_in(name: str, folder: Path) -> Path:
    """Copy a sample into a folder, and have it read and asked there."""
    case = copy_captures(agtrace.sample(name), folder / name)
    with agtrace.open_case(case) as opened:
        opened.findings()
    (folder / KEY).write_bytes(owner.entry_of(case / STORE, "store").read_bytes())
    return case


def copied(case: Path, to: Path) -> Path:
    """Copy a case of `read_in` that is not read again: its store is this user's at the new place, too."""
    copytree(case, to)
    entry = owner.entry_of(to / STORE, "store")
    entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    entry.write_bytes((case.parent / KEY).read_bytes())
    entry.chmod(0o600)
    return to
