"""Throughput of backups in each configuration, their limits and failures."""

from agtrace.diagnostics.backup.analysis import Backup

ANALYSIS = Backup

__all__ = ["ANALYSIS", "Backup"]
