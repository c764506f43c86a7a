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
    """Compare two cases: new and resolved findings, streams, hosts, waits, settings, failovers.

    Parameters
    ----------
    before, after
        Folders of captures, or opened cases, which stay open.
    hosts
        Hosts of the first case with those of the second, if their names differ. The others are matched by
        name, else by role if that leaves one on each side.
    names
        Names of the two cases; by default those of their folders.
    store
        Folder of both stores, ``before`` and ``after``; default as of `agtrace.open_case`.
    opening
        Further arguments of `agtrace.open_cases`, for both.

    Returns
    -------
    Comparison
        Its display shows the differences; ``findings``, ``numbers``, ``settings``, ... have them as rows.

    Raises
    ------
    CaseError
        As `agtrace.open_case`, or ``hosts`` names one that a case does not have.
    AgtraceError
        No file in one of the folders could be read.

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
    """Return the names of both cases: their folders, with the parent folder if both have the same name."""
    folders = [Path(getattr(each, "folder", each)).absolute() for each in (before, after)]
    if folders[0].name == folders[1].name and folders[0] != folders[1]:
        return tuple(f"{folder.parent.name}/{folder.name}" for folder in folders)  # type: ignore[return-value]
    return folders[0].name, folders[1].name
