"""Starts and versions of instances, as ERRORLOGs and queries of their properties show them."""

from __future__ import annotations

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, Query]:
    """Return the queries of the starts, of the instances and of their properties."""
    return {
        "server_starts": Query(_sql("server_starts.sql")),
        "server_versions": Query(_sql("server_versions.sql")),
        "server_properties": Query(_sql("server_properties.sql")),
    }


MAKER = Maker(
    ("server_starts", "server_versions", "server_properties"),
    make,
    Sources(topics=("startup", "server_property")),
    is_view=True,
    is_by_host=True,
)
