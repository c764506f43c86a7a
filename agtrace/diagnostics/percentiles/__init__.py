"""How is any counter distributed: percentiles by host, database, configuration, hour, weekday or run?"""

from agtrace.diagnostics.percentiles.analysis import Percentiles

ANALYSIS = Percentiles

__all__ = ["ANALYSIS", "Percentiles"]
