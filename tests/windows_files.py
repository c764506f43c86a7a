"""The files of this machine as Windows would have them, for the Python of one test process.

What is open (by a descriptor or a map of this process, whoever opened it: Python, Arrow, DuckDB) can be
neither removed nor renamed nor replaced, nor can a folder that holds it be renamed. A rename replaces
nothing. Names that Windows does not take, and paths of more than 259 characters, cannot be made. A scanner
that looks into what was just written holds it open for a moment. There is no fork, and no signal that only
POSIX has.
"""

# What stands in for functions of os is written with them.
# ruff: noqa: PTH115, PTH118, PTH119, PTH120, PTH206

from __future__ import annotations

import builtins
import io
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

LONGEST = 259
DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
UNFIT = re.compile(r'[<>:"|?*\x00-\x1f\\]|[. ]$')
OF_POSIX = ("fork", "forkpty", "killpg", "setsid", "mkfifo", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC")


def is_legal(name: str) -> bool:
    """Return whether Windows takes a name for a file or folder."""
    return not UNFIT.search(name) and name.partition(".")[0].rstrip(" ").casefold() not in DEVICES


def illegal(root: Path) -> list[str]:
    """Return the paths below a folder that Windows rejects: names, two that differ only in case."""
    found = [str(each) for each in root.rglob("*") if not is_legal(each.name)]
    seen: dict[str, Path] = {}
    for each in root.rglob("*"):
        other = seen.setdefault(str(each).casefold(), each)
        found += [f"{each} and {other}"] if other != each else []
    return found


class Windows:
    """The rules below one folder; the rest of the machine is as it was."""

    def __init__(self, root: Path) -> None:
        self.root = os.path.realpath(root)
        self.refused: list[str] = []
        self._scanned: dict[str, float] = {}
        self.scans_s = 0.0

    def is_ours(self, path: Any) -> bool:
        return isinstance(path, (str, os.PathLike)) and os.path.realpath(path).startswith(self.root)

    def opened(self) -> Iterator[str]:
        """Yield the paths that this process has open or mapped."""
        for entry in os.scandir("/proc/self/fd"):
            try:
                yield os.readlink(entry.path)
            except OSError:
                continue
        with _open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
            for line in maps:
                if "/" in line:
                    yield line[line.index("/") :].rstrip("\n")
        now = time.monotonic()
        yield from [path for path, until in self._scanned.items() if until > now]

    def check_free(self, path: Any, *, inside: bool = False) -> None:
        """Refuse what is open, or a folder that holds what is."""
        place = os.path.join(
            os.path.realpath(os.path.dirname(os.fspath(path))), os.path.basename(os.fspath(path))
        )
        for each in self.opened():
            if each == place or (inside and each.startswith(place + os.sep)):
                self.refused.append(place)
                raise _error(32, place)

    def check_name(self, path: Any) -> None:
        """Refuse a name or path that Windows does not take."""
        text = os.path.join(self.root, os.fspath(path))
        below = os.path.relpath(text, self.root)
        if not all(is_legal(part) for part in below.split(os.sep) if part not in (".", "..")):
            raise _error(123, text)
        if len(text) > LONGEST:
            raise _error(206, text)

    def scan(self, path: Any) -> None:
        """Mark what was just written as opened by a scanner."""
        if self.scans_s:
            self._scanned[os.path.realpath(path)] = time.monotonic() + self.scans_s


_open = builtins.open


_ERRORS = {
    32: (PermissionError, 13, "The process cannot access the file: it is being used by another process"),
    123: (OSError, 22, "The filename, directory name, or volume label syntax is incorrect"),
    183: (FileExistsError, 17, "Cannot create a file when that file already exists"),
    206: (FileNotFoundError, 2, "The filename or extension is too long"),
}


def _error(number: int, path: str) -> OSError:
    """Return the error as Python makes it from Windows' number."""
    kind, code, text = _ERRORS[number]
    error = kind(code, text, path)
    error.winerror = number
    return error


@pytest.fixture
def windows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Windows:
    """Make the files below ``tmp_path`` behave as on Windows."""
    rules = Windows(tmp_path)
    local = threading.local()

    def guarded(original: Callable[..., Any], check: Callable[..., None]) -> Callable[..., Any]:
        def call(*words: Any, **named: Any) -> Any:
            if words and rules.is_ours(words[0]) and not getattr(local, "inside", False):
                local.inside = True
                try:
                    check(*words, **named)
                finally:
                    local.inside = False
            return original(*words, **named)

        return call

    def replaced(source: Any, target: Any, **_named: Any) -> None:
        rules.check_name(target)
        rules.check_free(source, inside=True)
        if os.path.lexists(target):
            rules.check_free(target)

    def renamed(source: Any, target: Any, **named: Any) -> None:
        if os.path.lexists(target):
            raise _error(183, os.fspath(target))
        replaced(source, target)

    def opened(path: Any, mode: Any = "r", *_words: Any, **_named: Any) -> None:
        makes = any(letter in mode for letter in "wxa") if isinstance(mode, str) else mode & os.O_CREAT
        if makes:
            rules.check_name(path)
            rules.scan(path)

    for module in (builtins, io):
        monkeypatch.setattr(module, "open", guarded(_open, opened))
    monkeypatch.setattr(os, "open", guarded(os.open, opened))
    monkeypatch.setattr(os, "mkdir", guarded(os.mkdir, lambda path, *_w, **_n: rules.check_name(path)))
    for name in ("unlink", "remove"):
        monkeypatch.setattr(os, name, guarded(getattr(os, name), lambda path, **_n: rules.check_free(path)))
    monkeypatch.setattr(os, "replace", guarded(os.replace, replaced))
    monkeypatch.setattr(os, "rename", guarded(os.rename, renamed))
    monkeypatch.setattr(os, "link", guarded(os.link, lambda _source, target, **_n: rules.check_name(target)))
    for name in OF_POSIX:
        monkeypatch.delattr(os, name, raising=False)
    for name in ("SIGKILL", "SIGHUP", "SIGUSR1", "SIGCHLD"):
        monkeypatch.delattr(signal, name, raising=False)
    # rmtree goes by descriptors where there are some; there are none on Windows.
    monkeypatch.setattr("shutil._use_fd_functions", False)
    return rules
