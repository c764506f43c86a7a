"""The path of the store of a case, and the check of its owner."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from pathlib import Path

import platformdirs

from agtrace.bundled import is_installed_sample
from agtrace.errors import StoreError
from agtrace.storage import is_url
from agtrace.store import long_paths, owner, parquet
from agtrace.store.files import is_folder
from agtrace.store.layout import DEFAULT_NAME, REDACTED_NAME, REDACTION, Store

STRANGE = "made by another user, on another machine, at another place or by an older agtrace"
"""Description of a store or report whose marker is not valid."""
LONGEST_NAME = 60
"""Characters of a case's name in that of its store in the cache; four bytes each at most."""

_UNFIT = re.compile(r"[^\w.-]")


def store_at(place: str | Path) -> Store:
    """Return the store at a path or URL, without creating it (see `Store.create`)."""
    if is_url(place):
        # Import the code for storage services only if needed.
        from agtrace.store.remote import RemoteStore

        return RemoteStore(str(place))
    return Store(Path(place))


def open_store(case: Path, store: str | Path | None = None, *, trust: bool = False) -> Store:
    """Find or create the store of a case.

    The default is ``CASE/.agtrace``. It is in the user's cache folder instead if the case is read-only, is a
    sample inside the installed package, has too long a path for Windows, or already contains another user's
    store. A store that came with the captures is neither opened nor changed. A store that the user names is
    trusted.

    Parameters
    ----------
    case
        Folder of captures.
    store
        The store that the user named.
    trust
        Use the store in the case even if another user or machine made it; if it is writable, it belongs to
        this user from then on.

    Raises
    ------
    StoreError
        The store cannot be created.
    """
    chosen = Store(place_in(case))
    is_redacted = chosen.root.name == REDACTED_NAME and is_trusted(chosen, trust=trust)
    if store is not None and not is_redacted:
        chosen = store_at(store)
    else:
        there = os.path.lexists(chosen.root)
        is_ours = is_trusted(chosen, trust=trust) and not is_installed_sample(case)
        # A case that is an archive cannot contain a store.
        writable = case.is_dir() and os.access(case, os.W_OK)
        is_fit = parquet.can_be_named(chosen.root) and long_paths.fits(chosen.root)
        if not (is_ours and (there or writable) and is_fit):
            chosen = Store(_cached(case))
    chosen.create()
    return chosen


def place_in(case: Path) -> Path:
    """Return the path of the store in a case, whether or not it exists."""
    visible = case / REDACTED_NAME
    return visible if os.path.lexists(visible / REDACTION) else case / DEFAULT_NAME


def _cached(case: Path) -> Path:
    """Return the place of a case's store in the user's cache folder."""
    place = os.fsencode(case.resolve())
    digest = hashlib.sha256(place).hexdigest()[:16]
    name = _UNFIT.sub("_", case.resolve().name)[:LONGEST_NAME]
    cache = platformdirs.user_cache_path("agtrace")
    told = cache / f"{name}-{digest}"
    return told if long_paths.fits(told) else cache / digest


def is_trusted(store: Store, *, trust: bool) -> bool:
    """Return whether a store belongs to this user at this path, or is taken over because ``trust`` is set."""
    if owner.has_registry() and store.is_ours():
        return True
    if not trust or not all(map(is_folder, (store.root, store.parts, store.commits))):
        return False
    if owner.has_registry():
        # A read-only store is used as it is.
        with contextlib.suppress(StoreError, OSError):
            store.take_over()
    return True


def set_aside(case: Path, *, trust: bool = False) -> str | None:
    """Explain why ``CASE/.agtrace`` is not the store of the case; None if it is, or is missing."""
    found = place_in(case)
    if not os.path.lexists(found):
        if owner.has_registry():
            return None
        return (
            f"{owner.registry()}: cannot be written, so that no store in a case could be "
            "told from a stranger's; the store lies in the user's cache folder"
        )
    if is_trusted(Store(found), trust=trust):
        return None
    return (
        f"{found}: {STRANGE}; it is left "
        "alone and the captures are read anew, into the user's cache folder - "
        "remove it to keep the store in the case, or use it as it is with --trust-store"
    )
