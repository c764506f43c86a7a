"""What nbval compares of the notebooks, and how their kernels start side by side."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbval.kernel
import nbval.plugin
import pytest
from jupyter_client.manager import KernelManager

from agtrace.report.rules import CHECK, broken_rules

FOLDER = Path(__file__).parent
# The tag stands for nbval's own mark, which readers of the notebook would see.
nbval.plugin.metadata_tags[CHECK] = "check"


class _OwnSockets(KernelManager):
    """Talks to its kernel through files, as reports do.

    Of two kernels that start at the same moment one may take the port that the other has just found
    free, and the other then dies.
    """

    def __init__(self, **settings: Any) -> None:
        self._folder = TemporaryDirectory(prefix="nbval-")
        file = str(Path(self._folder.name) / "kernel.json")
        super().__init__(transport="ipc", connection_file=file, **settings)


if sys.platform != "win32":
    nbval.kernel.KernelManager = _OwnSockets


def pytest_collect_file(file_path: Path) -> None:
    """Stop the collection of a notebook of the report that breaks a rule."""
    is_of_the_report = file_path.suffix == ".ipynb" and file_path.parent == FOLDER
    if is_of_the_report and (broken := broken_rules(file_path)):
        raise pytest.Collector.CollectError("\n".join(broken))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Compare every output of a tutorial: its text rests on them."""
    for item in items:
        if isinstance(item, nbval.plugin.IPyNbCell) and item.path.parent == FOLDER / "tutorials":
            item.options["check"] = True
