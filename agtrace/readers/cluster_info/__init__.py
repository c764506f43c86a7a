"""SQL LogScout's ClusterInfo.out: quorum, votes, heartbeat thresholds and timeouts of a cluster.

docs/formats/cluster_info.md describes the format.
"""

from agtrace.readers.cluster_info.decode import decode, recognise
from agtrace.readers.cluster_info.topics import TOPICS
from agtrace.readers.fact_text import FactReader

READER = FactReader("cluster_info", 3, "cluster settings (ClusterInfo)", recognise, decode, TOPICS)
