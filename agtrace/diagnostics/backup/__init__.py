"""How fast are backups in each configuration, what limits them, and what failed?"""

from agtrace.diagnostics.backup.analysis import Backup

ANALYSIS = Backup

__all__ = ["ANALYSIS", "Backup"]
