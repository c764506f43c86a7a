"""Windows event logs in binary form (.evtx).

The bytes of a file are fed to the decoder in blocks of any size; rows come back in slabs, column by column.
"""

from xelib._xelib import EntrySlab as Slab
from xelib._xelib import EvtxDecoder

__all__ = ["EvtxDecoder", "Slab"]
