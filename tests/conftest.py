"""What holds for all tests."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Generator

import pytest

from agtrace import notebook_format
from tests.ready import nursery, one_nursery, read_sample, sample_store

__all__ = ["nursery", "one_nursery", "read_sample", "sample_store"]

# Every worker imports it, and most never need what takes it long.
notebook_format.load()


_spent: dict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run be bounded whatever the number of tests: `make quick` is."""
    parser.addoption(
        "--budget",
        type=float,
        help="seconds that the tests of a file may take in each process; those left over are skipped",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Add up what the tests of each file take."""
    start = time.perf_counter()
    try:
        return (yield)
    finally:
        _spent[str(item.path)] += time.perf_counter() - start


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Pass over a test whose file has had its time."""
    budget = item.config.getoption("budget")
    if budget is not None and _spent[str(item.path)] > budget:
        pytest.skip("its file has had its time; make test runs it")
