"""HammerDB logs: what a run achieved, by how many virtual users, and how fast over time.

docs/formats/hammerdb.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.hammerdb.decode import decode, recognise
from agtrace.readers.hammerdb.topics import TOPICS

READER = FactReader("hammerdb", 4, "HammerDB log", recognise, decode, TOPICS)
