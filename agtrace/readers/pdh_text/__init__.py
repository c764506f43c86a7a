"""PDH text logs: perfmon's CSV and TSV.

docs/formats/pdh_text.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("pdh_text", 3, f"{__name__}.reader")
