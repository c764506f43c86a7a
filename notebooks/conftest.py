"""Refuse notebooks whose test could not fail, and let their kernels start side by side."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbval.kernel
import pytest
from jupyter_client.manager import KernelManager

from agtrace.report.rules import broken_rules


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
    """Stop the collection of a notebook that breaks a rule."""
    if file_path.suffix == ".ipynb" and (broken := broken_rules(file_path)):
        raise pytest.Collector.CollectError("\n".join(broken))
