"""Arrow's kernels (``pyarrow.compute``), loaded when the first is asked for.

Loading wraps each of some 290 functions: 40 ms that a case whose relations are kept has no use for.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    import pyarrow.compute

    return getattr(pyarrow.compute, name)
