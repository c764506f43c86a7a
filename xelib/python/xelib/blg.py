"""Perfmon's binary logs (.blg): series and cooked values, as Windows shows them.

The caller feeds the file in blocks of any size to a `Decoder`; series come as they appear, rows in
slabs in long form. A circular log is surveyed first, then fed buffer by buffer in the order of
their times.
"""

from xelib._xelib import BlgDecoder as Decoder
from xelib._xelib import BlgSlab as Slab
from xelib._xelib import read_trace_header, sniff_trace

__all__ = ["Decoder", "Slab", "read_trace_header", "sniff_trace"]
