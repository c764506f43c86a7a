"""Two cases side by side: before and after a change, or this customer against that one."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace.comparing.comparison import Comparison
from agtrace.comparing.sides import Side, paired

if TYPE_CHECKING:
    from agtrace.case import Case

__all__ = ["Comparison", "compare"]


def compare(
    before: str | Path | Case,
    after: str | Path | Case,
    *,
    hosts: Mapping[str, str] | None = None,
    names: tuple[str, str] | None = None,
    store: str | Path | None = None,
    **opening: Any,
) -> Comparison:
    """Compare two cases: findings that came and went, streams, what hosts did, waits, settings, failovers.

    Parameters
    ----------
    before, after
        Folders of captures, or opened cases, which stay open.
    hosts
        Which host of the first case is which of the second, where their names differ. What is left is
        found by name, else by its role where that leaves one on each side.
    names
        What the two cases are called; by default their folders.
    store
        Folder in which both stores lie, ``before`` and ``after``; default as of `agtrace.open_case`.
    opening
        What else there is of `agtrace.open_cases`, for both.

    Returns
    -------
    Comparison
        Shown, it tells what differs; ``findings``, ``numbers``, ``settings``, ... have it in rows.

    Raises
    ------
    CaseError
        As `agtrace.open_case`, or ``hosts`` names one that a case does not have.
    AgtraceError
        Nothing in one of the folders could be read.

    Examples
    --------
    >>> fixed = agtrace.sample("log_send_queue_fixed")
    >>> found = agtrace.compare(fixed / "before", fixed / "after")
    >>> [row.after for row in found.differences("settings")]
    ['normal', 'normal']
    """
    from agtrace.case import Case
    from agtrace.opening import nothing_usable, open_cases

    called = names or _names(before, after)
    if called[0] == called[1]:
        called = (f"{called[0]} (before)", f"{called[1]} (after)")
    given = {"before": before, "after": after}
    folders = {name: each for name, each in given.items() if not isinstance(each, Case)}
    with contextlib.ExitStack() as opened:
        read = opened.enter_context(open_cases(folders, store, **opening)) if folders else {}
        sides = []
        for (place, each), name in zip(given.items(), called, strict=True):
            case = each if isinstance(each, Case) else read[place]
            if case is not each and case.ingested and not case.ingested.usable:
                raise nothing_usable(case.folder)
            sides.append(Side.of(case, name))
        return Comparison.of(sides[0], sides[1], paired(sides[0], sides[1], hosts))


def _names(before: Any, after: Any) -> tuple[str, str]:
    """Call both as their folders are; those of one name with the folder that they lie in."""
    folders = [Path(getattr(each, "folder", each)).absolute() for each in (before, after)]
    if folders[0].name == folders[1].name and folders[0] != folders[1]:
        return tuple(f"{folder.parent.name}/{folder.name}" for folder in folders)  # type: ignore[return-value]
    return folders[0].name, folders[1].name
