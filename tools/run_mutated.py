"""Run tests while one file is changed: the process behind `tools/mutate_rules.py`.

    python tools/run_mutated.py NAME ..

Libraries and packages of these names are loaded once; every request, a line of JSON on standard input, is
met by a fork that runs pytest, and answered by a line on standard output. Where there are no forks, it is met
by a new process. What tools/run_gathered.py can change in a process that has found the tests is met there, in
a tenth of the time.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:nbval", "-p", "no:xdist", "--tb=no", "--no-header")
CHANGED = "agtrace.diagnostics"
"""What is never loaded ahead."""


def _pytest(arguments: list[str], watched: list[str] | None, told: Path) -> int:
    import pytest

    if watched is None:
        return int(pytest.main([*PYTEST, *arguments]))
    from tools.watched import Watch

    return int(pytest.main([*PYTEST[1:], *arguments], plugins=[Watch(watched, told)]))


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
    from tools.run_gathered import wait

    return wait(child, limit)


def warm(names: list[str]) -> None:
    """Load libraries, and all modules of packages that rest on nothing that will be changed."""
    for name in names:
        with contextlib.suppress(ImportError):
            found = importlib.import_module(name)
            inside = getattr(found, "__path__", []) if name.startswith("agtrace.") else []
            for module in pkgutil.walk_packages(inside, f"{name}."):
                importlib.import_module(module.name)
    for name in [name for name in sys.modules if name.startswith(CHANGED)]:
        del sys.modules[name]


def serve() -> None:
    """Answer requests: a line of JSON each, on standard input and output."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    warm(sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, contextlib.ExitStack() as last:
        log, told = Path(folder) / "log", Path(folder) / "told"
        gatherer: Any = None
        for line in sys.stdin:
            asked = json.loads(line)
            answer: dict[str, Any] = {}
            if "gather" in asked:
                last.close()
                gatherer = _gathered(asked, log)
                last.callback(gatherer.close)
                answer["tests"] = sorted(gatherer.tests)
            elif asked.get("live"):
                before = Path(asked["path"]).read_text(encoding="utf-8")
                with _changed(asked["path"], asked["text"]):
                    answer |= gatherer.ask(before=before, **asked)
            else:
                answer |= _met(asked, log, told)
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def _gathered(asked: dict[str, Any], log: Path) -> Any:
    from tools.run_gathered import Gatherer

    return Gatherer(asked["gather"], asked["modules"], log, PYTEST[1:])


def _met(asked: dict[str, Any], log: Path, told: Path) -> dict[str, Any]:
    """Have a new session of pytest run tests, with a change or without."""
    with _changed(asked.get("path"), asked.get("text", "")):
        begin = time.monotonic()
        status = _run(asked["tests"], asked["limit"], log, asked.get("watched"), told)
        answer: dict[str, Any] = {"status": status, "seconds": time.monotonic() - begin}
    text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    failed = re.findall(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", text, re.MULTILINE)
    answer |= {"by": failed[:1], "log": text[-2000:] if status not in (0, 1) else ""}
    if asked.get("watched") is not None:
        answer |= (
            json.loads(told.read_text(encoding="utf-8")) if told.exists() else {"told": {}, "modules": []}
        )
    return answer


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
