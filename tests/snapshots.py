"""Compare a text with what was recorded of it; ``pytest --snapshots`` writes it again."""

from __future__ import annotations

from pathlib import Path

import pytest


def check(config: pytest.Config, path: Path, text: str) -> None:
    """Assert that a text is the one in a file; with --snapshots, write the file."""
    if config.getoption("snapshots"):
        path.write_text(text, encoding="utf-8", newline="\n")
    recorded = path.read_text(encoding="utf-8") if path.exists() else ""
    assert text.splitlines() == recorded.splitlines(), (
        f"{path.name} differs: pytest --snapshots writes it again"
    )
