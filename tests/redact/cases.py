"""Cases with and without their names, side by side."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import agtrace
from agtrace.ingest import ingest
from agtrace.redact import Redacted, redact
from agtrace.redact.secret import Secret, read
from agtrace.say.finding import Finding

SECRET = bytes(range(32))


def redacted(case: Path, folder: Path) -> tuple[Path, Redacted]:
    """Ingest a case and redact it by a secret that is always the same; give its store, and what was made."""
    store, secret = folder / "store", folder / "secret.json"
    ingest(case, store, jobs=1)
    if not secret.exists():
        kept = Secret(secret, SECRET)
        kept.keep(kept.pseudonyms())
    return store, redact(case, folder / "out", store=store, secret=secret)


def findings(case: Path, store: Path | None = None) -> list[Finding]:
    with agtrace.open_case(case, store=store, ingest=False) as opened:
        return opened.findings()


def judged(found: list[Finding]) -> Counter[Any]:
    """Return the parts of findings without names: id, severity, confidence, window, labels, numbers."""
    return Counter(
        (
            each.id,
            each.severity,
            each.confidence,
            str(each.window),
            tuple(sorted((e.unit, e.value) for e in each.evidence if isinstance(e.value, int | float))),
        )
        for each in found
    )


def titles(found: list[Finding], secret: Path | None = None) -> list[str]:
    """Return the titles of findings with pseudonyms replaced by the original names, in any case."""
    back = read(secret).translated if secret else str
    return sorted(back(each.title).casefold() for each in found)
