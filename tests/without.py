"""Runs commands of agtrace as they run where some modules are not installed: ``python -m tests.without``.

Standard input is JSON: ``without`` (names of modules), ``commands`` (lists of words). So is standard output:
a status and what was said for each command, and which modules of extras were imported in the end.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.metadata import Distribution, DistributionFinder, MetadataPathFinder
from types import ModuleType


class Without:
    """Finds what Python's own finder finds, but for some modules."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module."""
        if name.partition(".")[0] in self._names:
            return None
        return PathFinder.find_spec(name, path, target)

    def find_distributions(self, context: DistributionFinder.Context) -> Iterable[Distribution]:
        """Find what was installed."""
        return MetadataPathFinder.find_distributions(context)

    def invalidate_caches(self) -> None:
        """Forget what was found."""
        PathFinder.invalidate_caches()


def main() -> None:
    """Read what to do, do it, and tell."""
    asked = json.load(sys.stdin)
    finder = Without(asked["without"])
    sys.meta_path[:] = [finder if each is PathFinder else each for each in sys.meta_path]
    from agtrace.cli import main as agtrace
    from agtrace.extras import EXTRAS

    told = []
    for words in asked["commands"]:
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            status = agtrace(words)
        told.append([status, said.getvalue()])
    optional = {module for modules in EXTRAS.values() for module in modules}
    print(json.dumps({"told": told, "imported": sorted(optional & sys.modules.keys())}))


if __name__ == "__main__":
    main()
