"""Cases without names: a store that stands in place of the captures, of which none is there."""

from __future__ import annotations

import os
from pathlib import Path

from agtrace.errors import CaseError
from agtrace.ingest.walk import walk
from agtrace.printable import printable
from agtrace.storage import url_of
from agtrace.store.layout import REDACTED_NAME, REDACTION, Store
from agtrace.store.place import is_trusted

README = "README.txt"
"""What `agtrace.redact` lays beside the store, for who opens the folder."""


def redacted_store(case: Path, *, trust: bool = False) -> Store | None:
    """Return the store of a case made by `agtrace.redact`; None for a folder of captures.

    Parameters
    ----------
    case
        The folder.
    trust
        Believe the store whoever made it; it is this user's from then on.

    Raises
    ------
    CaseError
        Captures lie beside it, or somebody else made it and nobody said that it is to be believed.
    """
    kept = Store(case / REDACTED_NAME)
    if url_of(case) or not os.path.lexists(kept.root / REDACTION):
        return None
    beside = [path for path in walk(case).files if path != case / README]
    if not is_trusted(kept, trust=trust):
        if beside:
            # A stranger's word hides no capture.
            return None
        raise CaseError(
            f"{case}: a redacted case that was made elsewhere, or moved",
            "believe what it holds with --trust-store, to be said once",
        )
    if not kept.redaction():
        return None
    if beside:
        name = printable(beside[0].relative_to(case).as_posix())
        raise CaseError(
            f"{case}: a redacted case, and {name} lies in it", "put captures into a folder of their own"
        )
    return kept
