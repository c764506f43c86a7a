"""The folder of the reports of many cases, with one record per case, written completely or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from agtrace.errors import CaseError, is_exhausted
from agtrace.printable import is_device, printable
from agtrace.storage import is_url
from agtrace.storage.urls import name_in
from agtrace.store import Store, owner
from agtrace.store.files import is_folder, is_link, read_text, remove_folder, remove_link, write_atomically
from agtrace.store.lock import WriterLock
from agtrace.store.parts import storage_error
from agtrace.store.place import STRANGE, is_trusted

STATE = ".agtrace-cases"
"""Folder of the state of a run, and of the stores."""
RESULTS = "results"
FORMAT = 1
FORMAT_FILE = "format.json"
KIND = "reports"
"""Kind of folder, for its marker file."""
LONGEST_NAME = 120
"""Maximum bytes of a name; file systems allow 255, and files beside a case append to its name."""
READ_FOR_S = 2 * 86400.0
"""Folders opened for reading longer ago than this, in seconds, were left behind by a killed process."""

_ROWS = re.compile(r"[0-9a-f]{16}")
_TAKEN = {RESULTS, "index.html", STATE}
_UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f\ud800-\udfff]|[. ]+$|^\.')
"""Characters that some file system does not allow in a name, and a leading dot, which would hide it."""


@dataclass(frozen=True)
class CaseRecord:
    """The result for a case, written last, so that its report counts only when complete.

    Parameters
    ----------
    name
        Its folder among the reports, and its name in the results.
    signature
        Digest of its files as they were read.
    status
        ``reported``, or ``broken`` if it could not be reported.
    reason
        Why it is broken, or which part of its report failed; empty if all went well.
    reported
        Time of the report, ISO 8601 in UTC.
    store_bytes
        Size of its store on disk; 0 once it was removed.
    findings, worst, ids
        Number of findings by severity; title of the most severe one; all ids, for the search.
    rows
        Folder of its rows of the results; empty if it has no rows.
    key
        Key of the answer (`agtrace.answer_key.answer_key`).
    contents
        The same key, computed from the contents of its files; decides if only their stamps differ.
    is_fresh
        A file was written so recently that its modification time would not have shown another change.
    given_up_s
        Time limit that it exceeded, in seconds, if it is broken for that reason; else 0.
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
    key: str = ""
    contents: str = ""
    is_fresh: bool = False
    given_up_s: float = 0.0


_FIELDS = {each.name for each in fields(CaseRecord)}


def _last(source: str) -> str:
    return name_in(source) if is_url(source) else Path(source).name


