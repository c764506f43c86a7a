"""Hands the relations to an opened case, which computes those that a query names."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import pyarrow as pa

from agtrace import interrupts
from agtrace.code_state import code_state
from agtrace.errors import AgtraceError, RelationError
from agtrace.history.base import Maker, Query
from agtrace.history.reference_clock import reference_clock
from agtrace.history.reference_clock.shifting import by_reference
from agtrace.store import CaseView
from agtrace.store.columns import sql_type
from agtrace.store.derived import Derived
from agtrace.store.quoting import identifier
from agtrace.tables.history import RELATIONS

FOLDER = Path(__file__).parent
"""Of this package: a folder in it for each thing that happened."""


@cache
def makers() -> tuple[Maker, ...]:
    """Return the makers of all folders of this package that keep relations."""
    folders = [module.name for module in pkgutil.iter_modules([str(FOLDER)]) if module.ispkg]
    found = [importlib.import_module(f"{__package__}.{name}") for name in folders]
    return tuple(module.MAKER for module in found if hasattr(module, "MAKER"))


def kept_of(root: Path, state: str) -> Derived:
    """Return earlier answers for a state of a case, given by this very code.

    Parameters
    ----------
    root
        Folder of its store, where they are kept.
    state
        Digest of what was read and resolved, and of the settings in force.
    """
    return Derived(root, hashlib.sha256(f"{state} {code_state()}".encode()).hexdigest()[:32])


def offer(view: CaseView, kept: Derived) -> None:
    """Make a case compute each relation on first use, once per state of the case.

    Parameters
    ----------
    view
        The tables of the case.
    kept
        What was computed before, and where the rest will be kept.
    """
    for maker in makers():
        if not maker.is_view:
            view.offer(maker.relations, partial(_relations, view, kept, maker, []))
    offer_views(view)


def offer_views(view: CaseView) -> None:
    """Offer a case, or a part of one, the relations that only choose and name rows of its captures."""
    for maker in makers():
        if maker.is_view:
            view.offer(maker.relations, partial(_viewed, view, maker))


def _viewed(view: CaseView, maker: Maker) -> dict[str, pa.Table | Query]:
    if not maker.sources.are_in(view):
        return {**maker.nothing()}
    return made(view, maker)


def made(view: CaseView, maker: Maker) -> dict[str, pa.Table | Query]:
    """Return the relations of a maker, with their columns, by the reference clock."""
    found = {name: _typed(name, rows) for name, rows in maker.make(view).items()}
    if not maker.is_by_host:
        return found
    clock = reference_clock(view)
    return {name: by_reference(rows, RELATIONS[name], clock) for name, rows in found.items()}


def _relations(
    view: CaseView, kept: Derived, maker: Maker, failed: list[Exception]
) -> dict[str, pa.Table | Path | Query]:
    """Return the relations of a maker; one that failed once is not tried again.

    Raises
    ------
    RelationError
        They cannot be computed, and nothing but this code is to blame.
    """

    def make() -> dict[str, pa.Table | Query]:
        try:
            return made(view, maker)
        except (AgtraceError, OSError, MemoryError):
            raise
        except Exception as error:
            interrupts.raise_again(error)
            failed.append(error)
            raise RelationError(maker.relations[0], error) from error

    if failed:
        raise RelationError(maker.relations[0], failed[0])

    if found := kept.kept(maker.relations):
        return found
    if not maker.sources.are_in(view):
        return {**maker.nothing()}
    found = kept.relations(maker.relations, make, view.write)
    if not any(isinstance(rows, Query) for rows in found.values()):
        view.run("".join(f"drop table if exists scratch.{table};" for table in maker.scratch))
    return found


def _typed(name: str, rows: pa.Table | Query) -> pa.Table | Query:
    """Return a relation with typed columns, in order."""
    schema = RELATIONS[name]
    if isinstance(rows, Query):
        columns = ", ".join(
            f"CAST({identifier(each.name)} AS {sql_type(each.type)}) AS {identifier(each.name)}"
            if rows.is_kept
            else identifier(each.name)
            for each in schema
        )
        return replace(rows, sql=f"SELECT {columns} FROM ({rows.sql.rstrip().rstrip(';')})")
    own = rows.select(schema.names)
    if own.schema.types == schema.types:
        # To cast would import pyarrow.compute.
        return pa.Table.from_arrays(own.columns, schema=schema)
    return own.cast(schema)
