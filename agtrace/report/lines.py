"""Log entries around every mark of the timeline, small enough to embed in each page."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agtrace import strict_json
from agtrace.history.entries import LOGS, Clocks, events
from agtrace.moments import microseconds, utc
from agtrace.say.error_texts import meanings
from agtrace.say.words import plain
from agtrace.store.quoting import identifier
from agtrace.store.sql_files import beside

if TYPE_CHECKING:
    from agtrace.store import CaseView

AROUND = (50, 20, 8, 3)
"""Entries of each host before and after a moment: the first number around the moments of the headline, and
around the others the highest number that fits."""
MOST_BYTES = 230_000
"""Largest packed text in a page, as base64."""
MOST_LINES = 8_000
STEP_US = 600_000_000
"""Entries are sorted within intervals of this length; between moments only their number is needed."""
LONGEST = 300
"""Longest text of an entry, in characters; ``agtrace around`` shows all."""
MOST_A_SECOND = 1.0
"""Extended Events more frequent than this, on average, are measurements rather than log entries."""

_sql = beside(__file__)


def lines(view: CaseView, hosts: Sequence[str], moments: Sequence[datetime], first: int) -> str:
    """Return the entries around moments in the page's form, by the reference clock.

    Parameters
    ----------
    hosts
        The hosts whose entries are returned.
    moments
        All marked moments (UTC).
    first
        Number of moments, from the start, that belong to the headline's incident.

    Returns
    -------
    str
        JSON, compressed by zlib, as base64: columns ``t`` (microseconds since 1970, each less the previous
        one), ``o`` (microseconds that the host's own time is ahead; null if unknown), ``h`` (index of the
        host), ``f`` and ``s`` (indexes in ``files`` and ``sources``), ``n`` (line), ``p`` (index among all
        entries of its host), ``x`` (text), ``e`` (position in ``meanings`` of the errors it names, from 1; 0
        without any). "" if there are no entries.
    """
    if not moments or not hosts:
        return ""
    queries = events(view)
    ordinary = [LOGS, *(query for name, query in queries.items() if _is_read(view, name))]
    near = _sql("lines.sql").replace("/* ordinary */", " UNION ALL ".join(ordinary))
    given = {
        "moments": list(moments),
        "headline": [n < first for n in range(len(moments))],
        "hosts": list(hosts),
    }
    view.run(near, given | {"around": AROUND[0], "step_us": STEP_US})
    found = _fitting(view, [LOGS, *queries.values()], hosts)
    view.run("drop table scratch.lines_near")
    return found


def _fitting(view: CaseView, entries: Sequence[str], hosts: Sequence[str]) -> str:
    """Return as many entries around moments as fit; each text is read once."""
    counts = view.rows("select apart, count(*) as n from scratch.lines_near group by apart")
    texts = f"WITH entries AS ({' UNION ALL '.join(entries)}) {_sql('line_texts.sql')}"
    clocks, rows = Clocks(view), None
    for around in AROUND:
        if sum(row["n"] for row in counts if row["apart"] <= around) > MOST_LINES and around != AROUND[-1]:
            continue
        if rows is None:
            rows = view.rows(texts, {"around": around, "most": MOST_LINES, "longest": LONGEST + 1})
        chosen = [row for row in rows if row["apart"] <= around]
        packed = zlib.compress(_columns(chosen, hosts, clocks).encode(), 9) if chosen else b""
        found = base64.b64encode(packed).decode()
        if len(found) <= MOST_BYTES:
            return found
    return ""


def _is_read(view: CaseView, name: str) -> bool:
    (row,) = view.rows(
        f"SELECT count(*) AS n, epoch(max(_time)) - epoch(min(_time)) AS seconds FROM {identifier(name)}"
    )
    return bool(row["n"] <= 1000 + MOST_A_SECOND * (row["seconds"] or 0))


def _columns(rows: Sequence[dict[str, Any]], hosts: Sequence[str], clocks: Clocks) -> str:
    place = {host: n for n, host in enumerate(hosts)}
    files: dict[str, int] = {}
    sources: dict[str, int] = {}
    meant: dict[str, int] = {"": 0}
    before = 0
    told: dict[str, list[Any]] = {name: [] for name in "tohfsnpxe"}
    for row in rows:
        time, own = utc(row["time"]), row["time_local"] or clocks.local(row["host_id"], row["written"])
        text = row["text"] or ""
        told["t"].append(microseconds(time) - before)
        before = microseconds(time)
        told["o"].append(own and microseconds(own) - microseconds(time))
        told["h"].append(place[row["host_id"]])
        told["f"].append(files.setdefault(plain(row["file"] or "", LONGEST), len(files)))
        told["s"].append(sources.setdefault(row["source"], len(sources)))
        told["n"].append(row["line"])
        told["p"].append(row["place"])
        told["x"].append(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
        told["e"].append(meant.setdefault(meanings(text), len(meant)))
    names = {"files": list(files), "sources": [plain(each, 80) for each in sources]}
    return strict_json.dumps(
        {**names, "meanings": list(meant)[1:], **told}, ensure_ascii=False, separators=(",", ":")
    )
