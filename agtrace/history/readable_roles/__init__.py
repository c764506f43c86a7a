"""Times in which servers were primaries, or had secondaries that clients may read."""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, pa.Table]:
    """Return the roles of servers, except those known to be closed to readers."""
    return {"readable_roles": view.table(_sql("readable_roles.sql"))}


MAKER = Maker(("readable_roles",), make, Sources(relations=("roles",)), is_view=True)
