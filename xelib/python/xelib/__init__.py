"""Byte-level decoders of capture formats: one module per format.

Each decoder takes bytes and gives columns as buffers in Arrow's memory layout, without the GIL and
without a Python object per value. Importing this package loads nothing else than its own library.
"""

from xelib.errors import FormatError
from xelib.xel import open_xel

__all__ = ["FormatError", "open_xel"]
