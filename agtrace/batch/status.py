"""The page over all cases: most severe finding first, with the disk space of each case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from agtrace import interrupts
from agtrace.batch.places import CaseRecord, Reports
from agtrace.errors import in_one_line
from agtrace.moments import iso
from agtrace.report.folder import INDEX
from agtrace.report.pages import render
from agtrace.say import words
from agtrace.say.finding import SEVERITY_ORDER
from agtrace.store.files import write_atomically
from agtrace.store.parts import storage_error

RANKS = ("critical", "warning", "broken", "notice", "info", "quiet")
"""The order of cases: a broken one is more urgent than one with a notice."""

WAITING_SHOWN = 50


@dataclass(frozen=True)
class _Row:
    """A case as the page shows it."""

    name: str
    link: str
    rank: str
    worst: str
    note: str
    counts: Sequence[int]
    reported: str
    captures: str
    store: str
    more: str


def write_page(reports: Reports, waiting: Mapping[str, str], gone: frozenset[str] = frozenset()) -> None:
    """Write the page.

    Parameters
    ----------
    reports
        The reports, with their lock held.
    waiting
        Why a case has no report of its current contents, by its name or folder.
    gone
        Names of cases whose captures are gone.

    Raises
    ------
    StoreError
        The page cannot be written.
    """
    records = sorted(reports.records().values(), key=_order)
    ranks = Counter(_rank(record) for record in records)
    text = render(
        "cases.html",
        script="cases.js",
        case=words.plain(reports.root.resolve().name),
        made=words.moment(datetime.now(UTC)),
        tally=[(rank, ranks[rank]) for rank in RANKS if ranks[rank]],
        rows=[_shown(record, record.name in gone) for record in records],
        waiting=sorted(waiting.items())[:WAITING_SHOWN],
        waiting_more=max(len(waiting) - WAITING_SHOWN, 0),
        store_total=words.size(sum(record.store_bytes for record in records)),
    )
    try:
        write_atomically(reports.root / INDEX, text, lasting=False)
    except OSError as error:
        raise storage_error(reports.root, error) from error


def _rank(record: CaseRecord) -> str:
    if record.status == "broken":
        return "broken"
    return next((s for s in reversed(SEVERITY_ORDER) if record.findings.get(s)), "quiet")


def _order(record: CaseRecord) -> tuple[object, ...]:
    counts = tuple(-record.findings.get(severity, 0) for severity in reversed(SEVERITY_ORDER))
    return RANKS.index(_rank(record)), counts, record.name


def _shown(record: CaseRecord, is_gone: bool) -> _Row:
    """Return the row of a case, or why it cannot be shown."""
    try:
        return _row(record, is_gone)
    except Exception as error:
        interrupts.raise_again(error)
        link = f"{quote(record.name)}/{INDEX}"
        return _Row(record.name, link, "broken", in_one_line(error), "", [], "", "", "", "")


def _row(record: CaseRecord, is_gone: bool) -> _Row:
    notes = [record.reason] if record.reason and record.status != "broken" else []
    notes += ["its captures are not there any more"] if is_gone else []
    return _Row(
        record.name,
        f"{quote(record.name)}/{INDEX}",
        _rank(record),
        record.reason if record.status == "broken" else record.worst,
        "; ".join(notes),
        [record.findings.get(severity, 0) for severity in reversed(SEVERITY_ORDER)],
        words.moment(iso(record.reported)),
        f"{words.count(record.files, 'file')}, {words.size(record.bytes)}",
        words.size(record.store_bytes) if record.store_bytes else "removed",
        " ".join([record.source, record.status, *record.ids]),
    )
