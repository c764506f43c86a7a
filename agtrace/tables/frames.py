"""Tables as frames of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    import pandas as pd


def frame_of(table: pa.Table) -> pd.DataFrame:
    """Return a table as a frame whose whole numbers are whole: ``Int64`` where some are missing.

    pandas makes floats of such a column otherwise, which cannot hold every number of 64 bits.
    """
    import pandas as pd

    whole = {
        place: pd.UInt64Dtype() if pa.types.is_unsigned_integer(field.type) else pd.Int64Dtype()
        for place, field in enumerate(table.schema)
        if pa.types.is_integer(field.type) and table.column(place).null_count
    }
    frame = table.to_pandas()
    for place, kind in whole.items():
        column = table.column(place).to_pandas(types_mapper={table.schema.types[place]: kind}.get)
        frame.isetitem(place, column)
    return frame