def _is_sound(record: CaseRecord) -> bool:
    """Return whether a record is sound: a regular file whose named folders may be removed."""
    texts = (
        record.name, record.source, record.signature, record.status, record.reason,
        record.reported, record.worst, record.rows, record.version, record.key, record.contents,
    )  # fmt: skip
    counts = (record.seconds, record.files, record.bytes, record.store_bytes)
    return (
        all(isinstance(text, str) for text in texts)
        and all(isinstance(count, int | float) for count in counts)
        and isinstance(record.findings, dict)
        and all(isinstance(count, int) for count in record.findings.values())
        and isinstance(record.ids, list | tuple)
        and all(isinstance(each, str) for each in record.ids)
        and record.name not in ("", *_TAKEN)
        and not _UNFIT.search(record.name)
        and (not record.rows or _ROWS.fullmatch(record.rows.removeprefix(f"{record.name}/")) is not None)
    )


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
        """Snapshots of the results for readers."""
        self._known: dict[str, CaseRecord] | None = None
        self._names: set[str] = set()
        self._reserved: dict[str, str] = {}
        self._lock: WriterLock | None = None

    @property
    def place(self) -> str:
        """Argument of `agtrace.batch.remote.reports_at` that opens the same reports in any process."""
        return str(self.root.absolute())

    def index_of(self, name: str) -> str:
        """Return the path of a case's report, for display."""
        return str(self.page(name) / "index.html")

    def deliver(self, record: CaseRecord) -> None:
        """Transfer the pages and rows of a case to the reports; local reports already have them."""

    def publish(self) -> None:
        """Transfer the results over all cases to the reports."""

    @property
    def is_there(self) -> bool:
        """Return whether the folder was created by this class."""
        return is_folder(self.state) and (self.state / FORMAT_FILE).is_file()

    @property
    def is_ours(self) -> bool:
        """Whether this user's agtrace made it, at this place."""
        marker = owner.read_marker(self.state / FORMAT_FILE)
        return owner.key_of(self.root, KIND, marker) is not None

    def create(self, *, trust: bool = False) -> None:
        """Create the folder.

        Parameters
        ----------
        trust
            Continue reports that were begun by another user or at another path; they belong to this user from
            then on.

        Raises
        ------
        CaseError
            The folder contains something else, links, or reports of another user, or is from a newer agtrace.
        StoreError
            The folder cannot be written.
        """
        try:
            owned = (self._records, self._tries, self.stores, self.rows, self.reading, self.results)
            for folder in (self.state, *owned):
                if os.path.lexists(folder) and not is_folder(folder):
                    raise CaseError(f"{folder}: not a folder itself (a link?)", "choose another --out")
            is_ours = self.is_there and (self.is_ours or not owner.has_registry())
            if self.is_there:
                self._check_format()
                if not is_ours and not trust:
                    raise CaseError(
                        f"{self.root}: reports that were {STRANGE}",
                        "choose another --out, or go on with them with --trust-store",
                    )
            elif self.root.exists() and any(e.name != STATE for e in os.scandir(self.root)):
                raise CaseError(f"{self.root}: not empty and not a folder of reports", "choose another --out")
            for folder in owned:
                folder.mkdir(parents=True, exist_ok=True)
            if not is_ours:
                marker = {"format": FORMAT} | owner.mark(self.root, KIND)
                write_atomically(self.state / FORMAT_FILE, json.dumps(marker))
        except NotADirectoryError as error:
            raise CaseError(f"{self.root}: not a folder", "choose another --out") from error
        except OSError as error:
            raise storage_error(self.root, error) from error

    def _check_format(self) -> None:
        try:
            found = json.loads(read_text(self.state / FORMAT_FILE))["format"]
        except (ValueError, KeyError, TypeError):
            found = FORMAT
        if found != FORMAT:
            raise CaseError(f"{self.root}: made by a newer agtrace", "update agtrace")

    def lock(self, patience_s: float = 0.0) -> WriterLock:
        """Return the lock for writers of reports, for use in a ``with``."""
        self._lock = WriterLock(self.state, patience_s=patience_s)
        return self._lock

    def records(self) -> dict[str, CaseRecord]:
        """Return the record of each case by source; damaged records are skipped and their cases redone."""
        if self._known is None:
            self._known = {}
            for path in sorted(self._records.glob("*.json")):
                try:
                    told = json.loads(read_text(path))
                    # Older versions of agtrace stored fields that are no longer needed.
                    record = CaseRecord(**{name: told[name] for name in _FIELDS & set(told)})
                except (OSError, ValueError, TypeError) as error:
                    if is_exhausted(error):
                        raise storage_error(path, OSError(str(error))) from error
                    continue
                if f"{record.name}.json" == path.name and _is_sound(record):
                    self._known[record.source] = record
            self._names = {record.name.casefold() for record in self._known.values()}
        return self._known

    def keep(self, record: CaseRecord) -> None:
        """Store a record; from then on it is the result of its case.

        Raises
        ------
        StoreError
            It cannot be written, or another run has taken over the lock.
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
        """Return a case's name: that of its folder, numbered if another case has it."""
        known = self.records().get(source)
        if known:
            return known.name
        if source in self._reserved:
            return self._reserved[source]
        # Names that differ in case alone are one folder on many file systems.
        taken = {name.casefold() for name in (*_TAKEN, *self._reserved.values())} | self._names
        fit = _UNFIT.sub("_", printable(_last(source))).encode()[:LONGEST_NAME]
        wanted = fit.decode("utf-8", "ignore") or "_"
        wanted = name = f"_{wanted}" if is_device(wanted) else wanted
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{wanted}-{number}"
        return name

    def reserve(self, source: str) -> str:
        """Reserve a name for a case; two cases in progress at once never share one."""
        name = self.name_of(source)
        self._reserved[source] = name
        return name

    def store(self, name: str, source: str | Path) -> Path:
        """Return the path of a case's store, whichever case had that name before."""
        digest = hashlib.sha256(str(source).encode("utf-8", "surrogateescape")).hexdigest()
        return self.stores / f"{name}-{digest[:8]}"

    def page(self, name: str) -> Path:
        """Return the folder of a case's report."""
        return self.root / name

    def tried(self, name: str) -> int:
        """Return how often a case was started and its worker killed before it ended."""
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
        """Record that the work on a case has ended without killing its process."""
        self._reserved = {source: n for source, n in self._reserved.items() if n != name}
        with contextlib.suppress(OSError):
            (self._tries / f"{name}.json").unlink(missing_ok=True)

    def remove_store(self, name: str, source: str | Path) -> None:
        """Remove the store of a case; it is made again when the case changes."""
        remove_folder(self.store(name, source))

    def make_fit(self, name: str, source: str, *, trust: bool) -> None:
        """Make a case's working folder safe: no links out of it and no files of other users.

        Parameters
        ----------
        name, source
            The case.
        trust
            Use its store even if another user made it.
        """
        place = self.store(name, source)
        for path in (self.page(name), place, self.rows / name):
            if is_link(path):
                remove_link(path)
        if os.path.lexists(place) and self.is_ours and not is_trusted(Store(place), trust=trust):
            self.remove_store(name, source)

    def remove_rows(self, rows: str) -> None:
        """Remove the rows of a case."""
        folder = self.rows / rows
        if is_folder(folder.parent):
            remove_folder(folder)

    def remove_leftovers(self) -> None:
        """Remove what a run that was killed has left: rows that no record names, unfinished files."""
        named = {record.rows for record in self.records().values() if record.rows}
        for case in self.rows.iterdir():
            for folder in case.iterdir() if is_folder(case) else ():
                rows = folder.relative_to(self.rows).as_posix()
                if rows not in named:
                    self.remove_rows(rows)
        for folder in self.reading.glob("*"):
            # No process reads for that long.
            if is_folder(folder) and abs(time.time() - folder.lstat().st_mtime) > READ_FOR_S:
                remove_folder(folder)
        for folder in (self.root, self.state, self._records, self._tries, self.results):
            for path in folder.glob("*.tmp"):
                if not is_folder(path):
                    path.unlink(missing_ok=True)
