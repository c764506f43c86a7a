"""The overview of a case: hosts, spans, captures and the worst findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agtrace.say import cards, wording
from agtrace.say.words import count, html, listing, plain
from agtrace.store import CaseView
from agtrace.store.sql_files import beside
from agtrace.tables.frames import frame_of

_sql = beside(__file__)

if TYPE_CHECKING:
    import pandas as pd

    from agtrace.diagnostics import Finding

WORST = 5
"""Findings shown in the overview of a case."""
MOST_HOSTS = 20


def hosts(view: CaseView) -> pd.DataFrame:
    """Return the hosts of a case; see `agtrace.case.Case.hosts`."""
    return frame_of(view.table(_sql("hosts.sql")))


def captures(view: CaseView) -> pd.DataFrame:
    """Return the captures of a case; see `agtrace.case.Case.captures`."""
    return frame_of(view.table(_sql("captures.sql")))


def text(view: CaseView, name: str, findings: list[Finding], failed: list[str]) -> str:
    """Return the console text of a case."""
    lines = [f"{plain(name)}: {_told(view)}"]
    rows = view.rows(_sql("hosts.sql"))
    lines += [
        f"  {plain(row['host_id']) if row['host_id'] else 'no host known'}: {_span(row)}; {_kinds(row)}"
        for row in rows[:MOST_HOSTS]
    ]
    if more := rows[MOST_HOSTS:]:
        lines.append(f"  and {count(len(more), 'more host')}: case.hosts")
    lines += [f"  {finding.severity.upper()} {plain(finding.title)}" for finding in findings[:WORST]]
    lines.append(f"  {_rest(findings, failed)}")
    return "\n".join(lines)


def page(view: CaseView, name: str, findings: list[Finding], failed: list[str]) -> str:
    """Return the notebook page of a case."""
    listed = view.rows(_sql("hosts.sql"))
    rows = "".join(
        f'<tr><td style="text-align:left">{html(row["host_id"] or "no host known")}</td>'
        f'<td style="text-align:left">{html(_span(row))}</td>'
        f'<td style="text-align:left">{html(_kinds(row))}</td></tr>'
        for row in listed[:MOST_HOSTS]
    )
    more = len(listed) - MOST_HOSTS
    rest = f"<div>and {count(more, 'more host')}: case.hosts</div>" if more > 0 else ""
    head = "<tr><th>host</th><th>captured</th><th>captures</th></tr>"
    return (
        f'<div class="{cards.NO_MATHEMATICS}"><div><b>{html(name)}</b>: {html(_told(view))}</div>'
        f"<table>{head}{rows}</table>{rest}</div>"
        f"{cards.page(findings[:WORST], brief=True)}<div>{html(_rest(findings, failed))}</div>"
    )


def _told(view: CaseView) -> str:
    (row,) = view.rows(
        "SELECT count(*) AS files, count(*) FILTER (status = 'ingested') AS read, count(DISTINCT host_id) "
        "AS hosts "
        "FROM captures"
    )
    rest = row["files"] - row["read"]
    unread = f", {count(rest, 'file')} not read" if rest else ""
    return f"{count(row['read'], 'capture')} of {count(row['hosts'], 'host')}{unread}"


def _span(row: dict[str, Any]) -> str:
    known = row["first_time"] is not None
    first, last = (row["first_time"], row["last_time"]) if known else (row["first_local"], row["last_local"])
    return wording.stretch(first, last)


def _kinds(row: dict[str, Any]) -> str:
    return f"{count(row['captures'], 'file')}: {listing([plain(kind) for kind in row['kinds']], 8)}"


def _rest(findings: list[Finding], failed: list[str]) -> str:
    more = len(findings) - WORST
    told = "no findings" if not findings else f"{count(len(findings), 'finding')}"
    told += f", {more} more: case.findings()" if more > 0 else ": case.findings()"
    if failed:
        told += f"; failed: {listing(failed)}"
    return f"{told}. case.<Tab> lists what can be asked."
