"""Binary performance logs: perfmon's .blg.

docs/formats/blg.md describes the format.
"""

from __future__ import annotations

from agtrace.readers.perfmon_blg.reader import READER

__all__ = ["READER"]
