"""Binary performance logs: perfmon's .blg."""

from __future__ import annotations

from agtrace.readers.perfmon_blg.reader import READER

__all__ = ["READER"]
