"""Every exception that agtrace raises on purpose.

Messages are one line: what is wrong, where, and what to do. The command line prints them as they
are; a traceback that reaches a user is a defect.
"""

from __future__ import annotations

import errno

MORE_FILES = "allow this process more of them (ulimit -n 4096), or work with fewer at once (--jobs 1)"
"""Hint for the error that no more files can be opened."""
CLOSE_IT = "close it there (a spreadsheet, a viewer, another agtrace)"
"""Hint for the Windows error that a file is open elsewhere."""
SHORTER = "use a shorter place (--store, --out), or let Windows take longer ones (LongPathsEnabled)"
"""Hint for a path that is too long for Windows."""
RESAVED = "saved again by a spreadsheet"
"""Start of the fault message for a log whose times another program shortened."""
_TOO_LONG = 206
FULL_TEXTS = (
    "No space left",
    "Disk quota exceeded",
    "the disk is full",
    # DuckDB fills most of a disk, and no more.
    "max_temp_directory_size",
    "No usable temporary directory",
)


class AgtraceError(Exception):
    """Root of all errors that agtrace raises on purpose.

    Parameters
    ----------
    message
        What is wrong and where.
    hint
        What the user can do about it; appended after a dash.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message} - {hint}" if hint else message)


class NotRegularError(OSError):
    """An input is a folder, pipe, socket, device or link in place of a regular file."""


class CaptureError(AgtraceError, ValueError):
    """A capture cannot be read, or not to its end; with the position, and the expected and actual value.

    Parameters
    ----------
    path
        The capture as the user knows it.
    what
        The part that was being read, in the format's terms.
    offset
        Byte offset in the file on disk, if known.
    need, have
        The value that the format requires there, and the value found.
    hint
        Advice to the user.
    """

    def __init__(
        self,
        path: str,
        what: str,
        *,
        offset: int | None = None,
        need: object = None,
        have: object = None,
        hint: str | None = None,
    ) -> None:
        self.path = path
        self.offset = offset
        self.what = what
        self.need = need
        self.have = have
        text = f"{path}: {what}"
        if offset is not None:
            text += f" at offset {offset}"
        if need is not None or have is not None:
            text += f" (need {need}, have {have})"
        super().__init__(text, hint)

    def __reduce__(self) -> tuple[object, ...]:
        # Captures are decoded in worker processes: keyword-only fields must survive the way back.
        fields = (self.path, self.what, self.offset, self.need, self.have, self.hint)
        return (_capture_error, fields)


def _capture_error(
    path: str, what: str, offset: int | None, need: object, have: object, hint: str | None
) -> CaptureError:
    return CaptureError(path, what, offset=offset, need=need, have=have, hint=hint)


class MissingExtraError(AgtraceError, ImportError):
    """A feature needs an extra of agtrace that is not installed.

    Parameters
    ----------
    what
        The feature, as the user knows it.
    extra
        Name of the extra.
    """

    def __init__(self, what: str, extra: str) -> None:
        self.what = what
        self.extra = extra
        super().__init__(f"{what} needs the {extra} extra: pip install 'agtrace[{extra}]'")

    def __reduce__(self) -> tuple[object, ...]:
        return MissingExtraError, (self.what, self.extra)


class CaseError(AgtraceError):
    """The case folder, or an argument or a question about it, is invalid."""


class StoreError(AgtraceError):
    """The store cannot be written or opened: locked, full, read-only or of a newer version."""


class LockedError(StoreError):
    """Another process writes the store."""


class RelationError(AgtraceError):
    """One relation cannot be computed; only what depends on it fails.

    Parameters
    ----------
    relation
        Its name.
    cause
        The original error; it becomes ``__cause__``.
    """

    def __init__(self, relation: str, cause: Exception) -> None:
        self.relation = relation
        self.__cause__ = cause
        super().__init__(f"the relation {relation} cannot be computed: {in_one_line(cause)}")

    def __reduce__(self) -> tuple[object, ...]:
        return RelationError, (self.relation, self.__cause__)


class StorageError(StoreError):
    """A URL cannot be read or written at the moment."""


class EngineError(AgtraceError):
    """No worker is available: the cluster is gone or has no workers left."""


class NotebookError(AgtraceError):
    """A notebook of the report failed; the other pages are still written."""


def is_exhausted(error: Exception) -> bool:
    """Return whether the system had no file handles left; the state of the file itself is then unknown."""
    return (
        isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)
    ) or "Too many open files" in str(error)


def is_full(error: BaseException) -> bool:
    """Return whether the disk was full, or the user's share of it."""
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return True
    # Arrow, DuckDB and kernels hand on the text of the system's error instead of its number.
    return any(text in str(error) for text in FULL_TEXTS)


def in_one_line(error: Exception) -> str:
    """Return any error in one line: what is wrong, where, and what to do."""
    if isinstance(error, AgtraceError):
        return str(error)
    if isinstance(error, OSError):
        return _of_the_system(error)
    if isinstance(error, MemoryError):
        return "out of memory - close other programs, or give less: --counters, fewer files, --jobs 1"
    text = " ".join(str(error).split())
    return (
        f"internal error: {type(error).__name__}: {text} - this is a defect of agtrace; "
        "please report it with what 'agtrace --verbose' prints"
    )


def is_in_use(error: BaseException) -> bool:
    """Return whether Windows blocks a file that another program has opened."""
    return isinstance(error, OSError) and getattr(error, "winerror", None) in (32, 33)


def is_too_long(error: BaseException) -> bool:
    """Return whether a path has more characters than Windows allows."""
    return isinstance(error, OSError) and getattr(error, "winerror", None) == _TOO_LONG


def _of_the_system(error: OSError) -> str:
    text = " ".join((error.strerror or str(error)).split())
    # The error of a move has both paths: users know the destination.
    place = error.filename2 or error.filename
    where = f"{place}: " if place else ""
    if is_full(error):
        return f"{where}the disk is full - free some space, or write elsewhere"
    if is_exhausted(error):
        return f"{where}too many files are open - {MORE_FILES}"
    if is_in_use(error):
        return f"{where}open in another program - {CLOSE_IT}"
    if is_too_long(error):
        return f"{where}too long a path for Windows - {SHORTER}"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{where}{text} - check the permissions"
    return f"{where}{text}"
