"""Outputs of sqlcmd: rowsets of fixed width, as SQL LogScout, PSSDIAG and SDP leave them behind.

docs/formats/rowsets.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("rowsets", 4, f"{__name__}.reader")
"""Every rowset as rows of ``rowset_heads`` and ``rowset_rows``; what a server says of itself, and the
rows of the seeding DMVs, as facts. Names of columns decide what a rowset is, wherever it stands."""
