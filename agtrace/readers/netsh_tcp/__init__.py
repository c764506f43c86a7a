"""Output of ``netsh interface tcp show global`` and of PowerShell's ``Get-NetTCPSetting``.

docs/formats/netsh_tcp.md describes the format.
"""

from agtrace.readers.fact_text import FactReader
from agtrace.readers.netsh_tcp.decode import decode, recognise
from agtrace.readers.netsh_tcp.topics import TOPICS

READER = FactReader("netsh_tcp", 1, "TCP settings (netsh)", recognise, decode, TOPICS)
