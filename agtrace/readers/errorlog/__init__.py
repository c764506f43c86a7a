"""The SQL Server ERRORLOG: entries, start-up facts and messages about events.

docs/formats/errorlog.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("errorlog", 8, f"{__name__}.reader")
