"""Questions over the results of many cases."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from agtrace.batch.places import RESULTS, Reports
from agtrace.batch.remote import RemoteReports
from agtrace.errors import CaseError
from agtrace.storage import is_url
from agtrace.store import parquet
from agtrace.store.connection import confine, connect
from agtrace.store.files import is_folder, is_link
from agtrace.store.parts import storage_error
from agtrace.store.place import STRANGE
from agtrace.store.quoting import identifier
from agtrace.store.read_only import check_reads
from agtrace.store.scratch import remove_abandoned, unused

if TYPE_CHECKING:
    import duckdb


def is_results(place: str | Path, *, trust: bool = False) -> bool:
    """Return whether a place is one of this user's reports over many cases, or of their results.

    Parameters
    ----------
    place
        A folder or URL.
    trust
        Accept reports made by other users.
    """
    return _results(place, trust) is not None


def set_aside(place: str | Path, *, trust: bool = False) -> str | None:
    """Return why the results in a folder are not used; None if they are, or if there are no results."""
    root = None if is_url(place) else _root(place)
    if root is None or _results(place, trust) is not None:
        return None
    if not is_folder(root / RESULTS):
        return f"{root / RESULTS}: not a folder itself (a link?), so no results are read from it"
    return f"{root / RESULTS}: results that were {STRANGE} are not read - use them with --trust-store"


def _results(place: str | Path, trust: bool) -> Path | None:
    if is_url(place):
        reports = RemoteReports(str(place).rstrip("/").removesuffix(f"/{RESULTS}"))
        return reports.results if reports.fetch_results() else None
    root = _root(place)
    # They may have come with a case, made to be taken for the answer.
    if root is None or not (trust or Reports(root).is_ours) or not is_folder(root / RESULTS):
        return None
    return root / RESULTS


def _root(place: str | Path) -> Path | None:
    """Return the folder of reports that a path names, or is the results of; None where it is neither."""
    folder = Path(place)
    for root in (folder, folder.absolute().parent):
        if Reports(root).is_there and (root == folder or folder.name == RESULTS):
            return root
    return None


class Results:
    """A snapshot of the results of many cases; each relation has a column ``case``.

    Parameters
    ----------
    connection
        Connection in which each relation is a view.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def sql(self, query: str, parameters: Mapping[str, object] | None = None) -> duckdb.DuckDBPyRelation:
        """Return one query over the results as a DuckDB relation.

        Raises
        ------
        CaseError
            It is not one SELECT, or an EXPLAIN of one.
        """
        # The files are links to those of the reports: what is written to them is written there.
        check_reads(self._connection, query)
        return self._connection.sql(query, params=dict(parameters or {}))


@contextlib.contextmanager
def open_results(place: str | Path, *, trust_store: bool = False) -> Iterator[Results]:
    """Open the results of many cases for SQL queries.

    Only the results can be read. They are a snapshot: a run that continues meanwhile replaces files as a
    whole, and changes none in place.

    Parameters
    ----------
    place
        The folder or URL that a batch or watch wrote to, or ``results`` in it.
    trust_store
        Read them even if another user made them, or they were made at another path.

    Raises
    ------
    CaseError
        The place has no results, or they belong to another user.
    StoreError
        The results cannot be read.
    """
    if why := set_aside(place, trust=trust_store):
        raise CaseError(why)
    folder = _results(place, trust_store)
    # Links may lead to files that are not results.
    files = [p for p in sorted(folder.glob("*.parquet")) if not is_link(p)] if folder else []
    if folder is None or not files:
        raise CaseError(f"{place}: there are no results of many cases in it", "agtrace batch makes them")
    remove_abandoned()
    spill = unused("spill")
    with _pinned(files, Reports(folder.parent).reading, unused("results")) as pinned:
        connection = connect(spill)
        try:
            for path in files:
                source = parquet.source([pinned / path.name])
                view = identifier(path.stem)
                connection.execute(f"CREATE VIEW {view} AS SELECT * FROM {source}")
            confine(connection, pinned, spill)
            yield Results(connection)
        finally:
            connection.close()


@contextlib.contextmanager
def _pinned(files: list[Path], beside: Path, elsewhere: Path) -> Iterator[Path]:
    """Yield a folder with the current files, safe from replacement.

    DuckDB opens a file to plan a query and again to run it; if it were replaced in between, the new file
    would be read with the plan of the old one.
    """
    own = beside / secrets.token_hex(8)
    try:
        if is_link(beside):
            raise OSError(errno.ELOOP, "is a link", str(beside))
        _taken(files, own, os.link)
    except OSError:
        # Another's reports, or a file system without hard links.
        own = elsewhere
        try:
            _taken(files, own, shutil.copyfile)
        except OSError as error:
            raise storage_error(own, error) from error
    try:
        yield own
    finally:
        shutil.rmtree(own, ignore_errors=True)


def _taken(files: list[Path], folder: Path, take: Callable[[Path, Path], object]) -> None:
    try:
        folder.mkdir(parents=True)
        for path in files:
            take(path, folder / path.name)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
