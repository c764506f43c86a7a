"""SQLQueryStress results: how long a query took under how many threads.

docs/formats/sqlquerystress.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.sqlquerystress.decode import decode, recognise
from agtrace.readers.sqlquerystress.topics import TOPICS

READER = FactReader("sqlquerystress", 2, "SQLQueryStress result", recognise, decode, TOPICS)
