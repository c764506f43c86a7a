"""Robocopy logs: what was copied between which hosts, and how fast.

docs/formats/robocopy.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.robocopy.decode import decode, recognise
from agtrace.readers.robocopy.topics import TOPICS

READER = FactReader("robocopy", 4, "robocopy log", recognise, decode, TOPICS)
