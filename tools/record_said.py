"""Record what the tests make agtrace say, and compare two such recordings.

    python -m pytest -p tools.record_said --said FILE tests        # record this tree
    python -m tools.record_said record COMMIT FILE [tests ...] # record another commit, in a tree of its own
    python -m tools.record_said compare BEFORE AFTER [--words]

A recording is sorted JSON lines, one for each different thing that a test was given: every finding, every
result of ``say_*``, ``tbl_*``, ``fig_*`` (as `describe` of the figures tells it),
``key_figures``, ``missing`` and ``strips``, and what functions of questions give that tests call by
themselves. What a fixture of several tests or a cached function of the
tests asks stands under its own name, for whichever test comes first asks it. Neither the order of the tests
nor the number of processes shows in a recording: one commit gives the same bytes twice. Paths of temporary
folders are masked, seeds that are drawn in every run are fixed, and tests whose answer holds a moment of
the run are left out (`LEFT_OUT`).

It works on every commit that has `agtrace.diagnostics`, and needs nothing of the tree but that: analyses
are wrapped as classes when they come into being, and their modules may bear any name.

What differs is told apart: facts (ids, severities, subjects, windows, confidences, values and their units,
numbers of tables and figures) and words (titles, narratives, recommendations, labels, sources, narrative
text, headings and text of tables). The status of ``compare`` is 1 when facts differ, with ``--words`` also
when words do.
"""

from __future__ import annotations

import argparse
import fnmatch
import functools
import importlib.abc
import importlib.machinery
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

if __package__:
    from tools.said_values import VALUES, plain
else:
    # Another tree, whose own tools are not these, is recorded.
    from said_values import VALUES, plain

ROOT = Path(__file__).resolve().parents[1]
LEFT_OUT: tuple[tuple[str, str], ...] = ()
"""Tests that are not recorded (globs over their ids), with the reason."""
SEED = "27"
"""Given to tests that draw a seed in every run."""
PREFIXES = {"say_": "say", "tbl_": "table", "fig_": "figure", "figs_": "figure"}
NAMES = {"findings": "finding", "key_figures": "key_figures", "missing": "missing", "strips": "strips"}
FINDINGS = r"list\[Finding\]|Findings|Finding( \| None)?"
SAYING = ("agtrace.diagnostics.", "agtrace.say.")
KEEPERS = ("findings", "answers", "verdicts")
"""Methods of a case that give findings, also of an analysis that failed."""


class Recorder:
    """What was said in this process, by whom it was asked."""

    def __init__(self) -> None:
        self.lines: set[str] = set()
        self.owners: list[str] = []
        self._local = threading.local()

    @contextmanager
    def asking(self, owner: str) -> Iterator[None]:
        """Put what is said under the name of who asks."""
        self.owners.append(owner)
        try:
            yield
        finally:
            self.owners.pop()

    def wrapped(self, method: Callable[..., Any], kind: str, of: str = "") -> Callable[..., Any]:
        """Give a function or method that also records what it gives, under a name or that of its analysis.

        What it asks itself is not recorded: whether it does depends on what was asked before.
        """
        if getattr(method, "is_recorded", False):
            return method

        @functools.wraps(method)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            if getattr(self._local, "inside", False):
                return method(*args, **kwargs)
            self._local.inside = True
            try:
                given = method(*args, **kwargs)
                if self.owners and given is not None:
                    self._take(kind, of or f"{_name_of(args[0])}.{method.__name__}", given)
            finally:
                self._local.inside = False
            return given

        recorded.is_recorded = True  # type: ignore[attr-defined]
        return recorded

    def _take(self, kind: str, of: str, given: Any) -> None:
        if kind == "finding":
            for each in [given] if hasattr(given, "to_dict") else given:
                self._note(kind, each.id, each.to_dict())
        else:
            self._note(kind, of, VALUES[kind](given))

    def _note(self, kind: str, of: str, value: Any) -> None:
        line = {"test": self.owners[-1], "kind": kind, "of": of, "value": plain(value)}
        self.lines.add(json.dumps(line, sort_keys=True, ensure_ascii=False))


def _name_of(asked: Any) -> str:
    return getattr(type(asked), "name", None) or type(asked).__name__.lower()


