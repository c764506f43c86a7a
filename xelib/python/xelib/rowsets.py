"""Rowsets in the outputs of sqlcmd: tables of fixed width between lines of other text.

The caller decodes the text to UTF-8 and feeds it in blocks of any size to a `Decoder`; heads and rows
of rowsets come back in slabs, each with a list of texts: names of columns, or cells.
"""

from xelib._xelib import RowsetDecoder as Decoder
from xelib._xelib import RowsetSlab as Slab

__all__ = ["Decoder", "Slab"]
