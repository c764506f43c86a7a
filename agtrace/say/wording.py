"""Findings for display on pages and in notebooks: numbers formatted, text escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from agtrace.say import words
from agtrace.say.finding import Evidence, Finding

if TYPE_CHECKING:
    from markupsafe import Markup

LONG = 4000
"""Narratives are agtrace's own sentences; only names in them come from captures, and those are short."""

LONGEST_SETTING = 20

SHORT_WORDS = 60
"""Most words of a narrative shown on a card; the rest is folded."""

VERDICT_LENGTH = 240
"""Longest verdict, in characters: one sentence."""

COMPARED = {"first", "baseline"}
"""Keys of the subject of a comparison."""

REASONS = {"mode", "trigger", "cause", "kind"}
"""Keys of a subject that give the manner or cause of an event."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9`\"'(])")
_NUMBER = re.compile(r"(?<![\w.,:-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w:-])")
_CODE = re.compile(r"`([^`]+)`")
_STEP = re.compile(r"(\d{1,2})\. ")


def running_text(text: str) -> Markup:
    """Return plain text as HTML: escaped, paragraphs and steps kept, `commands` between backticks as code."""
    from markupsafe import Markup, escape

    def marked(piece: str) -> str:
        return _CODE.sub(r"<code>\1</code>", str(escape(words.plain(piece, LONG))))

    made = ""
    for piece in lines_of(text):
        if not (step := _STEP.match(piece)):
            made += f"<p>{marked(piece)}</p>"
        elif made.endswith("</ol>"):
            made = f"{made.removesuffix('</ol>')}<li>{marked(piece[step.end() :])}</li></ol>"
        else:
            made += f'<ol class="steps" start="{step[1]}"><li>{marked(piece[step.end() :])}</li></ol>'
    return Markup(made)


def lines_of(text: str) -> list[str]:
    """Return the paragraphs of a text and, of a paragraph that has steps, each step."""
    parts = re.split(r"\n\s*\n|\n(?=\d{1,2}\. )", text)
    return [part for part in parts if part.strip()]


def has_steps(text: str) -> bool:
    """Return whether a text is a list of steps."""
    return any(map(_STEP.match, lines_of(text)))


def value_of(evidence: Evidence) -> str:
    """Format an entry's value with its unit: "5.2 log MB/s", "750 MB", "disabled"."""
    return words.amount(evidence.value, evidence.unit)


def amount_and_unit(evidence: Evidence) -> tuple[str, str]:
    """Return `value_of` in two pieces: the number and its unit. Text and durations are one."""
    text = value_of(evidence)
    amount, _, unit = text.partition(" ")
    whole = isinstance(evidence.value, str) or any(c.isdigit() for c in unit)
    return (text, "") if whole else (amount, unit)


def key_figures(finding: Finding, numbers: int = 6, settings: int = 1) -> list[Evidence]:
    """Return the key figures: the leading number of each quantity, then settings.

    Labels name the quantity, then after a comma the statistic: "log received, p95".
    """
    chosen: dict[str, Evidence] = {}
    said = []
    for each in finding.evidence:
        if isinstance(each.value, str):
            said += [each] if len(each.value) <= LONGEST_SETTING else []
        elif each.value is not None and each.unit:
            chosen.setdefault(each.label.rpartition(", ")[0] or each.label, each)
    return [*list(chosen.values())[:numbers], *said[:settings]]


def window_of(finding: Finding) -> str:
    """Format the window of a finding; empty if it has none."""
    return stretch(*span) if (span := finding.span) else ""


def stretch(start: datetime | None, end: datetime | None) -> str:
    """Format a window with its clock and its duration: UTC if it has a zone."""
    if start is None or end is None:
        return "time not known"
    same_day = start.date() == end.date()
    first = words.moment(start)
    clock = " UTC" if start.tzinfo else " local time"
    last = f"{end:%H:%M:%S}" if same_day else words.moment(end).removesuffix(clock)
    return f"{first.removesuffix(clock)} to {last}{clock} ({words.span((end - start).total_seconds())})"


