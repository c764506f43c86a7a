"""Counters one sample a row: ``Get-Counter | Export-Csv``, and rows of sys.dm_os_performance_counters.

docs/formats/counter_rows.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("counter_rows", 2, f"{__name__}.reader")
"""Samples as a perfmon log has them; raw values are cooked as perfmon would."""
