"""The texts of a comparison: the differences, as a sentence or lines, and what could not be compared."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from agtrace.comparing.compared import Compared
from agtrace.comparing.findings import is_about_captures
from agtrace.comparing.rows import OPEN, PARTS, ComparedFinding, Row
from agtrace.comparing.sides import ALONE, BY_ROLE
from agtrace.say import words
from agtrace.say.said import Said

SAID = Said(__package__ or "")
LEADING = 3
"""Differences of each kind in the headline."""
TITLES = {
    "findings": "Findings",
    "streams": "Log streams",
    "numbers": "What hosts did",
    "waits": "Waits",
    "settings": "Settings",
    "failovers": "Failovers",
    "captures": "The captures themselves",
    "open": "Not compared, and to know",
}
MOST_LINES = 40
"""Most lines of a part in the console."""


class Words:
    """The texts of a comparison."""

    def __init__(self, of: Compared) -> None:
        self._of = of
        self._names = {"before": of.before.name, "after": of.after.name}

    @property
    def headline(self) -> str:
        """Return the differences in a few sentences."""
        return " ".join(self.sentences)

    @cached_property
    def sentences(self) -> list[str]:
        """Return the differences as sentences: the most severe findings, then settings and measurements."""
        of = self._of
        told = [each for each in of.findings if each.differs and not is_about_captures(each)]
        changed = of.differences("settings")
        measured = [row for part in ("failovers", "waits", "numbers") for row in of.differences(part)]
        # A stream is described by its hosts, if those are reported.
        apart = sorted(measured or of.differences("streams"), key=_distance)
        facts = self._names | {
            "more": max(len(told) - LEADING, 0),
            "settings": [{"text": self.short(row)} for row in changed[:LEADING]],
            "more_settings": max(len(changed) - LEADING, 0),
            "numbers": [{"text": self.short(row)} for row in apart[:LEADING]],
            "more_numbers": max(len(apart) - LEADING, 0),
            "differs": of.differs,
            "apart": not of.pairing.hosts,
        }
        parts = ("no_host", "nothing", "more_findings", "set", "measured")
        said = [f"{self._short(each)}." for each in told[:LEADING]]
        return [*said, *filter(None, (SAID.text(f"headline.{part}", facts) for part in parts))]

    def finding(self, told: ComparedFinding) -> str:
        """Describe in one line how a finding changed."""
        return SAID.text(f"finding.{told.verdict}.text", self._of_finding(told))

    def _of_finding(self, told: ComparedFinding) -> dict[str, object]:
        return self._names | {
            "ids": told.ids,
            "titles": told.titles,
            "severities": told.severities,
            "counts": told.counts,
            "moved": told.moved,
            "why": told.why,
        }

    def _short(self, told: ComparedFinding) -> str:
        """Describe in a sentence how a finding changed, without its numbers."""
        return SAID.text(f"finding.{told.verdict}.short", self._of_finding(told))

    def short(self, row: Row) -> str:
        """Describe a difference in a few words."""
        return SAID.text("row.short", self._facts(row))

    def row(self, row: Row) -> str:
        """Format a number, setting or wait of both sides as a line."""
        return SAID.text("row.text", self._facts(row))

    def interval(self, row: Row) -> str:
        """Describe the difference and its interval; "" if neither is known."""
        return SAID.text("row.times", self._facts(row)) if row.ratio else ""

    def _facts(self, row: Row) -> dict[str, object]:
        return self._names | {
            "about": row.about, "what": row.what, "n": row.n, "ratio": row.ratio, "verdict": row.verdict,
            "before": words.amount(row.before, row.unit), "after": words.amount(row.after, row.unit),
            "why": row.why, "known": bool(row.ratio and row.ratio.is_known),
        }  # fmt: skip

    @cached_property
    def open(self) -> list[str]:
        """Return one line each on what could not be compared, and notes on the sides."""
        of = self._of
        found = []
        for matched in of.pairing.hosts:
            if matched.by in (BY_ROLE, ALONE):
                facts: dict[str, Any] = {"first": matched.before, "second": matched.after}
                facts |= self._names | {"role": matched.role}
                found.append(SAID.text(f"open.{matched.by}.text", facts))
        for first, second in of.pairing.groups.items():
            if first != second:
                found.append(SAID.text("open.group.text", {"first": first, "second": second}))
        if any(of.pairing.left):
            facts = self._names | {"left": [list(each) for each in of.pairing.left]}
            found.append(SAID.text("open.hosts.text", facts))
        found += self._versions()
        for side, other in ((of.before, of.after), (of.after, of.before)):
            lacking = sorted(side.unanswered.keys() - other.unanswered.keys())
            if lacking:
                facts = {"side": side.name, "questions": lacking}
                found.append(SAID.text("open.questions.text", facts))
        for part in ("numbers", "settings", "streams", "waits"):
            rows = [row for row in getattr(of, part) if row.verdict == OPEN]
            whys = {row.why: [r for r in rows if r.why == row.why] for row in rows}
            for why, own in whys.items():
                named = list(dict.fromkeys(f"{row.what} of {row.about}" for row in own))
                found.append(SAID.text("open.rows.text", {"named": named, "why": why}))
        return found

    def _versions(self) -> list[str]:
        rows = [row for row in self._of.settings if row.what == "product version" and row.differs]
        hosts = [{"about": r.about, "before": r.before, "after": r.after} for r in rows]
        return [SAID.text("open.versions.text", {"hosts": hosts})] if hosts else []

    def text(self, *, every: bool = False) -> str:
        """Return the comparison as text.

        Parameters
        ----------
        every
            Whether to include equal items.
        """
        of = self._of
        lines = [SAID.text("title.text", self._names), "", self.headline]
        told = [each for each in of.findings if each.differs or every or each.verdict == OPEN]
        of_servers = [each for each in told if not is_about_captures(each)]
        lines += self._part("findings", [self.finding(each) for each in of_servers])
        for part in PARTS:
            rows = getattr(of, part) if every else of.differences(part)
            lines += self._part(part, [self.row(row) for row in rows])
        lines += self._part("captures", [self.finding(each) for each in told if is_about_captures(each)])
        lines += self._part("open", self.open)
        return "\n".join(lines)

    def _part(self, part: str, lines: list[str]) -> list[str]:
        if not lines:
            return []
        more = len(lines) - MOST_LINES
        rest = [f"  and {more:,} more: --json has them"] if more > 0 else []
        return ["", TITLES[part], *(f"  {x}" for x in lines[:MOST_LINES]), *rest]


def _distance(row: Row) -> tuple[float, str, str]:
    ratio = row.ratio.value if row.ratio and row.ratio.value > 0 else 0
    return (-abs(math.log(ratio)) if ratio else -math.inf, row.about, row.what)
