"""access.endpoint: two replicas of which one does not reach the endpoint of the other, or is refused there.

Sources: Microsoft documentation, "Database Engine events and errors" (9642, 9692, 9693, 1418, 1456, 1474,
28024 to 28080, 35201), "Troubleshoot Always On Availability Groups Configuration", "Always On Availability
Groups troubleshooting and monitoring guide".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from agtrace.diagnostics.access.handshakes import CERTIFICATE, HANDSHAKE, REFUSED, TIMEOUT, is_expired
from agtrace.diagnostics.access.measures import ENTRIES
from agtrace.diagnostics.access.pairs import Attempt, KnownConnections, is_consequence
from agtrace.diagnostics.access.rows import Connections
from agtrace.measure.platforms import likely
from agtrace.measures import Measured, quoted
from agtrace.say import words
from agtrace.say.finding import window
from agtrace.say.said import Judged
from agtrace.thresholds import Thresholds

QUIET = timedelta(minutes=30)
"""Replicas retry continually: a log without further entries for this long shows that it has ended."""
NEAR = timedelta(minutes=10)
"""Within this time of a refused handshake, network errors between the two hosts are its consequence."""
SHOWN, SHOWN_THEIRS = 3, 2
LONG = timedelta(hours=2)
"""Refusals that last this long are a warning, even if the two hosts were connected afterwards."""
BRIEF = timedelta(minutes=5)
"""A network failure no longer than this before the log ends may be a restart of the far end."""
WORST = "warning"
BY_TEXT, BY_STATE, BY_NETWORK, UNSEEN = 0.95, 0.7, 0.8, 0.6


@dataclass(frozen=True)
class Trouble:
    """The entries of one pair of hosts and one kind of failure.

    Parameters
    ----------
    own
        Entries of the host, in chronological order.
    theirs
        All entries of the far end about this pair at that time.
    """

    host: str
    far: str
    kind: str
    own: Sequence[Attempt]
    theirs: Sequence[Attempt] = ()

    @property
    def n(self) -> int:
        return sum(one.n for one in self.own)

    @property
    def first(self) -> datetime:
        return min(one.first for one in self.own)

    @property
    def last(self) -> datetime:
        return max(one.last for one in self.own)

    @property
    def most(self) -> Attempt:
        """Return the entry for the texts: the most frequent of those with the highest certainty."""
        counts: Counter[tuple[bool, str]] = Counter()
        for one in self.own:
            counts[bool(one.failure and one.failure.by_text), one.text] += one.n
        ((_sure, text), _n) = max(counts.items(), key=lambda item: (item[0][0], item[1], item[0][1]))
        return next(one for one in self.own if one.text == text)


def judged(found: Iterable[Trouble], known: KnownConnections) -> list[Judged]:
    """Return a verdict for each pair with trouble."""
    return [_judged(each, known) for each in found]


def troubles(tried: Sequence[Attempt], known: KnownConnections, limits: Thresholds) -> list[Trouble]:
    """Return the trouble of each pair, without duplicates, ordered by start."""
    of: dict[tuple[str, str, str], list[Attempt]] = defaultdict(list)
    by_pair: dict[tuple[str, str], list[Attempt]] = defaultdict(list)
    for one in tried:
        by_pair[one.host, one.far].append(one)
        if one.failure is not None and one.host and not is_consequence(one, known):
            of[one.host, one.far, one.failure.kind].append(one)
    found = [Trouble(*key, _counted_once(own)) for key, own in of.items()]
    found = [each for each in found if not _is_short(each, known, limits)]
    told = {(each.host, each.far, each.kind): each for each in found}
    kept = [
        Trouble(each.host, each.far, each.kind, each.own, _near(by_pair.get((each.far, each.host), ()), each))
        for each in found
        if not _is_told(each, told) and not _is_behind(each, found)
    ]
    return sorted(kept, key=lambda each: (each.first, each.host, each.far, each.kind))


def _counted_once(own: list[Attempt]) -> list[Attempt]:
    """Return entries without those recorded twice, by a session and the ERRORLOG."""
    of: dict[str, list[Attempt]] = defaultdict(list)
    for one in own:
        of[one.source].append(one)
    # 35201 comes from the timeline, which already counts it once.
    return max(of.values(), key=lambda ones: (sum(one.n for one in ones), ones[0].source))


def _is_short(each: Trouble, known: KnownConnections, limits: Thresholds) -> bool:
    """Return whether the network failed for no longer than a restart takes."""
    if each.kind in HANDSHAKE or not each.far:
        return False
    back = known.connected_after(each.host, each.far, each.last)
    if back is None and ended(each, known)[0] == "failing":
        return False  # The log ends with it.
    until = back.time if back is not None and back.time is not None else each.last
    return bool((until - each.first).total_seconds() < 60 * limits.disconnect_minutes)


def _is_told(each: Trouble, told: dict[tuple[str, str, str], Trouble]) -> bool:
    """Return whether the other end has more of the same and is reported instead."""
    other = told.get((each.far, each.host, each.kind))
    if other is None:
        return False
    return (-other.n, other.first, other.host) < (-each.n, each.first, each.host)


def _is_behind(each: Trouble, found: Iterable[Trouble]) -> bool:
    """Return whether a network failure of two follows from a refusal that one of them logged."""
    if each.kind in HANDSHAKE:
        return False
    before = (*HANDSHAKE, REFUSED) if each.kind == TIMEOUT else HANDSHAKE
    return any(
        other.kind in before
        and {other.host, other.far} == {each.host, each.far}
        and other.first - NEAR <= each.last
        and each.first <= other.last + NEAR
        for other in found
    )


def _near(ones: Iterable[Attempt], each: Trouble) -> list[Attempt]:
    return [one for one in ones if each.first - NEAR <= one.last and one.first <= each.last + NEAR]


def _judged(each: Trouble, known: KnownConnections) -> Judged:
    main = each.most
    assert main.failure is not None
    how, back = ended(each, known)
    is_named = each.far in known.partners.get(each.host, {}) or not main.address
    watched = bool(each.far) and known.is_watched(each.far, each.first - NEAR, each.last + NEAR)
    is_long = each.last - each.first >= LONG
    is_brief = each.kind not in HANDSHAKE and each.last - each.first < BRIEF
    severity = WORST if (is_long or how in ("failing", "open")) and is_named and not is_brief else "notice"
    ends = (each.first, each.last)
    first, last = (end.replace(tzinfo=None) for end in ends) if main.is_local else ends
    subject = {"host": each.host, "replica": main.replica, "kind": each.kind}
    ports = Counter(one.port for one in (*each.own, *each.theirs) if one.port)
    stopped = [row for row in known.stopped if row.host_id == each.far and row.time <= each.last]
    return Judged(
        said=f"endpoint.{each.kind}",
        id="access.endpoint",
        severity=severity if known.is_grouped(each.host) else "info",
        subject={name: value for name, value in subject.items() if value},
        window=window(first, last, is_local=main.is_local),
        evidence=(
            ENTRIES(each.n, f"{main.source} of {each.host}"),
            *_shown(each.own, SHOWN, "its text", known),
            *_shown(each.theirs, SHOWN_THEIRS, f"{each.far} wrote", known),
            *_connected(back, known),
        ),
        confidence=_confidence(each, main, watched),
        facts={
            "host": each.host, "replica": main.replica, "far": each.far, "n": each.n, "first": first,
            "last": last, "reason": main.failure.reason, "is_own": main.failure.is_own,
            "address": main.address, "is_only": main.is_only, "is_named": is_named, "ended": how,
            "back": back.time if back else None, "watched": watched,
            "theirs": [one.text.rstrip(" .") for one in each.theirs[:1]], "account": main.account,
            "by_text": main.failure.by_text, "url_host": main.url_host,
            "expired": each.kind == CERTIFICATE and is_expired(main.text),
            "port": max(ports, key=ports.__getitem__, default=""), "ag": known.ag(each.host, each.far),
            "stopped": bool(stopped) and not _listens_again(each, known),
            "platform": likely(known.platforms, each.far or each.host),
        },
    )  # fmt: skip


def _listens_again(each: Trouble, known: KnownConnections) -> bool:
    """Return whether the far end restarted, or connected, after its endpoint stopped."""
    stop = max(row.time for row in known.stopped if row.host_id == each.far and row.time <= each.last)
    return any(row.host_id == each.far and row.ready > stop for row in known.away)


def ended(each: Trouble, known: KnownConnections) -> tuple[str, Connections | None]:
    """Return how it ended: connected, quiet, failing until the end of the log, or open."""
    if each.far and (back := known.connected_after(each.host, each.far, each.last)):
        return "connected", back
    if each.own[-1].is_local:
        return "open", None
    until = known.watched_until(each.host, each.last)
    return ("quiet" if until - each.last > QUIET else "failing"), None


def _confidence(each: Trouble, main: Attempt, watched: bool) -> float:
    assert main.failure is not None
    if each.kind not in HANDSHAKE:
        return BY_NETWORK if watched or not each.far else UNSEEN
    sure = BY_TEXT if main.failure.by_text else BY_STATE
    return sure - 0.1 if main.is_only or not main.replica else sure


def _shown(ones: Sequence[Attempt], most: int, label: str, known: KnownConnections) -> list[Measured]:
    counts: Counter[str] = Counter()
    for one in ones:
        counts[one.text] += one.n
    first = {one.text: one for one in reversed(ones)}
    found = []
    for text, n in counts.most_common(most):
        place = known.place(first[text].content_id, first[text].line, first[text].source)
        found.append(quoted(f"{label}, {n:,} x", text, place))
    return found


def _connected(back: Connections | None, known: KnownConnections) -> list[Measured]:
    if back is None:
        return []
    place = known.place(back.content_id, back.line, "timeline")
    return [quoted("connected", words.instant(back.time), place)]
