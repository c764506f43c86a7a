"""Configuration of hosts from small files of collectors: power plans, drivers, networks, collections."""

from __future__ import annotations

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)

RELATIONS = ("power_plans", "filter_drivers", "collections", "network_facts")
TOPICS = ("power_plan", "filter_instance", "collection", "tcp_global", "ping", "robocopy", "tcp_handshake")


def make(view: View) -> dict[str, Query]:
    """Return the query of each relation."""
    return {name: Query(_sql(f"{name}.sql")) for name in RELATIONS}


MAKER = Maker(RELATIONS, make, Sources(topics=TOPICS), is_view=True, is_by_host=True)
