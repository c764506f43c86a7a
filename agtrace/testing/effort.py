"""Number of repetitions of randomised checks."""

from __future__ import annotations

import os

SHORT = 200
IS_THOROUGH = os.environ.get("AGTRACE_TESTS") == "thorough"


def times(full: int, short: int = SHORT) -> int:
    """Return the repetitions for a test worth ``full`` of them: ``short`` times at most.

    With ``AGTRACE_TESTS=thorough`` it is the full count.
    """
    return full if IS_THOROUGH else min(full, short)
