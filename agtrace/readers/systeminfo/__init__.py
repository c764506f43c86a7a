"""Output of ``systeminfo``, in any language of Windows: what the host is, and since when it runs.

docs/formats/systeminfo.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.query_results.topics import SYSTEM_INFOS
from agtrace.readers.systeminfo.decode import decode, recognise

READER = FactReader("systeminfo", 1, "system information (systeminfo)", recognise, decode, (SYSTEM_INFOS,))
