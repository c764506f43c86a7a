"""The words of each question, as its tests are told them; tests/diagnostics/<question>/words.txt holds them.

A test of a question fails where it is told what does not stand there, and a run of all of them where
something stands there that none is told any more. ``pytest --words tests/diagnostics/<question>`` writes
the file anew; whoever changes words reads the difference.

What is drawn anew in every run, or comes from captures that lie elsewhere, is not compared: tests marked
``drawn``, those of Hypothesis and those of the real captures.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from agtrace.say.said import Judged, Said
from tests.shared import needs_captures

FOLDER = Path(__file__).with_name("diagnostics")
NAME = "words.txt"
APART = "\n\n"
SETS = ("words", "others", "asked", "ran", "files", "partly")


class Told:
    """What the tests of this process were told, and which tests there were; pairs of a question and that."""

    def __init__(self) -> None:
        self.now: set[tuple[str, str]] = set()
        self.words: set[tuple[str, str]] = set()
        self.others: set[tuple[str, str]] = set()
        self.asked: set[tuple[str, str]] = set()
        self.ran: set[tuple[str, str]] = set()
        self.files: set[tuple[str, str]] = set()
        self.partly: set[tuple[str, str]] = set()
        self._inside = threading.local()

    def noting(self, method: Any, shown: Any) -> Any:
        """Note what a method of `Said` gives; what that asks itself shows in it."""

        @functools.wraps(method)
        def noted(said: Said, *args: Any, **kwargs: Any) -> Any:
            if getattr(self._inside, "is_so", False):
                return method(said, *args, **kwargs)
            self._inside.is_so = True
            try:
                given = method(said, *args, **kwargs)
            finally:
                self._inside.is_so = False
            self.now.add((said._folder.parent.name, shown(args[0], given)))
            return given

        return noted

    def whole(self) -> list[str]:
        """Name the questions all of whose tests ran and passed."""
        found = []
        for question in sorted({question for question, _file in self.files}):
            there = {(question, path.name) for path in (FOLDER / question).glob("test_*.py")}
            asked = {each for each in self.asked if each[0] == question}
            is_partly = any(of in (question, "") for of, _why in self.partly)
            if there <= self.files and asked <= self.ran and not is_partly:
                found.append(question)
        return found


def _entry(name: str, *texts: str) -> str:
    """Give texts as they stand in the file: their name, and below it each, indented."""
    lines = [line for text in texts for line in (text or "-").splitlines()]
    return "\n".join([name, *(f"  {line}" if line else "  ." for line in lines)])


def _finding(judged: Judged, given: Any) -> str:
    name = f"{judged.said} as {given.id}, {given.severity}"
    return _entry(name, given.title, given.narrative, given.recommendation)


told = Told()
Said.finding = told.noting(Said.finding, _finding)  # type: ignore[method-assign]
Said.text = told.noting(Said.text, _entry)  # type: ignore[method-assign]
Said.page = told.noting(Said.page, lambda name, given: _entry(f"{name}.md", given))  # type: ignore[method-assign]


def path_of(question: str) -> Path:
    """Give where the words of a question stand."""
    return FOLDER / question / NAME


@functools.cache
def written(question: str) -> frozenset[str]:
    """Give the words of a question that are written, none where none were yet."""
    if not path_of(question).exists():
        return frozenset()
    return frozenset(path_of(question).read_text(encoding="utf-8").strip().split(APART))


def question_of(item: pytest.Item) -> str:
    """Name the question whose words a test is held to, "" where there is none."""
    is_elsewhere = any(mark is needs_captures.mark for mark in item.iter_markers("skipif"))
    is_drawn = item.get_closest_marker("drawn") or hasattr(getattr(item, "obj", None), "hypothesis")
    return "" if is_elsewhere or is_drawn or item.path.parent.parent != FOLDER else item.path.parent.name


# The plugin.


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the words be written anew."""
    parser.addoption(
        "--words", action="store_true", help="write tests/diagnostics/*/words.txt anew, compare nothing"
    )


def pytest_deselected(items: list[pytest.Item]) -> None:
    """Keep that not all tests of a question are to run."""
    told.partly |= {(question_of(item), item.name) for item in items if question_of(item)}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep which tests of which question are to run."""
    told.files |= {(item.path.parent.name, item.path.name) for item in session.items}
    told.asked |= {(question_of(item), item.nodeid) for item in session.items if question_of(item)}
    told.partly |= {("", argument) for argument in session.config.args if "::" in argument}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Begin anew with each test; what a fixture of several tests is told belongs to the first of them."""
    told.now.clear()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Hold what a test was told to the words that are written."""
    result = yield
    if question := question_of(item):
        told.ran.add((question, item.nodeid))
        told.words |= {each for each in told.now if each[0] == question}
        new = sorted(entry for of, entry in told.now if of == question and entry not in written(question))
        if new and path_of(question).exists() and not item.config.option.words:
            pytest.fail(f"not in {question}/{NAME} (see tests/words.py):\n\n{APART.join(new)}", pytrace=False)
    # What several tests share is told to the first of them, which may be that of another folder.
    told.others |= told.now
    return result


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what another process of the run was told."""
    for name, found in getattr(node, "workeroutput", {}).get("words", {}).items():
        getattr(told, name).update(map(tuple, found))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write the words anew, or find those that no test is told any more."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["words"] = {name: sorted(map(list, getattr(told, name))) for name in SETS}
    elif session.config.option.words:
        for question in sorted({question for question, _test in told.ran}):
            left = {entry for of, entry in _left() if of == question}
            entries = {entry for of, entry in told.words if of == question}
            text = APART.join(sorted(entries | (written(question) - left))) + "\n"
            path_of(question).write_text(text, encoding="utf-8", newline="\n")
    elif _left() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell the words that no test is told any more."""
    if not terminalreporter.config.option.words:
        for question, entry in _left():
            terminalreporter.write_line(f"{question}/{NAME} holds what no test is told (see tests/words.py):")
            terminalreporter.write_line(entry)


def _left() -> list[tuple[str, str]]:
    return [
        (question, entry)
        for question in told.whole()
        for entry in sorted(written(question))
        if (question, entry) not in told.words | told.others
    ]
