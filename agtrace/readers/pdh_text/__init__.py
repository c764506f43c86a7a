"""PDH text logs: perfmon's CSV and TSV.

docs/formats/pdh_text.md describes the format.
"""

from __future__ import annotations

from agtrace.readers.pdh_text.reader import READER

__all__ = ["READER"]
