"""Handshakes of TCP connections in the text of a packet capture: tcpdump, tshark, Wireshark.

docs/formats/handshakes.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.handshakes.decode import decode, recognise
from agtrace.readers.handshakes.topics import TOPICS

READER = FactReader("handshakes", 1, "TCP handshakes (packet capture)", recognise, decode, TOPICS)
