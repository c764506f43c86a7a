"""Where the reports of many cases lie, and what is known of each case: a record, whole or not there."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from agtrace.errors import CaseError, is_exhausted
from agtrace.printable import printable
from agtrace.storage import is_url
from agtrace.storage.urls import name_in
from agtrace.store.files import is_folder, read_text, write_atomically
from agtrace.store.lock import WriterLock
from agtrace.store.parts import storage_error

STATE = ".agtrace-cases"
"""Folder of what a run has to know, and of the stores."""
RESULTS = "results"
FORMAT = 1
LONGEST_NAME = 120
"""Bytes: a name may have 255, and what is written beside a case has some more than its name."""
READ_FOR_S = 2 * 86400.0
"""What was opened to be read so long ago was left by somebody who was killed."""

_TAKEN = {RESULTS, "index.html", STATE}
_UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f\ud800-\udfff]|[. ]+$|^\.')
"""What some file system does not allow in a name, and a dot that would hide it."""


@dataclass(frozen=True)
class CaseRecord:
    """What became of a case: the word that counts, written when all else of it is in place.

    Parameters
    ----------
    name
        Its folder among the reports, and its name in the results.
    source
        The folder or archive of captures.
    signature
        What it looked like when it was read.
    status
        ``reported``, or ``broken`` where nothing could be said of it.
    reason
        Why it is broken, or what of its report failed; empty when all went well.
    reported
        When, ISO 8601 UTC.
    seconds
        How long it took.
    files, bytes
        What lay in it.
    store_bytes
        What its store takes on disk; 0 once it was removed.
    findings
        How many there are, by severity.
    worst
        Title of the worst one.
    ids
        The ids of all of them, for the search.
    pages
        Whether its notebooks were run.
    rows
        Folder of its rows of the results; empty where it has none.
    version
        Of agtrace.
    """

    name: str
    source: str
    signature: str
    status: str
    reason: str = ""
    reported: str = ""
    seconds: float = 0.0
    files: int = 0
    bytes: int = 0
    store_bytes: int = 0
    findings: dict[str, int] = field(default_factory=dict)
    worst: str = ""
    ids: tuple[str, ...] = ()
    pages: bool = True
    rows: str = ""
    version: str = ""


def _last(source: str) -> str:
    return name_in(source) if is_url(source) else Path(source).name


class Reports:
    """The folder of all reports. `create` makes it; only who holds `lock` may change it.

    Parameters
    ----------
    root
        The folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / STATE
        self.results = root / RESULTS
        self._records = self.state / "cases"
        self._tries = self.state / "tries"
        self.stores = self.state / "stores"
        self.rows = self.state / "rows"
        self.reading = self.state / "reading"
        """Results that somebody reads, as they were when they were opened."""
        self._known: dict[str, CaseRecord] | None = None
        self._names: set[str] = set()
        self._reserved: dict[str, str] = {}
        self._lock: WriterLock | None = None

    @property
    def place(self) -> str:
        """What `agtrace.batch.remote.reports_at` makes the same reports of, in any process."""
        return str(self.root.absolute())

    def index_of(self, name: str) -> str:
        """Give the place of a case's report, for people."""
        return str(self.page(name) / "index.html")

    def deliver(self, record: CaseRecord) -> None:
        """Bring the pages and rows of a case to where the reports lie; here they are there already."""

    def publish(self) -> None:
        """Bring what stands over all cases to where the reports lie."""

    @property
    def is_there(self) -> bool:
        """Tell whether the folder is one that this class makes."""
        return (self.state / "format.json").is_file()

    def create(self) -> None:
        """Make the folder.

        Raises
        ------
        CaseError
            It holds something else, or is of a newer agtrace.
        StoreError
            It cannot be written.
        """
        try:
            if self.is_there:
                self._check_format()
            elif self.root.exists() and any(e.name != STATE for e in os.scandir(self.root)):
                raise CaseError(
                    f"{self.root}: not empty and not a folder of reports", "choose another --out"
                )
            for folder in (self._records, self._tries, self.stores, self.rows, self.results):
                folder.mkdir(parents=True, exist_ok=True)
            if not self.is_there:
                write_atomically(self.state / "format.json", json.dumps({"format": FORMAT}))
        except NotADirectoryError as error:
            raise CaseError(f"{self.root}: not a folder", "choose another --out") from error
        except OSError as error:
            raise storage_error(self.root, error) from error

    def _check_format(self) -> None:
        try:
            found = json.loads(read_text(self.state / "format.json"))["format"]
        except (ValueError, KeyError, TypeError):
            found = FORMAT
        if found != FORMAT:
            raise CaseError(f"{self.root}: made by a newer agtrace", "update agtrace")

    def lock(self, patience_s: float = 0.0) -> WriterLock:
        """Give the lock of whoever writes reports here, to be held in a ``with``."""
        self._lock = WriterLock(self.state, patience_s=patience_s)
        return self._lock

    def records(self) -> dict[str, CaseRecord]:
        """Give the record of each case by its source; a damaged one is none, and its case done again."""
        if self._known is None:
            self._known = {}
            for path in sorted(self._records.glob("*.json")):
                try:
                    record = CaseRecord(**json.loads(read_text(path)))
                except (OSError, ValueError, TypeError) as error:
                    if is_exhausted(error):
                        raise storage_error(path, OSError(str(error))) from error
                    continue
                if f"{record.name}.json" == path.name:
                    self._known[record.source] = record
            self._names = {record.name.casefold() for record in self._known.values()}
        return self._known

    def keep(self, record: CaseRecord) -> None:
        """Make a record known; from here on what it says of its case counts.

        Raises
        ------
        StoreError
            It cannot be written, or another run has taken the lock over.
        """
        if self._lock is not None:
            self._lock.check()
        path = self._records / f"{record.name}.json"
        try:
            write_atomically(path, json.dumps(asdict(record), indent=1))
        except OSError as error:
            raise storage_error(path, error) from error
        self.records()[record.source] = record
        self._names.add(record.name.casefold())

    def forget(self, record: CaseRecord) -> None:
        """Remove a record: its case is done again."""
        with contextlib.suppress(OSError):
            (self._records / f"{record.name}.json").unlink(missing_ok=True)
        self.records().pop(record.source, None)
        self._names.discard(record.name.casefold())

    def name_of(self, source: str) -> str:
        """Give the name of a case: that of its folder, numbered where another case has it."""
        known = self.records().get(source)
        if known:
            return known.name
        if source in self._reserved:
            return self._reserved[source]
        # Names that differ in case alone are one folder on many file systems.
        taken = {name.casefold() for name in (*_TAKEN, *self._reserved.values())} | self._names
        fit = _UNFIT.sub("_", printable(_last(source))).encode()[:LONGEST_NAME]
        wanted = name = fit.decode("utf-8", "ignore") or "_"
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{wanted}-{number}"
        return name

    def reserve(self, source: str) -> str:
        """Give the name of a case that is begun: of two that are worked on at once each has its own."""
        name = self.name_of(source)
        self._reserved[source] = name
        return name

    def store(self, name: str, source: str | Path) -> Path:
        """Give the place of a case's store: its own, whichever case had that name before."""
        digest = hashlib.sha256(str(source).encode("utf-8", "surrogateescape")).hexdigest()
        return self.stores / f"{name}-{digest[:8]}"

    def page(self, name: str) -> Path:
        """Give the folder of a case's report."""
        return self.root / name

    def tried(self, name: str) -> int:
        """Tell how often a case was begun and not ended: whoever was at it was killed."""
        try:
            return int(json.loads(read_text(self._tries / f"{name}.json"))["tries"])
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def begin(self, name: str) -> None:
        """Note that a case is begun."""
        path = self._tries / f"{name}.json"
        try:
            write_atomically(path, json.dumps({"tries": self.tried(name) + 1}), lasting=False)
        except OSError as error:
            raise storage_error(path, error) from error

    def end(self, name: str) -> None:
        """Note that a case has ended, in whatever way it was meant to."""
        self._reserved = {source: n for source, n in self._reserved.items() if n != name}
        with contextlib.suppress(OSError):
            (self._tries / f"{name}.json").unlink(missing_ok=True)

    def remove_store(self, name: str, source: str | Path) -> None:
        """Remove the store of a case; it is made again when the case changes."""
        shutil.rmtree(self.store(name, source), ignore_errors=True)

    def remove_leftovers(self) -> None:
        """Remove what a run that was killed has left: rows that no record names, unfinished files."""
        named = {record.rows for record in self.records().values() if record.rows}
        for folder in self.rows.glob("*/*"):
            if folder.relative_to(self.rows).as_posix() not in named:
                shutil.rmtree(folder, ignore_errors=True)
        for folder in self.reading.glob("*"):
            # Whoever still reads it has had it open for days.
            if is_folder(folder) and abs(time.time() - folder.lstat().st_mtime) > READ_FOR_S:
                shutil.rmtree(folder, ignore_errors=True)
        for folder in (self.root, self.state, self._records, self._tries, self.results):
            for path in folder.glob("*.tmp"):
                if not is_folder(path):
                    path.unlink(missing_ok=True)
