"""Error logs saved by tools: sp_readerrorlog as CSV or TSV, and SSMS's Log File Viewer (CSV or .log).

docs/formats/errorlog_export.md describes the format. The rows are written as the lines of an ERRORLOG,
oldest first, and read by its reader. Line numbers are those of these lines.
"""

from agtrace.readers.base import Later

READER = Later("errorlog_export", 2, f"{__name__}.reader")
