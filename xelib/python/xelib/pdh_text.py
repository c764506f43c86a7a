"""PDH text logs ("PDH-CSV 4.0", "PDH-TSV 4.0"): rows of a time stamp and one cell per counter.

The caller reads the header (`split_cells`), says which cells of a row it wants, and feeds the rest
of the file in blocks of any size to a `Decoder`; rows come back in slabs in long form.
"""

from xelib._xelib import PdhRowWriter as RowWriter
from xelib._xelib import PdhSlab as Slab
from xelib._xelib import PdhTextDecoder as Decoder
from xelib._xelib import split_cells

__all__ = ["Decoder", "RowWriter", "Slab", "split_cells"]
