"""Extended Events files (.xel) of SQL Server 2012 and later: a thin layer over xelib.

docs/formats/xel.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("xel", 3, f"{__name__}.reader")
