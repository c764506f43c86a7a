"""What each test of the first tier costs: above half a CPU second it is listed, above two, twice, it fails.

``make test`` runs the tests without the marker ``complete``. The tests marked ``front`` (one report, one page
in a browser) may cost more. What a fixture costs is listed with the first test that asks for it, and fails
none.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

LISTED_S, MOST_S = 0.5, 2.0
COST = "cpu seconds"
LIBRARIES = ("pandas", "duckdb", "pyarrow.parquet", "jinja2", "plotly.graph_objects", "agtrace.report")
"""Loaded before the first test: a process loads them once, and no test should be charged for it."""
_started = _called = _own = 0.0


def cpu_s() -> float:
    """Return the CPU time of this process and of its children that have ended, in seconds."""
    return sum(os.times()[:4])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Load libraries where the first tier runs."""
    if any(map(is_bound, session.items)) and len(session.items) > len(LIBRARIES):
        for name in LIBRARIES:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)


def is_bound(item: pytest.Item) -> bool:
    """Return whether a test belongs to the first tier and to its rule."""
    return not any(map(item.get_closest_marker, ("complete", "front", "thorough")))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    """Measure from the start of the test's set-up; what seems too dear runs once more."""
    global _started, _called
    _started = _called = cpu_s()
    done = yield
    if is_bound(item) and _own > MOST_S:
        # The first use of a library, or a busy machine, is no fault of the test.
        for report in runtestprotocol(item, log=False, nextitem=nextitem):
            if report.when == "teardown" and report.passed and _own > MOST_S:
                report.outcome = "failed"
                report.longrepr = (
                    f"{item.nodeid} cost {_own:.1f} CPU seconds; a test of `make test` may cost {MOST_S:g}. "
                    "Make it smaller, or mark it `complete`: then `make test-all` runs it."
                )
                item.ihook.pytest_runtest_logreport(report=report)
    return done


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call() -> None:
    """Measure from here what may fail the test."""
    global _called
    _called = cpu_s()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Pass on what a test of the first tier cost."""
    global _own
    report = yield
    if call.when == "teardown" and is_bound(item):
        spent, _own = cpu_s() - _started, cpu_s() - _called
        if spent > LISTED_S:
            report.user_properties.append((COST, spent))
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the tests of the first tier that cost more than they should."""
    found = {
        report.nodeid: spent
        for report in terminalreporter.getreports("")
        for name, spent in report.user_properties
        if name == COST
    }
    for nodeid, spent in sorted(found.items(), key=lambda each: -each[1]):
        terminalreporter.write_line(f"cost {spent:.1f} CPU seconds (more than {LISTED_S:g}): {nodeid}")
