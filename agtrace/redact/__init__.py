"""Redaction: the facts of a case with every name, address, path and id replaced, for sharing.

The kind of each column is declared in `agtrace.tables`. In texts, the words of SQL Server, Windows and
agtrace stay, and all others are replaced or dropped. Files are never copied: each value passes through here.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from agtrace.errors import CaseError
from agtrace.ingest.redacted import README, redacted_store
from agtrace.ingest.remote import case_folder
from agtrace.opening import open_case, settings_of
from agtrace.redact.dictionary import Dictionary
from agtrace.redact.fields import Fields
from agtrace.redact.gather import gather
from agtrace.redact.readme import readme
from agtrace.redact.secret import Secret, default_path, held, read
from agtrace.redact.settings import write_settings
from agtrace.redact.span import Span
from agtrace.redact.stored import Rewriter
from agtrace.redact.text import Texts
from agtrace.store import Store, open_store
from agtrace.store.layout import REDACTED_NAME, REDACTION

__all__ = ["Redacted", "is_redacted", "redact", "redacted_case", "secret_of"]

SETTINGS = ("agtrace.toml", "hosts.toml", "runs.toml")
CASE = "CASE"


@dataclass(frozen=True)
class Redacted:
    """The result of a redaction.

    Parameters
    ----------
    folder
        The case without names: every command reads it.
    secret
        File with the secret and the map; anyone who has it can undo everything.
    replaced
        Number of different names, words and addresses replaced so far.
    dropped
        Number of values dropped because their content is unknown, by kind.
    names
        Number of names of the case that were replaced, by kind.
    examples
        Log lines before and after, to review before the case is sent: they contain names.
    """

    folder: Path
    secret: Path
    replaced: int
    dropped: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[str, str]] = field(default_factory=list)


def is_redacted(case: str | Path, *, trust_store: bool = False) -> bool:
    """Return whether a folder is a case without names, written by `redact`."""
    return redacted_store(case_folder(case), trust=trust_store) is not None


def secret_of(case: str | Path, store: str | Path | None = None, secret: str | Path | None = None) -> Secret:
    """Read the secret of a case, which reverses its pseudonyms.

    Raises
    ------
    AgtraceError
        The case has no secret.
    """
    return read(Path(secret) if secret else default_path(open_store(case_folder(case), store).root))


def redact(
    case: str | Path,
    out: str | Path,
    *,
    store: str | Path | None = None,
    secret: str | Path | None = None,
    case_settings: bool = True,
    trust_store: bool = False,
    around: datetime | None = None,
    minutes: float = 15.0,
) -> Redacted:
    """Write the facts of an ingested case, without names, into a folder.

    Parameters
    ----------
    case
        Folder of captures, ingested before.
    out
        The folder: empty, or with an earlier redaction, which is replaced.
    store, case_settings, trust_store
        As in `agtrace.open_case`.
    secret
        File with the secret and the map; by default one per case in this user's data folder.
    around, minutes
        Include only data within this many minutes before and after a moment (UTC without a zone), and data
        without a time: the smallest case that shows a wrong or missing finding.

    Raises
    ------
    CaseError
        ``out`` contains something else or is inside the case, or the case is already redacted.
    AgtraceError
        The secret cannot be read or written.
    StoreError
        The store cannot be created or written.
    """
    folder, target = case_folder(case), Path(out)
    if is_redacted(folder, trust_store=trust_store):
        raise CaseError(f"{folder}: redacted already", "hand it out as it is")
    source = open_store(folder, store, trust=trust_store)
    path = Path(secret) if secret else default_path(source.root)
    _check_place(folder, target, path)
    with held(path) as kept:
        pseudonyms = kept.pseudonyms()
        fields = Fields(Texts(Dictionary(pseudonyms)))
        with open_case(
            folder, store, ingest=False, case_settings=case_settings, trust_store=trust_store
        ) as opened:
            gather(opened.view, fields.texts.names)
            span = None if around is None else Span.around(opened, around, minutes)
        made = _emptied(target)
        with made.lock() as lock:
            rewriter = Rewriter(fields, source, made, span)
            rewriter.store(lock)
            if case_settings:
                write_settings(target, settings_of(folder), fields)
            # The names are kept before the store is marked as redacted, so that they can always be restored.
            kept.keep(pseudonyms)
            made.write_redaction(rewriter.dropped)
    done = Redacted(
        target, path, len(kept.originals), rewriter.dropped, fields.texts.names.counts(), rewriter.examples
    )
    (target / README).write_text(readme(done.names, done.dropped), encoding="utf-8", newline="\n")
    return done


@contextlib.contextmanager
def redacted_case(
    case: str | Path,
    *,
    store: str | Path | None = None,
    secret: str | Path | None = None,
    case_settings: bool = True,
    trust_store: bool = False,
) -> Iterator[tuple[Path, Redacted | None]]:
    """Yield a temporary case without names; an already redacted case is yielded unchanged.

    Parameters
    ----------
    case, store, secret, case_settings, trust_store
        As in `redact`.
    """
    folder = case_folder(case)
    if is_redacted(folder, trust_store=trust_store):
        yield folder, None
        return
    path = Path(secret) if secret else default_path(open_store(folder, store, trust=trust_store).root)
    with held(path) as kept:
        pass
    name = f"{CASE}-{kept.pseudonyms().mark(folder.resolve().name)}"
    with tempfile.TemporaryDirectory(prefix="agtrace-redacted-") as temporary:
        made = redact(
            folder,
            Path(temporary) / name,
            store=store,
            secret=kept.path,
            case_settings=case_settings,
            trust_store=trust_store,
        )
        yield made.folder, made


def _check_place(case: Path, out: Path, secret: Path) -> None:
    inside, target = case.resolve(), out.resolve()
    if target == inside or inside in target.parents:
        raise CaseError(f"{out}: lies in the case", "name a folder outside of it with -o")
    if target in secret.resolve().parents:
        raise CaseError(f"{secret}: lies in what is to be handed out", "keep the secret elsewhere")
    if out.exists() and not out.is_dir():
        raise CaseError(f"{out}: not a folder", "name another one with -o")
    if out.is_dir() and any(out.iterdir()) and not _is_earlier(out):
        raise CaseError(f"{out}: holds something else", "name a folder that is empty, or not there yet")


def _is_earlier(out: Path) -> bool:
    """Return whether a folder contains only an earlier redaction of this user."""
    kept = Store(out / REDACTED_NAME)
    names = {path.name for path in out.iterdir()}
    return (
        names <= {REDACTED_NAME, "agtrace-report", README, *SETTINGS}
        and kept.is_ours()
        and (kept.root / REDACTION).is_file()
    )


def _emptied(out: Path) -> Store:
    """Make the store in which the facts go; those of an earlier time are removed."""
    shutil.rmtree(out / REDACTED_NAME, ignore_errors=True)
    for name in (README, *SETTINGS):
        (out / name).unlink(missing_ok=True)
    made = Store(out / REDACTED_NAME)
    made.create()
    return made
