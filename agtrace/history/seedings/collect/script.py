"""The SQL that lies beside the parts of this diagnostic."""

from __future__ import annotations

from pathlib import Path


def script(name: str) -> str:
    """Read the SQL file ``name`` of this folder."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
