"""Redaction: the facts of a case with every name, address, path and id replaced, to be handed out.

What a column holds is declared with it (`agtrace.tables`); of a text every word stays that is the product's
or agtrace's own, and every other one is replaced or dropped. Nothing is copied: each value passes through
here.
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
    """What became of a case.

    Parameters
    ----------
    folder
        The case without names: every verb reads it.
    secret
        File with the secret and the map; whoever has it can undo everything.
    replaced
        How many different names, words and addresses have been replaced so far.
    dropped
        What was dropped because nobody can say what it tells, by kind.
    names
        How many names of the case were replaced, by kind.
    examples
        Lines of logs before and after, to be looked at before the case is sent: they hold names.
    """

    folder: Path
    secret: Path
    replaced: int
    dropped: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    examples: list[tuple[str, str]] = field(default_factory=list)


def is_redacted(case: str | Path, *, trust_store: bool = False) -> bool:
    """Return whether a folder is a case without names that `redact` made."""
    return redacted_store(case_folder(case), trust=trust_store) is not None


def secret_of(case: str | Path, store: str | Path | None = None, secret: str | Path | None = None) -> Secret:
    """Read the secret of a case, by which its pseudonyms are undone.

    Raises
    ------
    AgtraceError
        There is none.
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
    """Write the facts of a case that has been ingested, without names, into a folder of their own.

    Parameters
    ----------
    case
        Folder of captures, ingested before.
    out
        The folder; empty, or of an earlier redaction, which is replaced.
    store, case_settings, trust_store
        As in `agtrace.open_case`.
    secret
        File with the secret and the map; default one for each case in the data folder of this user.
    around, minutes
        Hand out only what was logged so many minutes before and after a moment (UTC where it names no zone),
        and what has no time: the smallest case that shows a wrong or a missing finding.

    Raises
    ------
    CaseError
        ``out`` holds something else or lies in the case, or the case is redacted already.
    AgtraceError
        The secret cannot be read or written.
    StoreError
        The store cannot be made or written.
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
            # Before the store says that it is one without names, it can be told again what they were.
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
    """Return a case without names for as long as it is asked; one that is redacted already is given as it is.

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
    """Return whether a folder holds an earlier redaction of this user and nothing else."""
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
