"""Cases without names: a store that stands in place of the captures, of which none is there."""

from __future__ import annotations

import os
from pathlib import Path

from agtrace.errors import CaseError
from agtrace.ingest.walk import walk
from agtrace.printable import printable
from agtrace.storage import url_of
from agtrace.store.layout import DEFAULT_NAME, REDACTION, Store
from agtrace.store.place import is_trusted


def redacted_store(case: Path, store: str | Path | None = None, *, trust: bool = False) -> Store | None:
    """Give the store of a case that `agtrace.redact` made; None of a folder of captures.

    Parameters
    ----------
    case
        The folder.
    store
        A store that the user named: then the folder is one of captures.
    trust
        Believe the store whoever made it; it is this user's from then on.

    Raises
    ------
    CaseError
        Captures lie beside it, or somebody else made it and nobody said that it is to be believed.
    """
    kept = Store(case / DEFAULT_NAME)
    if store is not None or url_of(case) or not os.path.lexists(kept.root / REDACTION):
        return None
    beside = walk(case)
    if not is_trusted(kept, trust=trust):
        if beside.files:
            # A stranger's word hides no capture.
            return None
        raise CaseError(
            f"{case}: a redacted case that was made elsewhere, or moved",
            "believe what it holds with --trust-store, to be said once",
        )
    if not kept.redaction():
        return None
    if beside.files:
        name = printable(beside.files[0].relative_to(case).as_posix())
        raise CaseError(
            f"{case}: a redacted case, and {name} lies in it", "put captures into a folder of their own"
        )
    return kept
