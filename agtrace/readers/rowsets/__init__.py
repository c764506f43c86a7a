"""Outputs of sqlcmd: rowsets of fixed width, as SQL LogScout, PSSDIAG and SDP leave them behind.

docs/formats/rowsets.md describes the format.
"""

from agtrace.readers.rowsets.reader import RowsetReader

READER = RowsetReader()
"""Every rowset as rows of ``rowset_heads`` and ``rowset_rows``; what a server says of itself, and the
rows of the seeding DMVs, as facts. Names of columns decide what a rowset is, wherever it stands."""
