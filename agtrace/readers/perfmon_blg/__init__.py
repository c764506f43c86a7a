"""Binary performance logs: perfmon's .blg.

docs/formats/blg.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("perfmon_blg", 2, f"{__name__}.reader")
