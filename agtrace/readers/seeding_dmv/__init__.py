"""Exports of the seeding DMVs: what each seeding did, and how far each copy is.

docs/formats/seeding_dmv.md describes the format.
"""

from agtrace.readers.seeding_dmv.decode import decode, recognise
from agtrace.readers.seeding_dmv.reader import SeedingReader
from agtrace.readers.seeding_dmv.topics import TOPICS

READER = SeedingReader("seeding_dmv", 3, "export of a seeding DMV", recognise, decode, TOPICS)
"""Results of queries over sys.dm_hadr_automatic_seeding and sys.dm_hadr_physical_seeding_stats, as
CSV, copied grid, results to text, sqlcmd output or JSON, to facts under the DMVs' names.

The names of the columns decide, in any order and case, with columns of other views between them.
"""