def subject_of(finding: Finding) -> list[tuple[str, str]]:
    """Return the subject of a finding for display: an open mode, trigger or cause is shown as unknown."""
    return [
        (words.plain(key), "unknown" if key in REASONS and value == "open" else words.plain(value))
        for key, value in finding.subject.items()
        if value
    ]


def findings_text(findings: Iterable[Finding]) -> str:
    """Format findings as text with rounded numbers, the same in every run.

    Notebooks print it in cells whose stored output is compared by a test.
    """
    lines = []
    for finding in findings:
        subject = ", ".join(f"{key} {words.plain(value)}" for key, value in sorted(finding.subject.items()))
        lines.append(f"{finding.severity:8} {finding.id}" + (f": {subject}" if subject else ""))
        for each in finding.evidence:
            value = (
                words.plain(each.value) if isinstance(each.value, str | None) else words.number(each.value)
            )
            unit = f" {each.unit}" if each.unit and each.value is not None else ""
            lines.append(f"    {words.plain(each.label)}: {value}{unit}")
    return "\n".join(lines) or "no findings"


def confidence_of(finding: Finding) -> str:
    """Format the confidence: "high (90 %)"."""
    value = finding.confidence
    level = "high" if value >= 0.85 else "medium" if value >= 0.6 else "low"
    return f"{level} ({value:.0%})".replace("%", " %")


def shortened(text: str, most: int = SHORT_WORDS) -> tuple[str, str]:
    """Split a text at the end of a sentence into a visible and a folded part.

    The first part has at most ``most`` words, but at least a sentence; commands are never split. Paragraphs
    stay separate. A list of steps is split between two steps.
    """
    if len(text.split()) <= most:
        return text, ""
    if has_steps(text) and len(steps := lines_of(text)) > 1:
        fitting = [n for n in range(1, len(steps)) if len(" ".join(steps[:n]).split()) <= most]
        kept = fitting[-1] if fitting else 1
        return "\n".join(steps[:kept]), "\n".join(steps[kept:])
    ends = [each.start() for each in _SENTENCE.finditer(text) if text.count("`", 0, each.start()) % 2 == 0]
    fitting = [end for end in ends if len(text[:end].split()) <= most] or ends[:1]
    return (text[: fitting[-1]].rstrip(), text[fitting[-1] :].strip()) if fitting else (text, "")


def first_words(text: str, most: int) -> str:
    """Return the first words of a text without sentence ends; a truncated command loses its markup."""
    kept = " ".join(text.split()[:most])
    return kept.replace("`", "'") if kept.count("`") % 2 else kept


def verdict_of(finding: Finding) -> str:
    """Return a finding as one sentence: its title, with the deciding number.

    Titles that contain a number are unchanged.
    """
    title = words.plain(finding.title, VERDICT_LENGTH - 1).rstrip(".")
    first = deciding(finding)
    if first is None or _NUMBER.search(title):
        return f"{title}."
    joint = "; " if ": " in title else ": "
    longer = f"{title}{joint}{words.plain(_quantity(finding, first))} {value_of(first)}."
    return longer if len(longer) <= VERDICT_LENGTH else f"{title}."


def deciding(finding: Finding) -> Evidence | None:
    """Return the deciding number of a finding: the first of its evidence.

    None if that is a text or belongs to something outside the subject, for comparisons, which a number of one
    side cannot decide, and for limits of the captures, which have no measurement.
    """
    first = finding.evidence[0]
    is_number = isinstance(first.value, int | float) and first.unit not in ("", first.label)
    whose = _whose(first)
    is_own = not COMPARED & finding.subject.keys() and (not whose or whose in finding.subject.values())
    return first if is_number and is_own and not finding.id.startswith("quality.") else None


def _whose(evidence: Evidence) -> str:
    return evidence.label.partition(": ")[0] if ": " in evidence.label else ""


def _quantity(finding: Finding, evidence: Evidence) -> str:
    """Return the label without the name that the title has already."""
    whose = _whose(evidence)
    return evidence.label.removeprefix(f"{whose}: ") if whose and whose in finding.title else evidence.label
