"""Wait types that explain a commit, the redo or a reader of a group: what each means, once.

They stand beside this module in ``wait_types.tsv``: type, what it explains (commit, redo, read), the cause
that it speaks for, and its meaning. Sources: "sys.dm_os_wait_stats (Transact-SQL)" and "Troubleshoot REDO
queue build-up (data latency issues) on AG readable secondary replicas" of Microsoft's documentation.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple


class WaitType(NamedTuple):
    """A wait type, what it explains, and the cause that it speaks for."""

    name: str
    explains: str
    cause: str
    meaning: str


@cache
def wait_types() -> tuple[WaitType, ...]:
    """Return every wait type known to explain something about a group."""
    text = resources.files("agtrace.tables").joinpath("wait_types.tsv").read_text(encoding="utf-8")
    return tuple(WaitType(*line.split("\t")) for line in text.splitlines()[1:])


def that_explain(what: str) -> dict[str, list[str]]:
    """Return the parameters of a query for the waits that explain a thing.

    Parameters
    ----------
    what
        commit, redo or read.

    Returns
    -------
    dict
        ``types`` and the ``causes`` that they speak for, in the same order.
    """
    known = [each for each in wait_types() if each.explains == what]
    return {"types": [each.name for each in known], "causes": [each.cause for each in known]}
