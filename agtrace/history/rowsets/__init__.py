"""Rowsets of sqlcmd's outputs: which are known by their columns, and the cells of those that are not."""

from __future__ import annotations

from pathlib import Path

from agtrace.history.base import Maker, Query, Sources, View


def know(view: View) -> None:
    """Let ``scratch.known_rowsets`` and ``scratch.cell`` exist: what each rowset is, and its values."""
    view.run(Path(__file__).with_name("known.sql").read_text(encoding="utf-8"))


def name_ids(view: View) -> None:
    """Let ``scratch.named_ids`` and ``scratch.names_of`` exist; `know` comes first."""
    view.run(Path(__file__).with_name("named.sql").read_text(encoding="utf-8"))


def make(view: View) -> dict[str, Query]:
    """Give the cells of unknown rowsets as they are stored: there may be millions."""
    know(view)
    sql = Path(__file__).with_name("rowsets.sql").read_text(encoding="utf-8")
    return {"rowsets": Query(sql)}


MAKER = Maker(("rowsets",), make, Sources(tables=("rowset_heads",)))
