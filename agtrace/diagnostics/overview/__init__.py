"""What was captured, what is damaged, and what weakens the answers."""

from agtrace.diagnostics.overview.analysis import Overview

ANALYSIS = Overview

__all__ = ["ANALYSIS", "Overview"]
