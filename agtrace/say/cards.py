"""A finding as a card: HTML for notebooks, text for consoles.

Text that may come from a capture is escaped. Notebooks typeset mathematics in HTML after escaping: cards
disable it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from agtrace.say import wording
from agtrace.say.finding import Evidence, Finding, Shown, show_as
from agtrace.say.words import count, html, listing, plain

NONE = "No findings."
COLUMNS = 96
"""Width of a card in a console."""
SCREEN = 60
"""Lines of a console visible at once: a full window on a laptop."""

NO_MATHEMATICS = "tex2jax_ignore mathjax_ignore"
"""Classes of an element in whose text notebooks do not look for formulas."""

_PARAGRAPH = '<p style="margin:.25em 0">'

COLOURS = {"critical": "#b42318", "warning": "#b54708", "notice": "#175cd3", "info": "#067647"}
"""Used in addition to the severity's name, never alone."""


def text(finding: Finding) -> str:
    """Return a finding as lines for a console: title, narrative, leading numbers, actions."""
    figures = wording.key_figures(finding)
    lines = [
        f"{finding.severity.upper()} {plain(finding.id)}",
        *_wrapped(finding.title),
        *_wrapped(_under(finding)),
        *_wrapped(finding.narrative),
        *(f"    {plain(each.label)}: {wording.value_of(each)} ({plain(each.source)})" for each in figures),
    ]
    if more := len(finding.evidence) - len(figures):
        lines.append(f"    and {count(more, 'more entry', 'more entries')} of evidence")
    joint = "\n\n" if wording.has_steps(finding.recommendation) else " "
    lines += _wrapped(f"Do:{joint}{finding.recommendation}" if finding.recommendation else "")
    return "\n".join(lines)


def texts(findings: Iterable[Finding]) -> str:
    """Return findings as lines for a console: as cards if all fit on a screen, else a line each."""
    listed = list(findings)
    if len(listed) <= SCREEN:
        cards = "\n\n".join(map(text, listed))
        if cards.count("\n") < SCREEN or len(listed) == 1:
            return cards or NONE
    lines = [f"{count(len(listed), 'finding')}; [0] is the first as a card, .to_df() has all as rows"]
    most = SCREEN - 2
    lines += [
        f"{place:>3} {each.severity.upper()} {plain(each.title)}" for place, each in enumerate(listed[:most])
    ]
    if (more := len(listed) - most) > 0:
        lines.append(f"    and {more:,} more")
    return "\n".join(lines)


def page(findings: Iterable[Finding], *, brief: bool = False) -> str:
    """Return findings as HTML cards, one below the other; ``brief`` ones fold narrative and advice."""
    cards = "".join(_card(finding, brief=brief) for finding in findings)
    return f'<div class="{NO_MATHEMATICS}">{cards or html(NONE)}</div>'


def _card(finding: Finding, *, brief: bool) -> str:
    colour = COLOURS[finding.severity]
    figures = "".join(
        f'<span style="display:inline-block;margin:0 1.5em .25em 0" title="{html(each.source)}">'
        f"<b>{html(wording.value_of(each))}</b> {html(each.label)}</span>"
        for each in wording.key_figures(finding)
    )
    told = _running(finding.narrative)
    if finding.recommendation:
        told += f"{_PARAGRAPH}<b>Do:</b></p>{_running(finding.recommendation)}"
    if brief:
        told = f"<details><summary>More</summary>{told}{_evidence(finding.evidence)}</details>"
    head = (
        f'<div><b style="color:{colour}">{html(finding.severity.upper())}</b> '
        f'<code style="font-size:85%">{html(finding.id)}</code></div>'
        f'<div style="font-weight:600">{html(finding.title, wording.LONG)}</div>'
        f'<div style="opacity:.7;font-size:90%">{html(_under(finding), wording.LONG)}</div>'
        f'<div style="margin:.25em 0">{figures}</div>'
    )
    evidence = "" if brief else _evidence(finding.evidence)
    return (
        f'<div style="border-left:4px solid {colour};padding:.25em 0 .25em .75em;margin:.5em 0;'
        f'max-width:60em">{head}{told}{evidence}</div>'
    )


def _under(finding: Finding) -> str:
    """Return the text below the title: subject, window and confidence."""
    subject = listing([f"{key} {value}" for key, value in wording.subject_of(finding)], 6)
    parts = [subject if finding.subject else "", wording.window_of(finding)]
    return "; ".join([*filter(None, parts), f"confidence {wording.confidence_of(finding)}"])


def _evidence(evidence: tuple[Evidence, ...]) -> str:
    rows = "".join(
        f'<tr><td style="text-align:left">{html(each.label)}</td>'
        f"<td>{html(wording.value_of(each))}</td>"
        f'<td style="text-align:left">{html(each.source)}</td></tr>'
        for each in evidence
    )
    said = count(len(evidence), "entry", "entries")
    return f"<details><summary>Evidence: {said}</summary><table>{rows}</table></details>"


def _running(text: str) -> str:
    return str(wording.running_text(text)).replace("<p>", _PARAGRAPH)


def _wrapped(text: str) -> list[str]:
    paragraphs = [plain(each, wording.LONG) for each in wording.lines_of(text)]
    return [
        line
        for each in paragraphs
        for line in textwrap.wrap(
            each, COLUMNS, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        )
    ]


show_as(Shown(texts, page))
