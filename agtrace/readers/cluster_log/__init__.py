"""Windows cluster logs (Get-ClusterLog): entries, sections, and facts about the node.

docs/formats/cluster_log.md describes the format.
"""

from agtrace.readers.base import Later

READER = Later("cluster_log", 3, f"{__name__}.reader")
