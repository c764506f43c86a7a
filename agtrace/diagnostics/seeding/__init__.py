"""Duration of each automatic seeding, its limit, and its compression."""

from agtrace.diagnostics.seeding.analysis import Seeding

ANALYSIS = Seeding

__all__ = ["ANALYSIS", "Seeding"]
