"""Output of fltmc: which file system filter drivers are loaded, and which volumes they watch.

docs/formats/filter_drivers.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.filter_drivers.decode import decode, recognise
from agtrace.readers.filter_drivers.topics import TOPICS

READER = FactReader("filter_drivers", 1, "file system filters (fltmc)", recognise, decode, TOPICS)
