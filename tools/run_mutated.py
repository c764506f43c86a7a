"""Run tests while one file is changed: the process behind `tools/mutate_rules.py`.

    python tools/run_mutated.py PACKAGE ..

Libraries and these packages are loaded once; every request, a line of JSON on standard input, is met by a
fork that runs pytest, and answered by a line on standard output. Where there are no forks, it is met by a
new process.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WARM = ("numpy", "pandas", "pyarrow.parquet", "duckdb", "plotly.graph_objects", "jinja2", "pytest",
    "_pytest.assertion.rewrite",
        "_pytest.python", "scipy.stats", "hypothesis")  # fmt: skip
PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", "-p", "no:xdist", "--tb=no", "--no-header")
CHANGED = "agtrace.diagnostics"
"""What is never loaded ahead."""


class Watch:
    """A plugin: which lines of which files each test executed, and how long it took."""

    def __init__(self, files: list[str]) -> None:
        self.files = {str(Path(each).resolve()): each for each in files}
        self.told: dict[str, dict[str, Any]] = {}
        self._met: set[tuple[str, int]] = set()
        # Lines are those of modules alone, and following them takes the tests several times as long.
        self._traced = self._trace if any(each.endswith(".py") for each in files) else None
        sys.addaudithook(self._opened)

    def _opened(self, event: str, arguments: tuple[Any, ...]) -> None:
        # Queries and words are read; which of their lines decide is not known.
        if event == "open" and isinstance(arguments[0], str) and arguments[0] in self.files:
            self._met.add((arguments[0], 0))

    def _forget(self) -> None:
        # Words are read once in a process; each test is to read those that it is told.
        for module in [module for name, module in sys.modules.items() if name.startswith("agtrace.")]:
            for held in ("_files", "_pages", "_held_terms"):
                getattr(getattr(module, "SAID", None), held, {}).clear()

    def _trace(self, frame: Any, _event: str, _arg: Any) -> Any:
        return self._line if frame.f_code.co_filename in self.files else None

    def _line(self, frame: Any, event: str, _arg: Any) -> Any:
        if event == "line":
            self._met.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Note a test that fails without any change."""
        if report.failed:
            self.told.setdefault(report.nodeid, {})["failed"] = True

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        """Begin to watch a test."""
        self._forget()
        self._met, self._begin = set(), time.perf_counter()
        sys.settrace(self._traced)
        threading.settrace(self._traced)  # type: ignore[arg-type]

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Keep what it met."""
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        lines = sorted((self.files[name], line) for name, line in self._met)
        self.told.setdefault(nodeid, {}).update(seconds=time.perf_counter() - self._begin, lines=lines)


def _pytest(arguments: list[str], watched: list[str] | None, told: Path) -> int:
    import pytest

    if watched is None:
        return int(pytest.main([*PYTEST, *arguments]))
    watch = Watch(watched)
    status = pytest.main([*PYTEST[1:], *arguments], plugins=[watch])
    told.write_text(json.dumps(watch.told), encoding="utf-8")
    return int(status)


def _run(arguments: list[str], limit: float, log: Path, watched: list[str] | None, told: Path) -> int | None:
    """Run tests in a fork; None where they take too long. Where there are no forks, in a new process."""
    if not hasattr(os, "fork"):
        request = json.dumps([arguments, watched, str(told)])
        with log.open("wb") as out, contextlib.suppress(subprocess.TimeoutExpired):
            own = [sys.executable, __file__, "--once", request]
            return subprocess.run(own, stdout=out, stderr=out, timeout=limit, check=False).returncode
        return None
    child = os.fork()
    if not child:
        status = 3
        try:
            os.setsid()
            with log.open("wb") as out:
                os.dup2(out.fileno(), 1)
                os.dup2(out.fileno(), 2)
            status = _pytest(arguments, watched, told)
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
            os._exit(status)
    end = time.monotonic() + limit
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def warm(packages: list[str]) -> None:
    """Load libraries, and all modules of packages that rest on nothing that will be changed."""
    for name in WARM:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for package in packages:
        with contextlib.suppress(ImportError):
            found = importlib.import_module(package)
            for module in pkgutil.walk_packages(getattr(found, "__path__", []), f"{package}."):
                importlib.import_module(module.name)
    for name in [name for name in sys.modules if name.startswith(CHANGED)]:
        del sys.modules[name]


def serve() -> None:
    """Answer requests: a line of JSON each, on standard input and output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    warm(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        log, told = Path(folder) / "log", Path(folder) / "told"
        for line in sys.stdin:
            asked = json.loads(line)
            answer: dict[str, Any] = {}
            with _changed(asked.get("path"), asked.get("text", "")):
                begin = time.monotonic()
                status = _run(asked["tests"], asked["limit"], log, asked.get("watched"), told)
                answer |= {"status": status, "seconds": time.monotonic() - begin}
            text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
            failed = re.findall(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", text, re.MULTILINE)
            answer |= {"by": failed[:1], "log": text[-2000:] if status not in (0, 1) else ""}
            if asked.get("watched") is not None:
                answer["told"] = json.loads(told.read_text(encoding="utf-8")) if told.exists() else {}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


@contextlib.contextmanager
def _changed(path: str | None, text: str) -> Iterator[None]:
    if path is None:
        yield
        return
    place = Path(path)
    before, stat = place.read_bytes(), place.stat()
    place.write_text(text, encoding="utf-8", newline="")
    # Compiled modules are known by the second of their source; none is kept of a change.
    os.utime(place, (stat.st_mtime + 3600, stat.st_mtime + 3600))
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = False
        place.write_bytes(before)
        os.utime(place, ns=(stat.st_atime_ns, stat.st_mtime_ns))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--once"]:
        wanted, lines, place = json.loads(sys.argv[2])
        sys.exit(_pytest(wanted, lines, Path(place)))
    serve()
