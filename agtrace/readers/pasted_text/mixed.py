"""Whether a short log is only a part of its file: then all parts are read as those of a pasted text."""

from __future__ import annotations

from agtrace.readers.pasted_text.entries import CLUSTER_LOG, ERRORLOG, has_entries, lines_of, log_in
from agtrace.readers.query_results.layouts import find
from agtrace.readers.query_results.reader import is_wanted

_LOGS = {"errorlog": ERRORLOG, "cluster_log": CLUSTER_LOG}


def is_wrapped(text: str) -> bool:
    """Return whether lines of an ERRORLOG were broken, as mails and forums break them."""
    return log_in(lines_of(text), ERRORLOG).breaks > 0


def has_other_content(text: str, log: str) -> bool:
    """Return whether a log has entries of another log, or tables, beside it.

    Parameters
    ----------
    text
        The whole file.
    log
        ``errorlog`` or ``cluster_log``.
    """
    others = (pattern for name, pattern in _LOGS.items() if name != log)
    if any(has_entries(text, pattern) for pattern in others):
        return True
    return next(find.tables(text, is_wanted), None) is not None
