"""What holds for all tests."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Generator, Iterator

import pytest

from tests import home

home.settle()

# ruff: noqa: E402 - before anything asks where the home is.
from agtrace import notebook_format
from agtrace.diagnostics import failed
from tests import behind
from tests.ready import read_sample, sample_store

__all__ = ["read_sample", "sample_store"]

pytest_plugins = ("tests.cost",)
# What differs is shown, as in a test.
pytest.register_assert_rewrite("agtrace.testing")

# Every worker imports it, and most never need what takes it long.
notebook_format.load()
behind.listen()


_spent: dict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add a bound on a run for any number of tests, as in `make quick`."""
    parser.addoption(
        "--snapshots", action="store_true", help="write the snapshots again, and compare nothing"
    )
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


@pytest.fixture(params=[home.ZONE, "UTC", "Asia/Kolkata"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run a test in several time zones: what it holds of clocks may not turn on that of the machine."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system cannot change the time zone of a process")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    os.environ["TZ"] = home.ZONE
    time.tzset()


_failed_analyses: list[Exception] = []
_finding = failed.finding


def _noted(name: str, error: Exception) -> object:
    _failed_analyses.append(error)
    return _finding(name, error)


failed.finding = _noted


@pytest.fixture(autouse=True)
def _no_analysis_fails(request: pytest.FixtureRequest) -> Iterator[None]:
    """An analysis that fails is a finding among others; in a test that is not about it, it is an error."""
    yield
    # Those of fixtures that several tests share count for the first of them.
    met = _failed_analyses.copy()
    _failed_analyses.clear()
    if met and not request.node.get_closest_marker("analysis_fails"):
        raise met[0]
