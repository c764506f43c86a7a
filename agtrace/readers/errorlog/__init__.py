"""The SQL Server ERRORLOG: entries, start-up facts and the messages that say what happened.

docs/formats/errorlog.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("errorlog", 8, f"{__name__}.reader")
