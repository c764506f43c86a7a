"""The search path for modules, without folders of captures and without the working directory.

Python puts the working directory first for ``python -c``, ``python -m`` and in notebooks, and users work in
folders of captures: a file there with the name of one of our modules would be run. All child processes get
their environment from here. One exception is unavoidable: ``python -m agtrace`` looks for ``agtrace`` itself
in the working directory before any line of this package runs. The command ``agtrace`` does not.
"""

from __future__ import annotations

import contextlib
import os
import site
import sys
from collections.abc import Iterator
from pathlib import Path

_OWN = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120
"""The folder that this package is imported from."""

_relative = {
    os.path.abspath(entry)  # noqa: PTH100
    for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep)
    if not os.path.isabs(entry)  # noqa: PTH117
}
"""Absolute paths of the relative entries, which Python resolves against the working directory."""

_captures: set[Path] = set()
_is_command = False


def avoid(captures: str | Path) -> None:
    """Exclude a folder of captures and its parent from the module path, also in later child processes.

    A case may have the name of a module, and its parent folder may be on the path.
    """
    _captures.add(Path(os.path.realpath(captures)))
    if _is_command:
        settle()


def environment() -> dict[str, str]:
    """Return the environment for a new process."""
    return os.environ | variables()


def variables() -> dict[str, str]:
    """Return the environment variables that set the module path of a process and its children."""
    return {"PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(_handed_on())}


def settle() -> None:
    """Remove unsafe entries from the module path of this process, which only runs the command."""
    global _is_command
    _is_command = True
    sys.path[:] = safe()
    os.environ.update(variables())


def safe() -> Iterator[str]:
    """Yield the path entries that are neither among captures nor the working directory."""
    yield from (entry for entry in sys.path if _is_own(entry) or not _is_unsafe(entry))


@contextlib.contextmanager
def without_unsafe() -> Iterator[None]:
    """Look for modules in no other place than `safe` ones."""
    before = sys.path[:]
    sys.path[:] = safe()
    try:
        yield
    finally:
        added = [entry for entry in sys.path if entry not in before]
        sys.path[:] = [*before, *added]


def is_among_captures(place: str) -> bool:
    """Return whether a path is in a folder of captures that this process works on."""
    return any(Path(os.path.realpath(place)).is_relative_to(captures) for captures in _captures)


def _handed_on() -> Iterator[str]:
    """Yield the entries that a process does not have by default."""
    prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    standard = {os.path.realpath(folder) for folder in site.getsitepackages(prefixes)}
    standard |= {os.path.realpath(site.getusersitepackages())}
    library = os.path.realpath(os.path.dirname(os.__file__))  # noqa: PTH120
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    # Python puts the folder of a script on its path; our scripts do not need it.
    given = {*standard, os.path.realpath(os.path.dirname(main or library))}  # noqa: PTH120
    seen = set()
    if _OWN not in standard:
        # Put our own folder first: if another copy is installed, a child process must import this one.
        seen.add(_OWN)
        yield _OWN
    for entry in sys.path:
        place = os.path.realpath(entry)
        is_standard = place in given or Path(place).is_relative_to(library)
        if not (is_standard or entry.endswith(".zip") or _is_unsafe(entry)) and place not in seen:
            seen.add(place)
            yield entry


def _is_own(entry: str) -> bool:
    return os.path.realpath(entry) == _OWN


def _is_unsafe(entry: str) -> bool:
    if not os.path.isabs(entry) or entry in _relative:  # noqa: PTH117
        return True
    place = Path(os.path.realpath(entry))
    return place == Path.cwd() or any(
        place.is_relative_to(captures) or place == captures.parent for captures in _captures
    )
