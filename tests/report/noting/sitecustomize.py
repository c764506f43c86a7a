"""Python imports this when it starts, where its folder is on the path: see `tests.report.made`."""

from __future__ import annotations

from tests.report.made import note_makers

note_makers()
