"""Growth of database logs in the last hour of their counters."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.history import RELATIONS
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

USED = "select 1 from counters where counter = 'Log File(s) Used Size (KB)' limit 1"


def make(view: View) -> dict[str, pa.Table]:
    """Return a row per log of a primary database whose used size was sampled."""
    if not view.rows(USED):
        return {"log_growths": no_rows(RELATIONS["log_growths"])}
    return {"log_growths": view.table(_sql("log_growths.sql"))}


MAKER = Maker(("log_growths",), make, Sources(tables=("samples",)), is_view=True)
