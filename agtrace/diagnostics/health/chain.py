"""An incident as a chain: cause, trigger, failover, and databases available again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta

from agtrace.diagnostics.health.group_history import OPEN
from agtrace.diagnostics.health.rows import Failovers
from agtrace.diagnostics.health.story import SUPPORTS, Moment, Story

SHORTAGES = {"long_io": "slow", "cpu_starvation": "busy", "standstill": "stands_still"}
"""The moments of a story that show a shortage on a host as the cause."""
OUTCOMES = frozenset({"left", "in_place", "databases", "left_late", "partner", "goes_on", "stays"})
"""Moments that are consequences of an incident; never a cause."""
ENDS = ("left", "in_place", "databases", "left_late")
"""Outcomes that are links, in order."""
WORDED = frozenset({"in_place", "left_late", "databases"})
"""Outcomes whose text is in the chain itself; their number is shown above."""
SAME = timedelta(milliseconds=50)
"""A role loss that follows its trigger this soon is one link with it."""
LEAST, MOST = 3, 6
"""Fewest and most links of a chain; a chain of the fewest keeps all."""


@dataclass(frozen=True)
class Link:
    """A link of a chain.

    Parameters
    ----------
    role
        Its part in the chain, a term of said/chain.toml: ``cause``, ``likely``, ``unknown``, ``trigger``, ..
    moment
        The moment of the story that it shows.
    said
        Field of said/chain.toml that words it; "" where that of the story does.
    """

    role: str
    moment: Moment
    said: str = ""


def chain(story: Story) -> list[Link]:
    """Return the links from the cause of an incident to its end, in chronological order."""
    if story.failover is None:
        return [Link(each.said, each) for each in story.shown[:MOST]]
    causes = _causes(story, story.failover)
    links = sorted([*causes, *_outcomes(story)], key=lambda each: each.moment.time)
    if len(links) > LEAST:
        links = [each for each in links if not _is_told(each, causes)]
    return links[:MOST]


def _causes(story: Story, row: Failovers) -> list[Link]:
    """Return the cause and the trigger of a failover."""
    at, is_open = story.start, row.cause == OPEN
    before = [each for each in story.moments if each.said not in OUTCOMES and each.time <= row.end]
    deciding = [each for each in before if each.weight < SUPPORTS and each.said not in SHORTAGES.values()]
    own = [each for each in deciding if each.said.startswith(str(row.trigger).partition("_")[0])]
    trigger = min(own or deciding, key=lambda each: abs(each.time - at), default=None)
    found = [Link("trigger" if own else "sign", trigger)] if trigger else []
    role = "unknown" if is_open else "cause" if story.facts["is_sure"] else "likely"
    if not is_open and row.cause == row.trigger:
        # One thing is both: its entry shows it, and a second link would repeat it.
        shown = trigger or next((each for each in before if each.said not in SHORTAGES.values()), None)
        return [Link(role, shown or _unwritten(story, row), "cause")]
    root = next((each for each in before if each.said == SHORTAGES.get(row.cause)), None)
    earlier = (
        each for each in deciding if each is not trigger and (trigger is None or each.time <= trigger.time)
    )
    shown = None if is_open else root or next(earlier, None)
    return [Link(role, shown or _unwritten(story, row, trigger), "cause"), *found]


def _unwritten(story: Story, row: Failovers, first: Moment | None = None) -> Moment:
    """Return the moment of a cause that no entry shows: that of the first link, or of the loss."""
    time = min(first.time, story.start) if first else story.start
    return Moment(time, None, row.from_host or "", "", first.place if first else "", story.facts)


def _outcomes(story: Story) -> Iterable[Link]:
    """Yield the loss of the primary, the new one, its databases, and an old primary that was late."""
    host, available = (story.failover and story.failover.to_host) or "", story.facts.get("available")
    for said in ENDS:
        moment = next((each for each in story.moments if each.said == said), None)
        if said == "databases" and available:
            place = str(available.measured.source)
            moment = Moment(available.end, None, host, said, place, {"available": available})
        if moment is not None:
            yield Link(said, moment, said if said in WORDED else "")


def _is_told(link: Link, causes: Sequence[Link]) -> bool:
    """Return whether a role loss is logged together with its trigger, at the same moment."""
    return link.role == "left" and any(
        each.moment.host == link.moment.host and abs(link.moment.time - each.moment.time) < SAME
        for each in causes
    )
