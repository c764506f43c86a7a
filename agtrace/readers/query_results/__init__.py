"""Results of queries, as sqlcmd, SSMS, PowerShell, DataGrip and Azure Data Studio show or save them.

docs/formats/query_results.md describes the layouts and the tables.
"""

from agtrace.readers.base import Later

READER = Later("query_results", 1, f"{__name__}.reader")
"""Every table as rows of ``rowset_heads`` and ``rowset_rows``; what a server says of itself, the rows of
the seeding DMVs and read-only routes, as facts. Names of columns decide what a table is."""
