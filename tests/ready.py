"""What takes seconds to get ready, once for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

import agtrace
from agtrace.report import kernel
from agtrace.report.kernel_nursery import Nursery


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
def read_sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample log_send_queue with its store; copies of it are not read again."""
    case = tmp_path_factory.mktemp("read") / "log_send_queue"
    copytree(agtrace.sample(case.name), case)
    with agtrace.open_case(case) as opened:
        opened.findings()
    return case
