"""Recognise folders that this user's agtrace made: the marker in each is signed with a key for that path.

A case is untrusted: a store or report in it may have been forged, or be one of ours that was copied, sent
away and changed. The registry, in the user's data folder and readable only by the user, has a key for each
path that this user's agtrace created. A marker contains a random value and its keyed hash: it cannot be
forged without the key, and is not valid at another path. If the registry is lost, captures must be read
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import time
from pathlib import Path
from typing import Any

import platformdirs

from agtrace import moving
from agtrace.store.files import MAX_MARKER_BYTES, TEMPORARY, is_folder, read_text

STORE_MARKER = ".agtrace-store"
REPORT_MARKER = ".agtrace-report"
KEY_BYTES = 32
MOST_PLACES = 20_000
"""Maximum number of paths in the registry; the least recently used are removed first."""
USED_S = 86_400.0
"""Resolution of the time at which a path was last used, in seconds."""
SEEN = ".seen"


def registry() -> Path:
    """Return the folder of the registry: a file for each place."""
    return platformdirs.user_data_path("agtrace") / "places"


def has_registry() -> bool:
    """Return whether there is a registry, or one can be made."""
    folder = registry()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return False
    return is_folder(folder) and os.access(folder, os.W_OK)


def mark(folder: Path, kind: str) -> dict[str, str]:
    """Return the marker content by which a folder is recognised; empty without a registry.

    Parameters
    ----------
    folder
        The folder, which must exist.
    kind
        ``store``, ``report``, ``export`` or ``reports`` (of many cases); a marker is valid for one kind only.
    """
    entry = entry_of(folder, kind)
    try:
        key = _read(entry) or _make(entry, folder, kind)
    except OSError:
        key = None
    if key is None:
        return {}
    word = secrets.token_hex(16)
    return {"word": word, "proof": _keyed(key, kind, word)}


def key_of(folder: Path, kind: str, marker: Any) -> bytes | None:
    """Return the key of a place whose marker proves it; None if it is not ours.

    Parameters
    ----------
    folder, kind
        As in `mark`.
    marker
        The content of its marker.
    """
    if not isinstance(marker, dict):
        return None
    word, given = marker.get("word"), marker.get("proof")
    if not isinstance(word, str) or not isinstance(given, str):
        return None
    entry = entry_of(folder, kind)
    key = _read(entry)
    if key is None:
        return None
    expected = _keyed(key, kind, word)
    if not hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace")):
        return None
    _used(entry)
    return key


def is_own(folder: Path, kind: str) -> bool:
    """Return whether a folder has this user's marker for this place, of kind ``store``, ``report`` or
    ``export``.
    """
    marker = folder / (STORE_MARKER if kind == "store" else REPORT_MARKER)
    return os.path.lexists(marker) and key_of(folder, kind, read_marker(marker)) is not None


def read_marker(path: Path) -> Any:
    """Read a marker; None if it is missing or unreadable."""
    try:
        return json.loads(read_text(path, MAX_MARKER_BYTES))
    except (OSError, ValueError, RecursionError):
        return None


def entry_of(folder: Path, kind: str) -> Path:
    """Return the file of the registry for a path."""
    place = os.path.normcase(os.path.realpath(folder))
    name = hashlib.sha256(kind.encode() + b"\0" + os.fsencode(place)).hexdigest()[:40]
    return registry() / f"{name}.json"


def _keyed(key: bytes, kind: str, word: str) -> str:
    text = f"agtrace {kind} {word}".encode("utf-8", "replace")
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def _read(entry: Path) -> bytes | None:
    """Read the key of a path; None if it is missing or damaged."""
    try:
        key = bytes.fromhex(json.loads(read_text(entry, MAX_MARKER_BYTES))["key"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return key if len(key) == KEY_BYTES else None


def _make(entry: Path, folder: Path, kind: str) -> bytes | None:
    entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    told = {"path": os.path.realpath(folder), "kind": kind, "key": secrets.token_hex(KEY_BYTES)}
    temporary = entry.with_name(f"{entry.name}.{secrets.token_hex(6)}{TEMPORARY}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(told, file)
            file.flush()
            os.fsync(file.fileno())
        # Of several that mark a place first one makes its key, whole, and all of them use that one.
        _place(temporary, entry)
    finally:
        moving.remove(temporary)
    _forget_oldest(entry.parent)
    return _read(entry)


def _place(temporary: Path, entry: Path) -> None:
    try:
        os.link(temporary, entry)
    except FileExistsError:
        if _read(entry) is None:
            # Damaged: stores signed with the old key are no longer valid, and their captures are read again.
            moving.replace(temporary, entry)
    except OSError:
        # File systems without hard links.
        if _read(entry) is None:
            moving.replace(temporary, entry)


def _used(entry: Path) -> None:
    with contextlib.suppress(OSError):
        if abs(time.time() - entry.stat().st_mtime) > USED_S:
            os.utime(entry)


def _forget_oldest(folder: Path) -> None:
    with contextlib.suppress(OSError):
        with os.scandir(folder) as listed:
            entries = [each.path for each in listed if each.name.endswith(".json")]
        if len(entries) <= MOST_PLACES:
            return
        entries.sort(key=lambda path: Path(path).stat().st_mtime)
        for path in entries[: len(entries) - MOST_PLACES * 9 // 10]:
            Path(path).unlink(missing_ok=True)
            Path(path).with_suffix(SEEN).unlink(missing_ok=True)
