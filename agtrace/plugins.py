"""Plugins: readers and diagnostics from installed packages and from folders that the user names.

A package offers them as entry points of the groups ``agtrace.readers`` and ``agtrace.diagnostics``. A folder
has the same layout as agtrace itself (``readers/NAME/``, ``diagnostics/NAME/``), or packages were installed
into it (``pip install --target``). Folders among captures are never used: an untrusted folder must not run
code.

A plugin that cannot be used is reported in one line, and everything else works without it.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import warnings
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from agtrace import import_path, interrupts
from agtrace.errors import AgtraceError, CaseError
from agtrace.printable import printable

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

Kind = Literal["readers", "diagnostics"]
KINDS: tuple[Kind, ...] = ("readers", "diagnostics")
CALLED = {"readers": "reader", "diagnostics": "diagnostic"}
OFFERED = {"readers": "READER", "diagnostics": "ANALYSIS"}
"""The name that the package of each kind must define, in agtrace and in a folder."""

VARIABLE = "AGTRACE_PLUGINS"
"""Names the folders to the processes that this one starts, and may be set by the user. Absolute paths."""


class PluginWarning(UserWarning):
    """A plugin cannot be used."""


@dataclass(frozen=True)
class Plugin:
    """A reader or a diagnostic that is not part of agtrace; its code has not been run yet.

    Parameters
    ----------
    kind, name
        Its kind, and its name.
    origin
        The package with its version, or the folder.
    entry
        Entry point in the package; None for a folder.
    """

    kind: Kind
    name: str
    origin: str
    entry: EntryPoint | None = None

    def __str__(self) -> str:
        return printable(f"the {CALLED[self.kind]} {self.name} of {self.origin}")


_folders: list[str] = []
_found: dict[Kind, dict[str, Plugin]] = {}
_faults: dict[str, None] = {}
_generation = 0


def _warn(line: str) -> None:
    warnings.warn(line, PluginWarning, stacklevel=4)


_tell: Callable[[str], None] = _warn


def tell(how: Callable[[str], None]) -> None:
    """Set the callback that reports unusable plugins; the default is a warning."""
    global _tell
    _tell = how


def use(*folders: str | Path) -> None:
    """Load readers and diagnostics from these folders too, in this process and in later child processes.

    Parameters
    ----------
    folders
        Folders that contain ``readers`` or ``diagnostics``, with one subfolder each as in agtrace, or folders
        that packages were installed into: ``pip install --target FOLDER PACKAGE``. Their code is run: do not
        name a folder that others can write to.

    Raises
    ------
    CaseError
        A folder contains no plugins, or is among captures.
    """
    given = [_checked(folder) for folder in folders]
    _settle([*_folders, *(each for each in given if each not in _folders)])


def folders() -> tuple[str, ...]:
    """Return the folders that are searched."""
    return tuple(_folders)


def generation() -> int:
    """Return a number that changes with the searched folders."""
    return _generation


def found(kind: Kind) -> dict[str, Plugin]:
    """Return what there is, by name, without running any of it. The first of a name wins."""
    if kind not in _found:
        named: dict[str, Plugin] = {}
        for plugin in (*_in_folders(kind), *_in_packages(kind)):
            if not plugin.name.isidentifier() or plugin.name.startswith("_"):
                _fail(plugin, "its name is no name of a module")
            elif plugin.name in named:
                if named[plugin.name].origin != plugin.origin:
                    _fail(plugin, f"{named[plugin.name].origin} has one of that name")
            else:
                named[plugin.name] = plugin
        _found[kind] = named
    return _found[kind]


def load(plugin: Plugin, why_not: Callable[[object], str]) -> object | None:
    """Import a plugin.

    Parameters
    ----------
    plugin
        The plugin.
    why_not
        Returns why the imported object is invalid; "" if it is valid.

    Returns
    -------
    object or None
        The reader or diagnostic. None if it cannot be used, which has been reported.
    """
    try:
        with import_path.without_unsafe():
            offered = plugin.entry.load() if plugin.entry else _imported(plugin)
        fault = why_not(offered)
    except (KeyboardInterrupt, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        if isinstance(error, Exception):
            interrupts.raise_again(error)
        fault = str(error) if isinstance(error, AgtraceError) else f"{type(error).__name__}: {error}"
        offered = None
    if fault:
        _fail(plugin, fault)
        return None
    return offered


def refuse(plugin: Plugin, why: str) -> None:
    """Record why one is left out."""
    _fail(plugin, why)


def is_refused(plugin: Plugin) -> bool:
    """Return whether a plugin was found unusable."""
    return any(line.startswith(f"{plugin} cannot be used: ") for line in _faults)


def faults() -> list[str]:
    """Return a line for each unusable plugin known so far."""
    return list(_faults)


def fingerprint() -> str:
    """Return the names and origins of all plugins; machines that work together must have the same."""
    return ", ".join(
        sorted(f"{plugin.name} of {plugin.origin}" for kind in KINDS for plugin in found(kind).values())
    )


def take_over(folders: Collection[str]) -> None:
    """Use exactly the plugin folders of the process that assigned the work."""
    if list(folders) != _folders:
        _settle([_checked(folder) for folder in folders])


def _checked(folder: str | Path) -> str:
    place = os.path.realpath(folder)
    if import_path.is_among_captures(place):
        raise CaseError(
            f"{folder}: lies among captures, and nothing there is run",
            "move the plugins elsewhere, out of the reach of whoever sends captures",
        )
    if not Path(place).is_dir():
        raise CaseError(f"{folder}: no such folder", "name the folder that holds the plugins")
    if not any((Path(place) / kind).is_dir() for kind in KINDS) and not _holds_packages(place):
        raise CaseError(
            f"{folder}: no plugins in it",
            "they lie in its folders readers and diagnostics, or: pip install --target FOLDER PACKAGE",
        )
    return place


def _settle(folders: list[str]) -> None:
    """Look into these folders from now on."""
    global _generation
    for each in set(_folders) - set(folders):
        _forget(each)
    # At the end: no module there takes the place of one that is known.
    sys.path += [each for each in folders if each not in sys.path and _holds_packages(each)]
    _folders[:] = folders
    os.environ[VARIABLE] = os.pathsep.join(folders)
    _found.clear()
    _generation += 1
    importlib.invalidate_caches()


def _forget(folder: str) -> None:
    """Forget all plugins of a folder; their module names may be another's next."""
    for kind in KINDS:
        place = str(Path(folder) / kind)
        package = sys.modules.get(f"agtrace.{kind}")
        if package is not None and place in package.__path__:
            package.__path__.remove(place)
    if folder in sys.path:
        sys.path.remove(folder)
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(folder):
            del sys.modules[name]


