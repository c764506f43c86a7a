"""Output of ``sysctl`` on Linux: how TCP windows grow, and how connections are kept.

docs/formats/sysctl_tcp.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.sysctl_tcp.decode import decode, recognise
from agtrace.readers.sysctl_tcp.topics import TOPICS

READER = FactReader("sysctl_tcp", 1, "TCP settings (sysctl)", recognise, decode, TOPICS)
