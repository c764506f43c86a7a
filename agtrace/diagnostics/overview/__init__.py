"""Overview: the captures, the damage found, and the gaps that weaken the answers."""

from agtrace.diagnostics.overview.analysis import Overview

ANALYSIS = Overview

__all__ = ["ANALYSIS", "Overview"]
