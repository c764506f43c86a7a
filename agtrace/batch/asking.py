"""Questions over the results of many cases."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.batch.places import RESULTS, Reports
from agtrace.batch.remote import RemoteReports
from agtrace.errors import CaseError
from agtrace.storage import is_url
from agtrace.store.events import literal
from agtrace.store.scratch import remove_abandoned, unused
from agtrace.store.view import confine, connect

if TYPE_CHECKING:
    import duckdb


def is_results(place: str | Path) -> bool:
    """Tell whether a place is one of reports over many cases, or of their results."""
    return _results(place) is not None


def _results(place: str | Path) -> Path | None:
    if is_url(place):
        reports = RemoteReports(str(place).rstrip("/").removesuffix(f"/{RESULTS}"))
        return reports.results if reports.fetch_results() else None
    folder = Path(place)
    for root in (folder, folder.absolute().parent):
        if Reports(root).is_there and (root == folder or folder.name == RESULTS):
            return root / RESULTS
    return None


@contextlib.contextmanager
def open_results(place: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the results of many cases: a DuckDB connection with a view per relation.

    It reads and writes nothing but the results. They are those of the moment that a query runs: a
    run that goes on meanwhile replaces each file as a whole.

    Parameters
    ----------
    place
        The folder or URL that a batch or watch wrote to, or ``results`` in it.

    Raises
    ------
    CaseError
        It is neither, or there are no results yet.
    """
    folder = _results(place)
    files = sorted(folder.glob("*.parquet")) if folder else []
    if folder is None or not files:
        raise CaseError(
            f"{place}: there are no results of many cases in it", "agtrace batch makes them"
        )
    remove_abandoned()
    spill = unused("spill")
    connection = connect(spill)
    try:
        for path in files:
            name = path.stem.replace('"', '""')
            source = f"read_parquet({literal(str(path.absolute()))})"
            connection.execute(f'CREATE VIEW "{name}" AS SELECT * FROM {source}')
        confine(connection, folder, spill)
        yield connection
    finally:
        connection.close()
