"""A case in three sentences for a customer: the event, its cost, and the first step to take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agtrace.say import wording, words
from agtrace.say.finding import Finding
from agtrace.say.headline import headline, is_answer

LEAST_WORDS, MOST_WORDS = 20, 100
SENTENCE_WORDS = 34
"""Most words of a sentence that was not written for the summary."""
OUTAGE = "health."
DATA_UNKNOWN = "The captures do not show whether data was lost."
MORE = "The findings name the evidence, the time and the source of each number."
_COMMAND_AT_END = re.compile(r": `[^`]*`(?=\.$)")
"""The command of a step; the remedy below contains it."""
_CLAUSE = re.compile(r"(?<=[;:,])\s+")
_END = re.compile(r"(?<!\.\.)(?<=[.!?])\s+(?=[A-Z`'\"])")


class Watched(NamedTuple):
    """The basis of a case without problems: a paragraph on its captures, and what to capture next."""

    captures: str = ""
    lacking: str = ""


class Summary(NamedTuple):
    """Three sentences, of 20 to 100 words together.

    Parameters
    ----------
    step
        The change to make, or the first step of the remedy.
    changes
        Whether the step is the change to make.
    """

    what: str
    cost: str
    step: str
    changes: bool = False

    @property
    def text(self) -> str:
        """All of it."""
        return " ".join(part for part in (self.what, self.cost, self.step) if part)


def summary(findings: Sequence[Finding], watched: Watched) -> Summary:
    """Return a case in three sentences.

    Parameters
    ----------
    findings
        All findings of the case, in any order.
    watched
        The basis of an answer without a problem.
    """
    first = headline(findings)
    if first is None or not is_answer(first):
        return _nothing(findings, watched)
    what, cost, *change = _sentences_of(first)
    step = " ".join(change) or _first_step(first)
    return _fitting(Summary(what, cost, step, changes=bool(change)), first)


def _nothing(findings: Sequence[Finding], watched: Watched) -> Summary:
    noted = f"{words.count(len(findings), 'finding')} for information" if findings else "no finding"
    return Summary(
        f"The captures show no problem that needs action: {noted}.",
        next(iter(_sentences(watched.captures)), "") or "Only the captured hosts and times were checked.",
        f"To check more, capture {watched.lacking}." if watched.lacking else "No step is needed.",
    )


def _sentences_of(finding: Finding) -> list[str]:
    """Return the event, its cost or limit and, if the texts have it, the change to make."""
    if finding.brief:
        what, *others = _END.split(" ".join(finding.brief.split()))
        return [what, *(others or [""])]
    what = wording.verdict_of(finding)
    if finding.id.startswith(OUTAGE):
        return [what, DATA_UNKNOWN]
    because = next((each for each in _sentences(finding.narrative) if _is_short(each)), "")
    return [what, because or _numbers(finding)]


def _first_step(finding: Finding) -> str:
    step = next(iter(_sentences(finding.recommendation)), "")
    if not step:
        return (
            "No action is needed." if finding.severity in ("info", "notice") else "Read its evidence first."
        )
    if not _is_short(step):
        step = _clauses(step)
    step = words.capital(_COMMAND_AT_END.sub("", step).removeprefix("First "))
    if step.startswith("No "):
        return step
    return f"First step: {step if step.endswith(('.', '!', '?')) else step + '.'}"


def _clauses(step: str) -> str:
    """Return as many clauses of a long step as make a short sentence; the remedy below has all of it."""
    parts = (step[: found.start()] for found in _CLAUSE.finditer(step))
    fitting = [part for part in parts if _is_short(part)] or [wording.first_words(step, SENTENCE_WORDS)]
    return fitting[-1].rstrip(",;: ")


def _sentences(text: str) -> list[str]:
    """Return the sentences of the first paragraph of a text, without the number of a step."""
    paragraph = text.strip().partition("\n")[0]
    return [each for each in _END.split(re.sub(r"^1\.\s+", "", paragraph)) if each]


def _is_short(sentence: str) -> bool:
    return words.words_in(sentence) <= SENTENCE_WORDS and sentence.count("`") % 2 == 0


def _numbers(finding: Finding) -> str:
    shown = [f"{each.label} {wording.value_of(each)}" for each in wording.key_figures(finding, 2, 0)]
    return f"Measured: {words.listing(shown)}." if shown else ""


def _fitting(made: Summary, finding: Finding) -> Summary:
    """Return the summary with 20 to 100 words: with numbers added, or without its middle part."""
    for more in (_numbers(finding), MORE):
        if words.words_in(made.text) < LEAST_WORDS and more not in made.cost:
            made = made._replace(cost=f"{made.cost} {more}".strip())
    return made._replace(cost="") if words.words_in(made.text) > MOST_WORDS else made
