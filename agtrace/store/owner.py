"""Which folders in a case are ours: their marker carries proof of a secret that only this user has.

A case comes from strangers, and a store or report in it may have been made to mislead. The secret
lies in the user's data folder, readable by nobody else; a marker holds a random word and its keyed
hash, so that no marker tells the secret, and none can be made without it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import stat
from functools import cache
from pathlib import Path
from typing import Any

import platformdirs

from agtrace.store.files import MAX_MARKER_BYTES, read_text

STORE_MARKER = ".agtrace-store"
REPORT_MARKER = ".agtrace-report"
SECRET_BYTES = 32


def secret_path() -> Path:
    """Give the place of this user's secret."""
    return platformdirs.user_data_path("agtrace") / "secret"


def has_secret() -> bool:
    """Tell whether there is a secret, or one can be made."""
    return _secret(str(secret_path())) is not None


def proof(kind: str) -> dict[str, str]:
    """Give what a marker must hold for its folder to be recognised; nothing where there is no secret.

    Parameters
    ----------
    kind
        ``store``, ``report`` or ``export``: a marker of one kind proves nothing for another.
    """
    secret = _secret(str(secret_path()))
    if secret is None:
        return {}
    word = secrets.token_hex(16)
    return {"word": word, "proof": _keyed(secret, kind, word)}


def proves(marker: Any, kind: str) -> bool:
    """Tell whether the content of a marker was written by this user."""
    secret = _secret(str(secret_path()))
    if secret is None or not isinstance(marker, dict):
        return False
    word, given = marker.get("word"), marker.get("proof")
    if not isinstance(word, str) or not isinstance(given, str):
        return False
    expected = _keyed(secret, kind, word)
    return hmac.compare_digest(expected.encode(), given.encode("utf-8", "replace"))


def is_own(folder: Path, kind: str) -> bool:
    """Tell whether a folder bears a marker of this user's, of the kind ``store``, ``report`` or ``export``."""
    marker = folder / (STORE_MARKER if kind == "store" else REPORT_MARKER)
    return os.path.lexists(marker) and proves(read_marker(marker), kind)


def read_marker(path: Path) -> Any:
    """Read a marker; None when there is none, or none that can be read."""
    try:
        return json.loads(read_text(path, MAX_MARKER_BYTES))
    except (OSError, ValueError, RecursionError):
        return None


def _keyed(secret: bytes, kind: str, word: str) -> str:
    text = f"agtrace {kind} {word}".encode("utf-8", "replace")
    return hmac.new(secret, text, hashlib.sha256).hexdigest()


@cache
def _secret(place: str) -> bytes | None:
    """Read the secret, or make it; None when neither can be done."""
    path = Path(place)
    try:
        return _read(path) or _make(path)
    except OSError:
        return None


def _read(path: Path) -> bytes | None:
    try:
        secret = bytes.fromhex(read_text(path, MAX_MARKER_BYTES).strip())
        status = path.lstat()
    except (FileNotFoundError, ValueError):
        return None
    if len(secret) < SECRET_BYTES:
        return None
    if (
        os.name == "posix"
        and status.st_uid == os.geteuid()
        and stat.S_IMODE(status.st_mode) & 0o077
    ):
        path.chmod(0o600)
    return secret


def _make(path: Path) -> bytes | None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(6)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(SECRET_BYTES) + "\n")
            file.flush()
            os.fsync(file.fileno())
        # Of several first starts one makes the secret, whole, and all of them use that one.
        _place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    return _read(path)


def _place(temporary: Path, path: Path) -> None:
    try:
        os.link(temporary, path)
    except FileExistsError:
        if _read(path) is None:
            # Damaged: what it had proven is lost, and is read anew.
            temporary.replace(path)
    except OSError:
        # File systems without hard links.
        if _read(path) is None:
            temporary.replace(path)
