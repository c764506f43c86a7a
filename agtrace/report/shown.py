"""Choice of the findings that a page shows unfolded: people read 400 words, not 4,000."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agtrace.say import wording
from agtrace.say.finding import Finding
from agtrace.say.words import words_in

if TYPE_CHECKING:
    from markupsafe import Markup

PAGE_WORDS = 400
"""Words shown on a page before anything is unfolded."""

NARRATIVE_WORDS, ADVICE_WORDS = 45, 40
"""Words of a finding's narrative and advice shown unfolded. The remedy of the first finding of a page is
shown whole."""

AROUND_WORDS = 22
"""Words of a card besides title, narrative and advice: severity, confidence, window, folds."""

LIKE = 3
"""Most findings of one kind shown side by side; of more, only one is shown."""
SEVERE = frozenset({"critical", "warning"})
"""Severities whose titles are always visible on every page."""

Anchored = tuple[str, Finding]
"""A finding with the anchor of its card."""


@dataclass(frozen=True)
class FoldedText:
    """A text in two parts: the visible one, and the folded one below it."""

    short: Markup
    rest: Markup
    words: int

    @classmethod
    def of(cls, text: str, most: int) -> FoldedText:
        short, rest = wording.shortened(text, most)
        return cls(wording.running_text(short), wording.running_text(rest), words_in(short))


@dataclass(frozen=True)
class Card:
    """A finding as a page shows it.

    Parameters
    ----------
    anchor
        Anchor for links.
    is_answer
        Whether it is the page's verdict: title, key figures and advice are already above.
    is_open
        Whether it is initially unfolded.
    like
        Further findings of the same kind, folded below it.
    """

    anchor: str
    finding: Finding
    is_answer: bool = False
    is_open: bool = False
    like: tuple[Card, ...] = ()

    @property
    def narrative(self) -> FoldedText:
        return FoldedText.of(self.finding.narrative, NARRATIVE_WORDS)

    @property
    def advice(self) -> FoldedText:
        return FoldedText.of("" if self.is_answer else self.finding.recommendation, ADVICE_WORDS)


@dataclass
class Cards:
    """The findings of a page, as many unfolded as its word limit allows.

    Parameters
    ----------
    first
        Visible findings, the worst first.
    more
        Findings beyond the word limit.
    minor
        Findings for information.
    """

    first: list[Card] = field(default_factory=list)
    more: list[Card] = field(default_factory=list)
    minor: list[Card] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.first or self.minor)


def cards(
    findings: Sequence[Anchored], words: int, answer: Finding | None = None, *, unfold: bool = True
) -> Cards:
    """Return the cards of a page's findings, with their visible parts.

    Parameters
    ----------
    findings
        The most severe first.
    words
        Number of words available.
    answer
        The finding of the page's verdict; unfolded if there is room.
    unfold
        Whether to unfold the worst, as far as the word limit allows.
    """
    found, told = Cards(), []
    for anchor, finding in findings:
        if finding is answer:
            shown = Card(anchor, finding, is_answer=True)
            fits = _unfolded(shown) <= words
            found.first.append(replace(shown, is_open=fits))
            words -= _unfolded(shown) if fits else AROUND_WORDS
        elif finding.severity == "info":
            found.minor.append(Card(anchor, finding))
        else:
            told.append(Card(anchor, finding))
    found.minor = gathered(found.minor)
    for card in gathered(told):
        words -= words_in(card.finding.title) + 1 + 5 * bool(card.like)
        fits = words >= 0 or card.finding.severity in SEVERE
        (found.first if fits else found.more).append(card)
    for place, card in enumerate(found.first):
        if card.is_open or card.finding.severity == "notice" or not unfold:
            continue
        words -= _unfolded(card)
        if words < 0:
            break
        found.first[place] = replace(card, is_open=True)
    return found


def gathered(found: Sequence[Card]) -> list[Card]:
    """Fold findings of one kind and severity if more than `LIKE`, except severe ones."""
    kinds: dict[tuple[str, str], list[Card]] = {}
    for card in found:
        kinds.setdefault((card.finding.id, card.finding.severity), []).append(card)
    made = []
    for cards in kinds.values():
        made += (
            [replace(cards[0], like=tuple(cards[1:]))]
            if len(cards) > LIKE and cards[0].finding.severity not in SEVERE
            else list(cards)
        )
    order = {card.anchor: place for place, card in enumerate(found)}
    return sorted(made, key=lambda card: order[card.anchor])


def _unfolded(card: Card) -> int:
    subject = " ".join(f"{key} {value}" for key, value in card.finding.subject.items())
    return card.narrative.words + card.advice.words + words_in(subject) + AROUND_WORDS
