"""Cached answers, returned at once while nothing that they depend on has changed.

An answer is stored in the user's cache under its key (`agtrace.answer_key`). It is valid as long as the store
that it was computed from is unchanged. Returning it needs no decoding and no query, and imports neither
DuckDB nor Arrow.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs

from agtrace import strict_json
from agtrace.answer_key import Asked, CaseFiles, answer_key, files_of, stamp_of
from agtrace.ingested import IngestedCapture, IngestReport
from agtrace.say.finding import Finding
from agtrace.store import owner
from agtrace.store.files import read_text, write_atomically

MOST_ANSWERS = 400
"""Maximum number of cached answers; the least recently used are removed first."""
MOST_BYTES = 64 << 20
"""Larger answers are not cached, because reading one would take as long as computing it."""
STATE = (owner.STORE_MARKER, "captures.json", "utc_offsets.json")
"""Files of a store that change whenever its contents change."""
REDACTED = "facts/redaction.json"
"""A case with it is a store itself, whose captures are elsewhere."""


@dataclass(frozen=True)
class Answer:
    """A complete answer.

    Parameters
    ----------
    ingested
        Result of the ingest; all files are unchanged since.
    faults
        Faults in the settings files of the case.
    findings
        Findings of all analyses, most severe first.
    lacking
        Missing input of analyses that could not run, by name.
    made
        The report of this answer.
    """

    ingested: IngestReport
    faults: Sequence[str]
    findings: Sequence[Finding]
    lacking: Mapping[str, Sequence[str]]
    made: MadeReport | None = None

    @property
    def report(self) -> Path | None:
        """Path of the report's index; None if the report is missing or was changed."""
        return self.made.index if self.made is not None and self.made.is_unchanged() else None


@dataclass(frozen=True)
class MadeReport:
    """A report as it was written.

    Parameters
    ----------
    folder, first
        Its folder, and the name of its index.
    stamps
        Stamps of its files by name, which change with them (`agtrace.answer_key.stamp_of`).
    """

    folder: str
    first: str
    stamps: Mapping[str, list[int]]

    @classmethod
    def of(cls, index: Path, files: Iterable[str]) -> MadeReport:
        """Note the index and the names of all files of a report that has just been made."""
        folder = index.absolute().parent
        return cls(str(folder), index.name, {name: stamp_of(folder / name) for name in files})

    @property
    def index(self) -> Path:
        """The page to open."""
        return Path(self.folder) / self.first

    def is_unchanged(self) -> bool:
        """Return whether all of its files exist and are unchanged."""
        folder = Path(self.folder)
        is_same = all(stamp and stamp_of(folder / name) == stamp for name, stamp in self.stamps.items())
        return is_same and bool(self.stamps) and owner.is_own(folder, "report")


class KeptAnswer:
    """The cache entry for one case and one set of options.

    Parameters
    ----------
    case
        Its folder or archive on this machine.
    store
        The folder of the store that the user named.
    asked
        The options.
    """

    def __init__(self, case: Path, store: str | None, asked: Asked) -> None:
        self._case = case
        self._store = None if store is None else Path(store)
        self._asked = asked
        self._files = self._look()
        names = (os.path.realpath(case), "" if store is None else os.path.realpath(store), self._key())
        digest = hashlib.sha256("\0".join(names).encode("utf-8", "surrogateescape")).hexdigest()
        self._file = platformdirs.user_cache_path("agtrace") / "answers" / f"{digest[:40]}.json"

    def read(self) -> Answer | None:
        """Return the cached answer; None if there is no such answer or its input has changed."""
        if not self._is_settled():
            return None
        try:
            told = json.loads(read_text(self._file, MOST_BYTES))
            if told["key"] != self._key() or told["store"] != _state(Path(told["root"])):
                return None
            answer = _answer(told)
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        with contextlib.suppress(OSError):
            os.utime(self._file)
        return answer

    def keep(self, answer: Answer) -> None:
        """Keep an answer that was given since this was made; not where any file has changed meanwhile.

        A reading that failed may have been for want of a disk or a network: it is tried again.
        """
        if answer.ingested.failed or answer.ingested.notes or not self._is_settled():
            return
        now = self._look()
        if now != self._files or now is None or now.is_fresh:
            return
        root = answer.ingested.store
        told = {
            "key": self._key(),
            "root": str(root),
            "store": _state(root),
            "captures": [list(vars(each).values()) for each in answer.ingested.captures],
            "faults": list(answer.faults),
            "findings": [asdict(each) for each in answer.findings],
            "lacking": dict(answer.lacking),
            "made": answer.made and asdict(answer.made),
        }
        text = strict_json.dumps(told)
        if len(text) > MOST_BYTES:
            return
        # If the answer cannot be cached, it is computed again next time.
        with contextlib.suppress(OSError, ValueError):
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_atomically(self._file, text, lasting=False)
            _forget_oldest(self._file.parent)

    def _look(self) -> CaseFiles | None:
        # Of a case without names, the files are the store.
        if os.path.lexists(self._case / REDACTED):
            return None
        return files_of(self._case, self._store)

    def _is_settled(self) -> bool:
        return self._files is not None and not self._files.is_fresh

    def _key(self) -> str:
        return answer_key(self._files.digest if self._files else "", self._asked)


def _state(root: Path) -> list[list[int]]:
    return [stamp_of(root / name) for name in STATE]


def _answer(told: Mapping[str, Any]) -> Answer:
    # Nothing is read now.
    captures = [replace(IngestedCapture(*each), seconds=None) for each in told["captures"]]
    return Answer(
        IngestReport(Path(told["root"]), captures),
        told["faults"],
        [Finding.of(each) for each in told["findings"]],
        told["lacking"],
        told["made"] and MadeReport(**told["made"]),
    )


def _forget_oldest(folder: Path) -> None:
    found = list(folder.glob("*.json"))
    if len(found) <= MOST_ANSWERS:
        return
    found.sort(key=lambda path: path.stat().st_mtime)
    for path in found[: len(found) - MOST_ANSWERS * 9 // 10]:
        path.unlink(missing_ok=True)
