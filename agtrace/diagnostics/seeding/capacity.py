"""What the cards and disks of both ends moved, beside what they can: why one is the limit, or is not."""

from __future__ import annotations

from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.evidence import of_link
from agtrace.diagnostics.seeding.limits import CARD
from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.history.seedings.operation import SOURCE, TARGET
from agtrace.measure.usage import Usage
from agtrace.say import words

LINKS = tuple(gigabits * 1e9 / 8 for gigabits in (0.1, 1, 2.5, 5, 10, 25, 40, 50, 100))
"""What links carry that are for sale, B/s."""
FILLED = 0.85
"""From this share of such a link on, and up to all of it, a rate looks like that of a full one."""


def of_path(of: Seeded, _role: str, found: Study) -> str:
    """Say how full the cards were, which link would carry that, and that the disks could do more."""
    return " ".join(filter(None, (_card(of), _idle_disks(of, found))))


def of_disk(of: Seeded, role: str, _found: Study) -> str:
    """Say what the disks of one end moved, and how busy they were."""
    moved = _moved(of, role)
    if moved is None:
        return f"The disks of {say.end(of.operation, role)} were not captured."
    verb = "delivered" if role == SOURCE else "took"
    text = f"The disks of {say.end(of.operation, role)} {verb} {words.rate(moved.mean)} on average, at most {words.rate(moved.highest)} (n = {moved.n})"  # fmt: skip
    busy = of.usage(role, "disk_busy")
    if busy is not None:
        text += f"; the busiest one was busy for {say.percent(busy.mean / 100)} of the time"
    return text + "."


def _card(of: Seeded) -> str:
    for role in (SOURCE, TARGET):
        busy = of.usage(role, CARD[role])
        sent = of.usage(role, "network_sent" if role == SOURCE else "network_received")
        if sent is None:
            continue
        text = f"The card of {say.end(of.operation, role)} moved {words.rate(sent.mean)} ({of_link(sent)}, n = {sent.n})"
        if busy is None:
            return f"{text}; its bandwidth was not captured.{_link(sent)}"
        text += f", {say.percent(busy.mean / 100)} of its bandwidth"
        if any(each.usage == busy for each in of.limiter.saturated):
            return f"{text}: it was full."
        slower = "the card was not full, so the path between them (or a single stream over it) is slower than the cards say"
        return f"{text}: {slower}.{_link(sent)}"
    return "The network cards were not captured."


def _link(sent: Usage) -> str:
    """Name the link that such a rate would fill; "" where it is that of no link, or the card's own."""
    for link in LINKS:
        is_less = sent.capacity is None or link < FILLED * sent.capacity
        if is_less and FILLED * link <= sent.p50 <= link:
            return f" That is what a {words.number(link * 8 / 1e9)} Gb/s link carries ({say.percent(sent.p50 / link)} of it, p50)."
    return ""


def _idle_disks(of: Seeded, found: Study) -> str:
    """Say that the disks of both ends were not full, and what they were seen to do in other copies."""
    told = []
    for role in (SOURCE, TARGET):
        moved, busy = _moved(of, role), of.usage(role, "disk_busy")
        if moved is None or busy is None or busy.p50 >= 100 * found.limits.seeding_disk_busy_share:
            continue
        verb = "read" if role == SOURCE else "wrote"
        text = f"those of {say.end(of.operation, role)} {verb} {words.rate(moved.mean)} and were busy for {say.percent(busy.mean / 100)} of the time"
        others = [(other.highest, each) for each in found.seeded if each is not of and (other := _same(each, moved))]  # fmt: skip
        most, best = max(others, key=lambda each: each[0], default=(0.0, None))
        if best is not None and most > moved.highest:
            text += f" (in seeding {best.operation.number} they {verb} up to {words.rate(most)})"
        told.append(text)
    return f"The disks were not the limit: {words.listing(told)}." if told else ""


def _moved(of: Seeded, role: str) -> Usage | None:
    return of.usage(role, "disk_read" if role == SOURCE else "disk_written")


def _same(of: Seeded, moved: Usage) -> Usage | None:
    """Give what the same disks did in another copy."""
    return next((u for u in of.usages if (u.host, u.resource) == (moved.host, moved.resource)), None)
