"""Tests that are found once, and met by changed functions in forks of the process that found them.

A change in the body of a function is put into the code of the live function; words and queries are read
when a test asks for them. Whatever is computed as a module loads needs a process that loads it anew:
tools/run_mutated.py.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import shutil
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TextIO

import pytest

from tools.watched import READ_ONCE, caches, forget

STAYS = "sample stores"
"""What tests have read of samples (tests/ready.py): no change that is met here alters it."""


class Gatherer:
    """A process that has found the tests of some places."""

    def __init__(self, places: list[str], modules: list[str], log: Path, options: tuple[str, ...]) -> None:
        own_end, asked = os.pipe()
        answers, their_end = os.pipe()
        self._log = log
        self._process = os.fork()
        if not self._process:
            status = 3
            try:
                os.close(asked)
                os.close(answers)
                os.setsid()
                with log.with_suffix(".gathered").open("wb") as out:
                    os.dup2(out.fileno(), 1)
                    os.dup2(out.fileno(), 2)
                plugin = Gathered(os.fdopen(own_end), os.fdopen(their_end, "w"), modules, log)
                status = int(pytest.main([*options, *places], plugins=[plugin]))
            finally:
                os._exit(status)
        os.close(own_end)
        os.close(their_end)
        self._asked, self._answers = os.fdopen(asked, "w"), os.fdopen(answers)
        self.tests = set(self._answer()["tests"])

    def ask(self, **request: Any) -> dict[str, Any]:
        """Have tests meet a change."""
        self._asked.write(json.dumps(request) + "\n")
        self._asked.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        line = self._answers.readline()
        if not line:
            raise RuntimeError(self._log.with_suffix(".gathered").read_text(errors="replace")[-2000:])
        return json.loads(line)

    def close(self) -> None:
        """End the process."""
        self._asked.close()
        self._answers.close()
        os.waitpid(self._process, 0)


class Gathered:
    """A plugin that, in place of running the tests that were found, meets changes as it is asked to."""

    def __init__(self, asked: TextIO, answers: TextIO, modules: list[str], log: Path) -> None:
        self._asked, self._answers, self._modules, self._log = asked, answers, modules, log

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Answer requests until there are no more."""
        for name in self._modules:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        factory = session.config._tmp_path_factory  # type: ignore[attr-defined]
        self._base: Path = factory.getbasetemp()
        self._items = {item.nodeid: item for item in session.items}
        self._functions: dict[str, list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and "agtrace" in each.__code__.co_filename:
                self._functions[each.__code__.co_filename].append(each)
        self._caches = caches(READ_ONCE)
        gc.collect()
        gc.freeze()
        self._tell({"tests": list(self._items)})
        for line in self._asked:
            self._tell(self._meet(session, json.loads(line)))
        return True

    def _tell(self, answer: dict[str, Any]) -> None:
        self._answers.write(json.dumps(answer) + "\n")
        self._answers.flush()

    def _meet(self, session: pytest.Session, asked: dict[str, Any]) -> dict[str, Any]:
        begin = time.monotonic()
        child = os.fork()
        if not child:
            status = 3
            try:
                os.setsid()
                with self._log.open("wb") as out:
                    os.dup2(out.fileno(), 1)
                    os.dup2(out.fileno(), 2)
                status = self._run(session, asked)
            finally:
                os._exit(status)
        status = wait(child, asked["limit"])
        for left in self._base.iterdir():
            if left.name != STAYS:
                shutil.rmtree(left, ignore_errors=True)
        by = self._log.with_suffix(".by")
        answer = {"status": status, "seconds": time.monotonic() - begin}
        answer["by"] = [by.read_text(encoding="utf-8")] if status == 1 and by.exists() else []
        return answer

    def _run(self, session: pytest.Session, asked: dict[str, Any]) -> int:
        by = self._log.with_suffix(".by")
        by.unlink(missing_ok=True)
        sys.dont_write_bytecode = True
        place = str(Path(asked["path"]).resolve())
        if place.endswith(".py"):
            put(self._functions[place], place, asked["before"], asked["text"])
        forget(self._caches)
        items = [self._items[name] for name in asked["tests"]] or session.items
        for item, after in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if session.testsfailed:
                by.write_text(item.nodeid, encoding="utf-8")
                return 1
        if not asked["tests"]:
            session.exitstatus = pytest.ExitCode.OK
            session.config.hook.pytest_sessionfinish(session=session, exitstatus=pytest.ExitCode.OK)
            return int(session.exitstatus)
        return 0


def put(functions: list[FunctionType], name: str, before: str, after: str) -> None:
    """Give live functions of a module the code of its changed source."""
    # Not with what this module imports of the future.
    codes = (compile(text, name, "exec", dont_inherit=True) for text in (before, after))
    others = dict(_pairs(*codes))
    for function in functions:
        if function.__code__ in others:
            function.__code__ = others[function.__code__]


def _pairs(before: CodeType, after: CodeType) -> list[tuple[CodeType, CodeType]]:
    found = [] if before == after else [(before, after)]
    inside = [[each for each in code.co_consts if isinstance(each, CodeType)] for code in (before, after)]
    for one, other in zip(*inside, strict=True):
        found += _pairs(one, other)
    return found


def wait(child: int, limit: float) -> int | None:
    """Give how a process ended; None where it had to be ended."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None
