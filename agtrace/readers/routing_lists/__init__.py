"""Outputs of ``sys.availability_read_only_routing_lists``, alone or joined to the names of the replicas.

docs/formats/routing_lists.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.routing_lists.decode import decode, recognise
from agtrace.readers.routing_lists.topics import TOPICS

READER = FactReader("routing_lists", 2, "read-only routing list", recognise, decode, TOPICS)
