"""Values of perfmon counters by canonical name."""

from __future__ import annotations

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.measure.sampler import with_sampled
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, Query]:
    """Return the query of the values: a log may have millions of them."""
    with_sampled(view)
    return {"counter_values": Query(_sql("counter_values.sql"))}


MAKER = Maker(("counter_values",), make, Sources(tables=("samples",)), is_view=True, is_by_host=True)
