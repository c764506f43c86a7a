"""Recognise storage URLs, and map each to a local folder."""

from __future__ import annotations

import json
import re
from pathlib import Path

from agtrace.errors import CaseError

_URL = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]+)://(?P<rest>[^/].*)", re.DOTALL)
_UNFIT = re.compile(r"[^A-Za-z0-9_.-]")
_TOLD = "url.json"


def is_url(place: object) -> bool:
    """Return whether a place is a storage URL and no path."""
    return isinstance(place, str) and _URL.fullmatch(place) is not None


def file_path(place: object) -> Path | None:
    """Return the path of a ``file://`` URL of this machine; None for any other place."""
    if not isinstance(place, str) or not place.lower().startswith("file://"):
        return None
    # Every command asks about its paths; few are URLs.
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    parts = urlsplit(place)
    host = "" if parts.netloc.lower() == "localhost" else parts.netloc
    return Path(url2pathname(f"//{host}{parts.path}" if host else parts.path))


def joined(url: str, name: str) -> str:
    """Return the URL of a name below another URL."""
    return f"{url.rstrip('/')}/{name}" if name else url.rstrip("/")


def name_in(url: str) -> str:
    """Return the last part of a URL, for display."""
    return url.rstrip("/").rsplit("/", 1)[-1]


def is_plain(name: str) -> bool:
    """Return whether a name below a URL stays inside its folder."""
    unfit = "\\" in name or "\0" in name or ":" in name
    return not unfit and all(part not in ("", ".", "..") for part in name.split("/"))


def stand_in(url: str, kind: str) -> Path:
    """Return the folder in the user's cache that mirrors a URL, creating it if missing.

    Parameters
    ----------
    url
        The URL.
    kind
        Kind of contents: ``case``, ``store`` or ``reports``.

    Raises
    ------
    CaseError
        The folder cannot be created.
    """
    import hashlib

    url = url.rstrip("/")
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    name = _UNFIT.sub("_", name_in(url)).lstrip(".")[:100] or "_"
    folder = _home() / kind / digest / name
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        told = folder.parent / _TOLD
        if not told.is_file():
            told.write_text(json.dumps({"url": url}), encoding="utf-8")
    except OSError as error:
        raise CaseError(
            f"{url}: no folder of this machine can stand for it ({error})",
            "the user's cache folder must be writable",
        ) from error
    return folder


def url_of(folder: Path) -> str | None:
    """Return the URL that a folder mirrors; None if it mirrors none.

    Only folders in the user's own cache mirror URLs; an untrusted folder never does.
    """
    place = folder.absolute()
    if len(place.parents) < 3 or place.parents[2] != _home().absolute():
        return None
    try:
        url = json.loads((place.parent / _TOLD).read_text(encoding="utf-8"))["url"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return url if is_url(url) else None


def _home() -> Path:
    import platformdirs

    return platformdirs.user_cache_path("agtrace") / "urls"