def _holds_packages(folder: str) -> bool:
    return any(each.name.endswith(".dist-info") for each in os.scandir(folder))


def _in_folders(kind: Kind) -> Iterator[Plugin]:
    for folder in _folders:
        place = Path(folder) / kind
        for module in sorted(pkgutil.iter_modules([str(place)]), key=lambda each: each.name):
            if module.ispkg:
                yield Plugin(kind, module.name, str(place / module.name))


def _in_packages(kind: Kind) -> Iterator[Plugin]:
    offered = []
    seen = set()
    for distribution in _offering():
        # If a distribution is on the path twice, the first is imported.
        if distribution.name in seen:
            continue
        seen.add(distribution.name)
        for entry in distribution.entry_points:
            if entry.group == f"agtrace.{kind}":
                origin = f"{distribution.name} {distribution.version}"
                offered.append(Plugin(kind, entry.name, origin, entry))
    yield from sorted(offered, key=lambda each: (each.name, each.origin))


def _offering() -> Iterator[Distribution]:
    """Yield the packages that offer anything to agtrace, in the order of the path.

    Nothing is read of the others: there are hundreds of them.
    """
    for entry in import_path.safe():
        for place in sorted(Path(entry).glob("*.dist-info")) if Path(entry).is_dir() else ():
            try:
                said = (place / "entry_points.txt").read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            if "[agtrace." in said:
                from importlib.metadata import Distribution

                yield Distribution.at(place)


def _imported(plugin: Plugin) -> object:
    """Import a folder as a module of agtrace's own package: it may as well be moved there."""
    place = Path(plugin.origin).parent
    if import_path.is_among_captures(str(place)):
        raise CaseError("it lies among captures, and nothing there is run")
    package = importlib.import_module(f"agtrace.{plugin.kind}")
    if str(place) not in package.__path__:
        package.__path__.append(str(place))
    module = importlib.import_module(f"{package.__name__}.{plugin.name}")
    return getattr(module, OFFERED[plugin.kind])


def _fail(plugin: Plugin, why: str) -> None:
    line = printable(f"{plugin} cannot be used: {' '.join(why.split())} - the rest works without it")
    if line not in _faults:
        _faults[line] = None
        _tell(line)


def _from_environment() -> None:
    """Take what the user, or the process that started this one, has named."""
    for folder in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        try:
            if not os.path.isabs(folder):  # noqa: PTH117
                raise CaseError(f"{folder}: not an absolute path")
            use(folder)
        except (CaseError, OSError) as error:
            line = f"{VARIABLE}: {error}"
            _faults[line] = None
            _tell(line)


_from_environment()
