"""Reports of sp_server_diagnostics on each component: its XML as columns.

The numbers are extracted from the text by patterns with linear run time; the XML is never parsed as a
document: nothing in it can expand, nest or refer elsewhere, whatever its origin.
"""

from __future__ import annotations

import pyarrow as pa

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.group import COMPONENT_HEALTH
from agtrace.tables.rows import no_rows

_sql = beside(__file__)

HEAD = 2_000
"""Characters of the XML that are searched: the numbers are at its start, lists follow them."""

STATES = (
    (
        "component_health_result",
        "sqldiag.sql",
        ("component", "state_desc", "data", "failure_condition_level"),
    ),
    ("sp_server_diagnostics_component_result", "system_health.sql", ("component", "state", "data")),
)


def make(view: View) -> dict[str, pa.Table | Query]:
    """Return the states from either session: as a query, for a year has millions of them."""
    found = [_sql(name) for event, name, fields in STATES if view.fields(event) >= set(fields)]
    if not found:
        return {"component_health": no_rows(COMPONENT_HEALTH)}
    states = "\nunion all\n".join(found)
    query = _sql("decoded.sql").replace("/* states */", states).replace("$head", str(HEAD))
    return {"component_health": Query(query)}


MAKER = Maker(
    ("component_health",),
    make,
    Sources(events=tuple(event for event, _sql, _fields in STATES)),
    is_by_host=True,
)
