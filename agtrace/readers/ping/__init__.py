"""Output of ``ping`` on Windows (any language) and Linux: round trip times between two hosts.

docs/formats/ping.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.ping.decode import decode, recognise
from agtrace.readers.ping.topics import TOPICS

READER = FactReader("ping", 1, "ping output", recognise, decode, TOPICS)
