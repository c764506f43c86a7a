"""The labelled windows of a case (runs.csv, runs.toml), for all who compare what lies in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agtrace.history.base import View


def labelled_windows(view: View) -> list[dict[str, Any]]:
    """Give every row of ``runs`` in order of time, its ends also in microseconds since 1970."""
    return view.rows((Path(__file__).parent / "windows.sql").read_text(encoding="utf-8"))
