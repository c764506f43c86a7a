"""Redact the cases of a batch: neither reports nor their paths contain names from the cases."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import platformdirs

from agtrace import interrupts
from agtrace.answer_key import Asked, answer_key
from agtrace.batch.inbox import Seen, named_cases
from agtrace.batch.options import Log, Options
from agtrace.errors import in_one_line
from agtrace.ingest import ingest
from agtrace.opening import nothing_usable, open_case
from agtrace.redact import is_redacted, redact
from agtrace.redact.secret import read_or_make
from agtrace.storage import is_url

SECRET = "secret.json"


def without_names(
    roots: Iterable[str | Path],
    out: str | Path,
    options: Options,
    log: Log,
    *,
    secret: str | Path | None = None,
    themselves: bool = False,
) -> tuple[list[Path], dict[str, str]]:
    """Redact every case of some folders, and return the folders to report instead.

    They are in the user's cache folder, and are redacted again when a case has changed. All cases of a batch
    share one secret, so that they can be compared.

    Parameters
    ----------
    roots, options, log, themselves
        As in `agtrace.batch.batch`.
    out
        Folder of the reports; each has its own redacted copies of the cases.
    secret
        File with the secret and the map; default: one for ``out`` in the user's data folder.

    Returns
    -------
    list of Path
        The redacted cases.
    dict
        Why a case could not be redacted, by its name.

    Raises
    ------
    CaseError
        There is no such folder, or no case in it.
    """
    place = str(out) if is_url(out) else str(Path(out).absolute())
    mark = hashlib.sha256(os.fsencode(place)).hexdigest()[:16]
    cache = platformdirs.user_cache_path("agtrace") / "redacted" / mark
    kept = (
        Path(secret) if secret else platformdirs.user_data_path("agtrace") / "redactions" / f"{mark}-{SECRET}"
    )
    found = named_cases(roots, themselves=themselves, follow_links=options.follow_links)
    pseudonyms = read_or_make(kept).pseudonyms()
    folders, failed = [], {}
    for seen in found.cases.values():
        name = f"CASE-{pseudonyms.mark(seen.source)}"
        try:
            folders.append(_redacted(seen, name, cache, kept, options, log))
        except Exception as error:
            interrupts.raise_again(error)
            failed[name] = in_one_line(error)
            log(f"{name}: not redacted: {failed[name]}")
    return folders, failed


def _redacted(seen: Seen, name: str, cache: Path, secret: Path, options: Options, log: Log) -> Path:
    if is_redacted(seen.path, trust_store=options.trust_store):
        return seen.path
    folder, noted = cache / "cases" / name, cache / f"{name}.json"
    state = answer_key(seen.signature, Asked(options.case_settings, options.follow_links))
    if (
        not options.again
        and noted.is_file()
        and noted.read_text(encoding="utf-8") == state
        and is_redacted(folder)
    ):
        return folder
    noted.unlink(missing_ok=True)
    store = cache / "stores" / name
    ingested = ingest(seen.folder, store, jobs=options.jobs, follow_links=options.follow_links)
    if not ingested.usable:
        raise nothing_usable(name)
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = redact(seen.path, folder, store=store, secret=secret, case_settings=options.case_settings)
    # Store all computed results in it now, so that reporting it does not change it.
    with open_case(folder) as opened:
        opened.findings()
        opened.view.compute_all()
    noted.write_text(state, encoding="utf-8")
    log(f"{name}: redacted, {sum(made.dropped.values()):,} values dropped")
    return folder
