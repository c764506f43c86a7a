"""What takes seconds to get ready, once for all tests of a process."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from typing import TypeVar

import pytest

import agtrace
from agtrace.report import kernel
from agtrace.report.kernel_nursery import Nursery
from agtrace.store.lock import WriterLock

PATIENCE_S = 120.0


@pytest.fixture(scope="session")
def nursery() -> Iterator[type[Nursery]]:
    """A nursery that outlives the reports, as what stands for the class; the first of them starts it."""
    one: list[Nursery] = []

    class Kept(Nursery):
        def __init__(self) -> None:
            if not one:
                one.append(Nursery())
            self.__dict__ = one[0].__dict__

        def close(self) -> None:
            """Stay: a report ends its kernels by themselves."""

    yield Kept
    for each in one:
        each.close()


@pytest.fixture
def one_nursery(nursery: type[Nursery], monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that a test makes in this process fork their kernels from the nursery that there is."""
    monkeypatch.setattr(kernel, "Nursery", nursery)


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
    """Give the folder that all processes of a run have in common."""
    folder = factory.getbasetemp()
    return folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], Made]) -> Made:
    """Have something made in a folder by whichever process of the run wants it first; nobody writes there.

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
    """The sample log_send_queue with its store; copies of it are not read again."""

    def make(folder: Path) -> Path:
        case = folder / "log_send_queue"
        copytree(agtrace.sample(case.name), case)
        with agtrace.open_case(case) as opened:
            opened.findings()
        return case

    # A copy for each process: whoever opens it may write into its store while another one copies it.
    made = made_once(tmp_path_factory, "read", make)
    return copytree(made, tmp_path_factory.mktemp("read") / made.name)
