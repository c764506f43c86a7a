"""Starts of instances as their ERRORLOGs show them, and what is known of each instance from them."""

from __future__ import annotations

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside

_sql = beside(__file__)


def make(view: View) -> dict[str, Query]:
    """Return the queries of the starts and of the instances."""
    return {
        "server_starts": Query(_sql("server_starts.sql")),
        "server_versions": Query(_sql("server_versions.sql")),
    }


MAKER = Maker(("server_starts", "server_versions"), make, Sources(topics=("startup",)), is_view=True)