def recorded_kind(name: str, method: Callable[..., Any]) -> str | None:
    """Tell what a method of an analysis gives, by its name or by what it declares."""
    if name.startswith("_"):
        return None
    for prefix, kind in PREFIXES.items():
        if name.startswith(prefix):
            return kind
    return NAMES.get(name) or ("finding" if re.fullmatch(FINDINGS, _gives(method)) else None)


def _gives(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__annotations__", {}).get("return", ""))


def given_kind(name: str, function: Callable[..., Any]) -> str | None:
    """Tell what a function of a question gives, which tests may call without an analysis."""
    if re.fullmatch(FINDINGS, _gives(function)):
        return "finding"
    if name.startswith("say") and _gives(function) == "str":
        return "say"
    return {"Figure": "figure", "pd.DataFrame": "table"}.get(_gives(function))


class Functions(importlib.abc.MetaPathFinder):
    """Wraps the functions of questions as their modules are loaded, whatever these are called.

    Where a function lies may change: what it gives stands under the name of its question alone.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        """Find a module as ever, and wrap what it holds once it was executed."""
        spec = importlib.machinery.PathFinder.find_spec(name, path) if name.startswith(SAYING) else None
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def executed(module: ModuleType) -> None:
            execute(module)
            self._wrap(module)

        spec.loader.exec_module = executed  # type: ignore[method-assign]
        return spec

    def _wrap(self, module: ModuleType) -> None:
        question = module.__name__.split(".")[2:-1]
        for name, member in list(vars(module).items()):
            if getattr(member, "__module__", "") != module.__name__:
                continue
            if isinstance(member, type) and member.__name__ == "Said":
                for method in ("finding", "findings"):
                    setattr(member, method, self._recorder.wrapped(vars(member)[method], "finding", "said"))
            elif hasattr(member, "__code__"):
                kind = given_kind(name, member)
                # What draws and lists for all questions is no answer.
                if kind == "finding" or (kind and question):
                    of = f"{''.join(question[:1])}.{kind}"
                    setattr(module, name, self._recorder.wrapped(member, kind, of))


def install(recorder: Recorder) -> None:
    """Wrap every analysis there is and every one to come, and the functions of questions."""
    sys.meta_path.insert(0, Functions(recorder))
    from agtrace.diagnostics.base import Analysis

    def wrap(cls: type) -> None:
        for name, member in list(vars(cls).items()):
            if callable(member) and hasattr(member, "__code__") and (kind := recorded_kind(name, member)):
                setattr(cls, name, recorder.wrapped(member, kind))

    def __init_subclass__(cls: type, **kwargs: Any) -> None:
        super(Analysis, cls).__init_subclass__(**kwargs)
        wrap(cls)

    def known(cls: type) -> Iterator[type]:
        yield cls
        for below in cls.__subclasses__():
            yield from known(below)

    for cls in known(Analysis):
        wrap(cls)
    Analysis.__init_subclass__ = classmethod(__init_subclass__)


def install_case(recorder: Recorder) -> None:
    """Wrap what a case gives, where its module was loaded."""
    case = getattr(sys.modules.get("agtrace.case"), "Case", None)
    for name in KEEPERS:
        if name in vars(case or object):
            setattr(case, name, recorder.wrapped(vars(case)[name], "finding"))


class Drawn(random.Random):
    """What draws the same in every run, instead of ``random.SystemRandom``."""

    def __init__(self, _seed: object = None) -> None:
        super().__init__(SEED)


def fix_seeds() -> None:
    """Let tests whose simulators draw a seed in every run draw the same one."""
    os.environ.setdefault("AGTRACE_TESTS_SEED", SEED)
    # It keeps what it draws with: what is to be secret stays so.
    importlib.import_module("secrets")
    random.SystemRandom = Drawn  # type: ignore[assignment, misc]


def own_caches(recorder: Recorder) -> None:
    """Put what a cached function of the tests asks under its name: it asks once, whoever calls it first."""
    for name in ("cache", "lru_cache"):
        setattr(functools, name, _under_own_name(recorder, getattr(functools, name)))


def _under_own_name(recorder: Recorder, original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def caching(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and callable(args[0]) and not kwargs:
            return original(asked(args[0]))
        decorate = original(*args, **kwargs)
        return lambda function: decorate(asked(function))

    def asked(function: Callable[..., Any]) -> Callable[..., Any]:
        if not getattr(function, "__module__", "").startswith("tests."):
            return function

        @functools.wraps(function)
        def called(*args: Any, **kwargs: Any) -> Any:
            with recorder.asking(f"{function.__module__}.{function.__qualname__}()"):
                return function(*args, **kwargs)

        return called

    return caching


# The plugin.

recorder = Recorder()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Ask where to record to; and wrap what there is before any test, or what it imports, is loaded."""
    fix_seeds()
    own_caches(recorder)
    install(recorder)
    parser.addoption("--said", default=os.environ.get("AGTRACE_SAID"), help="file to record to what is said")


def pytest_configure(config: pytest.Config) -> None:
    """Let the processes of xdist wrap what they import first, as this one does."""
    config.said = Path(config.option.said).absolute() if config.option.said else None  # type: ignore[attr-defined]
    if config.said and not hasattr(config, "workerinput"):  # type: ignore[attr-defined]
        if getattr(config.option, "numprocesses", None):
            os.environ["PYTEST_PLUGINS"] = __name__
        for left in config.said.parent.glob(config.said.name + ".*"):  # type: ignore[attr-defined]
            left.unlink()
    else:
        os.environ.pop("PYTEST_PLUGINS", None)


def pytest_collection_finish() -> None:
    """Wrap the cases, now that the tests have loaded what they need."""
    install_case(recorder)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Put what a test is told under its id."""
    if any(fnmatch.fnmatchcase(item.nodeid, glob) for glob, _reason in LEFT_OUT):
        return (yield)
    install_case(recorder)
    with recorder.asking(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: Any) -> Iterator[None]:
    """Put what a fixture of several tests is told under its name."""
    if fixturedef.scope == "function" or not recorder.owners:
        return (yield)
    param = f"[{getattr(request, 'param_index', '')}]" if hasattr(request, "param") else ""
    with recorder.asking(f"{fixturedef.baseid}::{fixturedef.argname}{param}"):
        return (yield)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write what this process recorded."""
    said = session.config.said  # type: ignore[attr-defined]
    if said:
        worker = getattr(session.config, "workerinput", {}).get("workerid", "own")
        text = "".join(line + "\n" for line in sorted(recorder.lines))
        said.with_name(f"{said.name}.{worker}").write_text(text, encoding="utf-8")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Join what all processes recorded."""
    said = getattr(config, "said", None)
    if said and not hasattr(config, "workerinput"):
        lines: set[str] = set()
        for part in said.parent.glob(said.name + ".*"):
            lines |= set(part.read_text(encoding="utf-8").splitlines(keepends=True))
            part.unlink()
        said.write_text("".join(sorted(lines)), encoding="utf-8")


# The commands.


def read(path: Path) -> list[dict[str, Any]]:
    """Read a recording."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def record(commit: str, said: Path, tests: list[str]) -> int:
    """Record another commit in a tree of its own, with the packages and decoders that are installed here."""
    with tempfile.TemporaryDirectory(prefix="recorded") as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            captures = os.environ.get("AGTRACE_CAPTURES", str(ROOT.parent / "shared"))
            paths = os.pathsep.join([str(tree), str(Path(__file__).parent)])
            pytest_ = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:nbval", "-q"]
            done = subprocess.run(
                [*pytest_, "-p", "record_said", "--said", str(said.absolute()), *tests],
                cwd=tree,
                env=os.environ | {"PYTHONPATH": paths, "AGTRACE_CAPTURES": captures},
                check=False,
            )
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    return done.returncode


def main() -> int:
    """Record or compare, and give the exit status."""
    parser = argparse.ArgumentParser(description="Record what tests make agtrace say, or compare recordings.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record", help="record another commit; further arguments go to pytest")
    recording.add_argument("commit")
    recording.add_argument("file", type=Path)
    comparing = verbs.add_parser("compare", help="say what two recordings tell differently")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--words", action="store_true", help="words too must be equal; show which are not")
    given, rest = parser.parse_known_args()
    if given.verb == "record":
        return record(given.commit, given.file, rest or ["tests"])
    if rest:
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    from tools.compare_said import compare

    difference, about = compare(read(given.before), read(given.after))
    for line in [*about, *difference.shown(with_words=given.words)]:
        print(line)
    return 1 if difference.facts or (given.words and difference.words) else 0


if __name__ == "__main__":
    sys.exit(main())
