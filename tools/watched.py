"""Which lines of which files each test executes: what chooses the tests that meet a change."""

from __future__ import annotations

import functools
import gc
import json
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

READ_ONCE = ("agtrace.store.sql_files", "tests.diagnostics")
"""Whose caches are emptied before each test: it is to read, or do, what it is told."""


class Watch:
    """A plugin: which lines of which files each test executed, and how long it took."""

    def __init__(self, files: list[str], told: Path) -> None:
        self.files = {str(Path(each).resolve()): each for each in files}
        self.told: dict[str, dict[str, Any]] = {}
        self._place = told
        self._met: set[tuple[str, int]] = set()
        self._of_fixture: dict[Any, set[tuple[str, int]]] = {}
        self._caches: list[Any] = []
        # Lines are those of modules alone, and following them takes the tests several times as long.
        self._traced = self._trace if any(each.endswith(".py") for each in files) else None
        sys.addaudithook(self._opened)

    def _opened(self, event: str, arguments: tuple[Any, ...]) -> None:
        # Queries and words are read; which of their lines decide is not known.
        if event == "open" and isinstance(arguments[0], str) and arguments[0] in self.files:
            self._met.add((arguments[0], 0))

    def _trace(self, frame: Any, _event: str, _arg: Any) -> Any:
        return self._line if frame.f_code.co_filename in self.files else None

    def _line(self, frame: Any, event: str, _arg: Any) -> Any:
        if event == "line":
            self._met.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def pytest_collection_finish(self) -> None:
        """Find what is read once in a process."""
        self._caches = caches(READ_ONCE)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a test that fails without any change."""
        if report.failed:
            self.told.setdefault(report.nodeid, {})["failed"] = True

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, object, object]:
        """Keep what a fixture of several tests met, for all of them."""
        before, self._met = self._met, set()
        try:
            return (yield)
        finally:
            self._of_fixture[fixturedef] = self._met
            self._met = before | self._met

    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        """Begin to watch a test."""
        forget(self._caches)
        self._met, self._begin = set(), time.perf_counter()
        sys.settrace(self._traced)
        threading.settrace(self._traced)  # type: ignore[arg-type]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, object, object]:
        """Add what its fixtures met when another test asked for them first."""
        for found in getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {}).values():
            for fixture in found:
                self._met |= self._of_fixture.get(fixture, set())
        return (yield)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Keep what it met."""
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        lines = sorted((self.files[name], line) for name, line in self._met)
        self.told.setdefault(nodeid, {}).update(seconds=time.perf_counter() - self._begin, lines=lines)

    def pytest_sessionfinish(self) -> None:
        """Write it, with the modules that the tests have loaded."""
        modules = [name for name in sys.modules if not name.startswith(("_pytest", "tests", "__"))]
        self._place.write_text(json.dumps({"told": self.told, "modules": modules}), encoding="utf-8")


def caches(of: tuple[str, ...]) -> list[Any]:
    """Give the caches of functions of some modules."""
    kind = functools._lru_cache_wrapper
    found = [each for each in gc.get_objects() if isinstance(each, kind)]
    # What tests share in a process beside that, such as a database in memory, stays.
    return [
        each
        for each in found
        if each.__module__.startswith(of) and each.__module__ != "tests.diagnostics.tiny"
    ]


def forget(kept: list[Any]) -> None:
    """Empty caches, and the words of all questions, which are read once in a process, too."""
    for each in kept:
        each.cache_clear()
    for module in [module for name, module in sys.modules.items() if name.startswith("agtrace.")]:
        for held in ("_files", "_pages", "_held_terms"):
            getattr(getattr(module, "SAID", None), held, {}).clear()
