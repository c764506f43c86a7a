"""Notebook display of a comparison: tables of differences."""

from __future__ import annotations

from typing import Any

from agtrace.comparing.compared import Compared
from agtrace.comparing.findings import is_about_captures
from agtrace.comparing.rows import PARTS, Row
from agtrace.comparing.said import TITLES, Words
from agtrace.say import words
from agtrace.say.words import html

ROWS_SHOWN = 300
"""Rows of a part on a page; programs get all of them."""


def cells(said: Words, row: Row) -> dict[str, Any]:
    """Return the cells of a number, setting or wait of both sides, by their columns."""
    p95 = next(((first, second) for name, first, second in row.more if name == "p95"), None)
    return {
        "about": row.about,
        "what": row.what,
        "before": words.amount(row.before, row.unit),
        "after": words.amount(row.after, row.unit),
        "interval": said.interval(row),
        "why": row.why,
        "n": f"{row.n[0]:,} / {row.n[1]:,}" if any(row.n) else "",
        "verdict": row.verdict,
        "p95": " / ".join(words.amount(each, row.unit) for each in p95) if p95 else "",
    }


def inner(of: Compared, said: Words) -> str:
    """Return a notebook's HTML: the differences as tables; all text escaped."""
    told = "".join(
        f'<li style="text-align:left">{html(said.finding(each), 2000)}</li>'
        for each in of.findings
        if each.differs and not is_about_captures(each)
    )
    tables = "".join(_table(of, said, part) for part in PARTS)
    lacking = "".join(f'<li style="text-align:left">{html(line, 2000)}</li>' for line in said.open)
    head = html(f"{of.before.name} against {of.after.name}")
    return (
        f'<div class="tex2jax_ignore"><div><b>{head}</b></div><div>{html(said.headline, 4000)}</div>'
        f"<ul>{told}</ul>{tables}"
        + (f"<div>{TITLES['open']}</div><ul>{lacking}</ul>" if lacking else "")
        + "</div>"
    )


def _table(of: Compared, said: Words, part: str) -> str:
    rows = [cells(said, row) for row in of.differences(part)][:ROWS_SHOWN]
    if not rows:
        return ""
    columns = ("about", "what", "before", "after", "interval", "n")
    body = "".join(
        "<tr>"
        + "".join(f'<td style="text-align:left">{html(row[name], 400)}</td>' for name in columns)
        + "</tr>"
        for row in rows
    )
    names = ("", "", of.before.name, of.after.name, "difference", "n")
    head = "".join(f"<th>{html(name)}</th>" for name in names)
    return f"<div><b>{TITLES[part]}</b></div><table><tr>{head}</tr>{body}</table>"
