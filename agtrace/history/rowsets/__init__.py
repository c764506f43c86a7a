"""Rowsets of sqlcmd outputs: those recognised by their columns, and the cells of the others."""

from __future__ import annotations

from agtrace.history.base import Maker, Query, Sources, View
from agtrace.store.sql_files import beside
from agtrace.tables.rowset_names import ALIASES

_sql = beside(__file__)


def know(view: View) -> None:
    """Create ``scratch.known_rowsets`` and ``scratch.cell``: the kind of each rowset, and its values."""
    view.run(_sql("known.sql"), {"aliases": list(ALIASES), "canonical": list(ALIASES.values())})


def name_ids(view: View) -> None:
    """Create ``scratch.named_ids`` and ``scratch.names_of``; `know` comes first."""
    view.run(_sql("named.sql"))


def make(view: View) -> dict[str, Query]:
    """Return the cells of unknown rowsets as they are stored: there may be millions."""
    know(view)
    sql = _sql("rowsets.sql")
    return {"rowsets": Query(sql)}


MAKER = Maker(("rowsets",), make, Sources(tables=("rowset_heads",)), is_by_host=True)
