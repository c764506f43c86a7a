"""Refuse notebooks whose test could not fail: without stored outputs, without checked findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from agtrace.report.rules import broken_rules


def pytest_collect_file(file_path: Path) -> None:
    """Stop the collection of a notebook that breaks a rule."""
    if file_path.suffix == ".ipynb" and (broken := broken_rules(file_path)):
        raise pytest.Collector.CollectError("\n".join(broken))
