"""Real captures that readers of small texts must leave alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def captures() -> Path:
    """Return the folder of real captures, or skip."""
    folder = Path(os.environ.get("AGTRACE_CAPTURES", Path(__file__).parents[3] / "shared"))
    if not (folder / "captures").is_dir():
        pytest.skip("real captures are not here")
    return folder / "captures"


def real_texts() -> list[bytes]:
    """Return the beginnings of the real text captures, without console output."""
    wanted = ("errorlog", "errorlog_excerpts", "perfmon")
    return [
        path.read_bytes()[: 64 * 1024]
        for folder in wanted
        for path in sorted((captures() / folder).iterdir())
        if path.is_file()
    ]
