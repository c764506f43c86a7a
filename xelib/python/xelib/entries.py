"""Logs of lines: ERRORLOGs, cluster logs, and the lists and tables made of Windows event logs.

The caller decodes the text to UTF-8 and feeds it to a decoder in blocks that end with a line end (the
last one perhaps not); rows come back in slabs, column by column. An entry is a line that begins one
with the lines that continue it; of a long one `KEPT_BYTES` are kept, in an ERRORLOG the first line and
`KEPT_LINES` or `KEPT_LINE_BYTES` behind it.
"""

from xelib._xelib import (
    KEPT_BYTES,
    KEPT_LINE_BYTES,
    KEPT_LINES,
    ClusterLogDecoder,
    ErrorlogDecoder,
    EventListDecoder,
    TraceParser,
    Wordings,
    utf8_of_utf16,
)
from xelib._xelib import EntrySlab as Slab

__all__ = [
    "KEPT_BYTES",
    "KEPT_LINES",
    "KEPT_LINE_BYTES",
    "ClusterLogDecoder",
    "ErrorlogDecoder",
    "EventListDecoder",
    "Slab",
    "TraceParser",
    "Wordings",
    "utf8_of_utf16",
]
