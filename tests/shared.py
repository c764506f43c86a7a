"""Where the real captures are, when they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("AGTRACE_CAPTURES", Path(__file__).parents[2] / "shared"))
CAPTURES = SHARED / "captures"

needs_captures = pytest.mark.skipif(
    not CAPTURES.is_dir(), reason="the real captures are not here (AGTRACE_CAPTURES names their folder)"
)
