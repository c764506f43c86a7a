"""How long did each automatic seeding take, what held it back, and was it compressed?"""

from agtrace.diagnostics.seeding.analysis import Seeding

ANALYSIS = Seeding

__all__ = ["ANALYSIS", "Seeding"]
