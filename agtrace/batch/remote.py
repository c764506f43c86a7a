"""The reports of many cases at a storage URL: a local copy, whose changes are uploaded.

Any machine that reports a case uploads its pages and rows, and then its record, one file, which makes the
report valid. Stores stay on the machine that read the case.
"""

from __future__ import annotations

import json
from pathlib import Path

from agtrace.batch.places import RESULTS, STATE, CaseRecord, Reports
from agtrace.errors import CaseError
from agtrace.storage import Remote, RemoteFile, is_url, stand_in
from agtrace.storage.remote import each
from agtrace.storage.urls import is_plain
from agtrace.store.files import read_text, write_atomically
from agtrace.store.lock import WriterLock
from agtrace.store.parts import storage_error
from agtrace.store.remote_lock import RemoteLock

FETCHED = "fetched.json"
"""Which version of each file the copy has."""

_KEPT = (f"{STATE}/cases/", f"{STATE}/rows/", f"{STATE}/format.json")
"""State of earlier runs that a run needs."""


class RemoteReports(Reports):
    """The reports at a URL.

    Only one run on any machine can write at a time; it holds a lock at the URL.

    Parameters
    ----------
    url
        The URL.
    """

    def __init__(self, url: str) -> None:
        super().__init__(stand_in(url, "reports"))
        self.remote = Remote(url)

    @property
    def place(self) -> str:
        """Argument of `reports_at` that opens the same reports."""
        return self.remote.url

    def index_of(self, name: str) -> str:
        """Return the URL of a case's report, for display."""
        return f"{self.remote.url}/{name}/index.html"

    @property
    def is_ours(self) -> bool:
        """True: the user named the URL, and all who can write there are trusted."""
        return True

    def create(self, *, trust: bool = False) -> None:
        """Create the local copy, and bring it up to date.

        Raises
        ------
        CaseError
            The URL contains something else.
        StoreError
            The URL cannot be read, or the copy cannot be written.
        """
        listed = self.remote.files()
        format_file = f"{STATE}/format.json"
        if listed and not any(file.name == format_file for file in listed):
            raise CaseError(
                f"{self.remote.url}: not empty and not a folder of reports", "choose another --out"
            )
        self._fetch([file for file in listed if file.name.startswith(_KEPT)], STATE)
        super().create(trust=trust)
        if not listed:
            self.remote.put(format_file, self.root / format_file)

    def lock(self, patience_s: float = 0.0) -> WriterLock:
        """Return the lock for writers of reports there; acquiring it fetches what was written before."""
        self._lock = RemoteLock(self.state, self.remote, f"{STATE}/lock", patience_s, taken=self._catch_up)
        return self._lock

    def _catch_up(self) -> None:
        listed = self.remote.files(STATE)
        self._fetch([file for file in listed if file.name.startswith(_KEPT)], STATE)
        self._known = None

    def fetch_results(self) -> bool:
        """Bring the results over all cases up to date; return whether there are any."""
        listed = [file for file in self.remote.files(RESULTS) if file.name.endswith(".parquet")]
        if listed:
            self._fetch(listed, RESULTS)
        return bool(listed)

    def _fetch(self, wanted: list[RemoteFile], folder: str) -> None:
        """Fetch new files into a folder of the copy, and remove files that no longer exist at the URL."""
        note = self.root.parent / f"{folder}-{FETCHED}"
        try:
            before = dict(json.loads(read_text(note)))
        except (OSError, ValueError, TypeError):
            before = {}
        wanted = [file for file in wanted if is_plain(file.name)]
        new = [
            file
            for file in wanted
            if before.get(file.name) != file.version or not (self.root / file.name).is_file()
        ]
        try:
            each(lambda file: self.remote.fetch(file.name, self.root / file.name), new)
            named = {file.name for file in wanted}
            for path in (self.root / folder).rglob("*"):
                name = path.relative_to(self.root).as_posix()
                is_copy = name.startswith((*_KEPT, f"{RESULTS}/")) and path.is_file()
                if is_copy and name not in named:
                    path.unlink()
            text = json.dumps({file.name: file.version for file in wanted})
            write_atomically(note, text, lasting=False)
        except OSError as error:
            raise storage_error(self.root, error) from error

    def deliver(self, record: CaseRecord) -> None:
        """Put the pages and rows of a case there, from the machine that made them."""
        pages = [path for path in self.page(record.name).rglob("*") if path.is_file()]
        rows = self.rows / record.rows if record.rows else None
        pages += [path for path in rows.iterdir() if path.is_file()] if rows else []
        each(lambda path: self.remote.put(self._name(path), path), pages)
        there = {self._name(path) for path in pages}
        self.remote.remove(file.name for file in self.remote.files(record.name) if file.name not in there)

    def keep(self, record: CaseRecord) -> None:
        """Make a record known, there and here."""
        before = self.records().get(record.source)
        if record.rows and not (self.rows / record.rows).is_dir():
            # It was reported on another machine.
            for file in self.remote.files(f"{STATE}/rows/{record.rows}"):
                self.remote.fetch(file.name, self.root / file.name)
        super().keep(record)
        path = self._records / f"{record.name}.json"
        self.remote.put(self._name(path), path)
        if before and before.rows and before.rows != record.rows:
            self.remote.remove(file.name for file in self.remote.files(f"{STATE}/rows/{before.rows}"))

    def forget(self, record: CaseRecord) -> None:
        """Remove a record: its case is done again."""
        super().forget(record)
        self.remote.remove([f"{STATE}/cases/{record.name}.json"])

    def remove_leftovers(self) -> None:
        """Remove what a run that was killed has left, here and there."""
        super().remove_leftovers()
        named = tuple(f"{STATE}/rows/{r.rows}/" for r in self.records().values() if r.rows)
        listed = self.remote.files(f"{STATE}/rows")
        self.remote.remove(file.name for file in listed if not file.name.startswith(named))

    def publish(self) -> None:
        """Upload the results over all cases."""
        paths = [*self.results.glob("*.parquet"), self.root / "index.html"]
        each(lambda path: self.remote.put(self._name(path), path), filter(Path.is_file, paths))

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def reports_at(place: str | Path) -> Reports:
    """Return the reports at a path or URL as they are; `Reports.create` creates them."""
    return RemoteReports(str(place)) if is_url(place) else Reports(Path(place))
