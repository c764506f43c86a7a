"""Rows of DMVs with separators between cells: exports to CSV, grids copied with headers, ``sqlcmd -s``.

docs/formats/grids.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("grids", 1, f"{__name__}.reader")
"""Rows as rows of ``rowset_heads`` and ``rowset_rows``, as the outputs of sqlcmd give them."""
