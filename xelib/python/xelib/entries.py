"""Logs of lines: cluster logs, and the lists and tables that are made of Windows event logs.

The caller decodes the text to UTF-8 and feeds it to a decoder in blocks that end with a line end (the
last one perhaps not); rows come back in slabs, column by column. An entry is a line that begins one
with the lines that continue it; of a long one `KEPT_BYTES` are kept.
"""

from xelib._xelib import KEPT_BYTES, ClusterLogDecoder, EventListDecoder
from xelib._xelib import EntrySlab as Slab

__all__ = ["KEPT_BYTES", "ClusterLogDecoder", "EventListDecoder", "Slab"]
