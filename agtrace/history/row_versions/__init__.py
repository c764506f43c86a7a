"""Row versions and tempdb of servers while they had secondaries."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.history import RELATIONS
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

SAMPLED = "select 1 from counters where counter = 'Version Store Size (KB)' limit 1"


def make(view: View) -> dict[str, pa.Table]:
    """Return the sizes of version stores, with the free space beside them."""
    if not view.rows(SAMPLED) and not view.has_rows("version_stores"):
        return {"row_versions": no_rows(RELATIONS["row_versions"])}
    return {"row_versions": view.table(_sql("row_versions.sql"))}


MAKER = Maker(
    ("row_versions",), make, Sources(tables=("samples",), relations=("version_stores",)), is_view=True
)
