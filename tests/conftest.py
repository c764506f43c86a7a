"""What holds for all tests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from agtrace.report import notebook_format
from agtrace.store import view

# Every worker imports it, and most never need what takes it long.
notebook_format.load()


def pytest_configure() -> None:
    """Give each worker that runs tests beside others one thread: their queries are tiny."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return
    connect = view.connect

    def with_one_thread(spill: Path) -> Any:
        connection = connect(spill)
        connection.execute("SET threads = 1")
        return connection

    view.connect = with_one_thread
