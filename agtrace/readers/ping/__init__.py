"""Output of ``ping`` and ``ping6``, of Windows (any language), Linux, macOS and BSD: round trip times.

docs/formats/ping.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.ping.decode import decode, recognise
from agtrace.readers.ping.topics import TOPICS

READER = FactReader("ping", 2, "ping output", recognise, decode, TOPICS)
