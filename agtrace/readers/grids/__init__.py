"""Rows of catalogue and management views as CSV, or as a copied results grid.

docs/formats/grids.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("grids", 1, f"{__name__}.reader")
"""One rowset as rows of ``rowset_heads`` and ``rowset_rows``, known by the names of its columns."""
