"""What takes seconds to get ready, once for all tests of a process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest

import agtrace
from agtrace.report import kernel
from agtrace.report.kernel_nursery import Nursery
from agtrace.store.lock import WriterLock

PATIENCE_S = 120.0


@pytest.fixture(scope="session")
def nursery() -> Iterator[type[Nursery]]:
    """A nursery that outlives the reports, as what stands for the class."""
    if not Nursery.possible():
        yield Nursery
        return
    one = Nursery()

    class Kept(Nursery):
        def __init__(self) -> None:
            self.__dict__ = one.__dict__

        def close(self) -> None:
            """Stay: a report ends its kernels by themselves."""

    yield Kept
    one.close()


@pytest.fixture
def one_nursery(nursery: type[Nursery], monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that a test makes in this process fork their kernels from the nursery that there is."""
    monkeypatch.setattr(kernel, "Nursery", nursery)


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Stores of samples for who only asks them: read once, whichever process of the run comes first."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent

    def store(name: str) -> Path:
        folder = shared / "sample stores" / name
        folder.parent.mkdir(exist_ok=True)
        with WriterLock(folder.parent, f"{name}.lock", PATIENCE_S):
            if not folder.exists():
                agtrace.open_case(agtrace.sample(name), store=folder).close()
        return folder

    return store


@pytest.fixture(scope="session")
def read_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample log_send_queue with its store; copies of it are not read again."""
    case = tmp_path_factory.mktemp("read") / "log_send_queue"
    copytree(agtrace.sample(case.name), case)
    with agtrace.open_case(case) as opened:
        opened.findings()
    return case
