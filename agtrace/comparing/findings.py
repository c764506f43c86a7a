"""Findings that came and went, and the numbers in those that stayed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable

from agtrace.comparing.rows import CAME, CHANGED, OPEN, SAME, TURNED, WENT, ComparedFinding, Moved
from agtrace.comparing.sides import Pairing, Side
from agtrace.say.finding import SEVERITY_ORDER, Finding

MOST_MOVED = 4
"""Most numbers of one finding in the text."""
ABOUT_CAPTURES = "quality."
"""Findings that weaken answers are not properties of the servers."""

STATES = (
    frozenset(
        f"transport.{name}"
        for name in (
            "healthy", "network_limited", "window_limited", "send_limited", "suspended", "flow_control",
            "harden_limited", "redo_limited", "redo_blocked",
        )
    ),
    frozenset(f"seeding.{name}" for name in ("completed", "failed", "stalled")),
    frozenset(f"compare.{name}" for name in ("difference", "no_difference")),
)  # fmt: skip
"""Findings that replace each other: if one went and another came, the finding turned."""
OF_THE_WORST = ("transport.rpo", "transport.rto")
"""Findings whose subject is the worst database: a different database is not a different finding."""

Key = tuple[str, tuple[tuple[str, str], ...]]


def compared_findings(before: Side, after: Side, pairing: Pairing, alike: float) -> list[ComparedFinding]:
    """Compare findings by id and subject; return the most severe differences first.

    Parameters
    ----------
    alike
        Numbers of the evidence count as equal within this share.
    """
    found: list[ComparedFinding] = []
    for question in {**before.findings, **after.findings}:
        sides = tuple(
            _by_key(side.findings.get(question, []), pairing, place)
            for place, side in enumerate((before, after))
        )
        is_lacking = tuple(question in side.unanswered for side in (before, after))
        why = question if any(is_lacking) else ""
        found += _of_question(sides[0], sides[1], is_lacking, why, pairing, alike)
    return sorted(found, key=_rank)


def _rank(each: ComparedFinding) -> tuple[object, ...]:
    return (
        not each.differs,
        is_about_captures(each),
        -SEVERITY_ORDER.index(each.severity),
        each.verdict == OPEN,
        each.ids[1] or each.ids[0],
        each.about,
    )


def _by_key(findings: list[Finding], pairing: Pairing, place: int) -> dict[Key, list[Finding]]:
    found: dict[Key, list[Finding]] = defaultdict(list)
    for finding in findings:
        subject = pairing.subject(finding.subject, place)
        found[finding.id, tuple(sorted(subject.items()))].append(finding)
    for own in found.values():
        own.sort(key=lambda f: -SEVERITY_ORDER.index(f.severity))
    return dict(found)


def _of_question(
    first: dict[Key, list[Finding]],
    second: dict[Key, list[Finding]],
    is_lacking: tuple[bool, ...],
    why: str,
    pairing: Pairing,
    alike: float,
) -> list[ComparedFinding]:
    both = [key for key in first if key in second]
    found = [_stayed(key, first[key], second[key], pairing, alike) for key in both]
    gone, new = ({key: own for key, own in side.items() if key not in both} for side in (first, second))
    for key, other in _in_place_of(gone, new):
        own = gone.pop(key), new.pop(other)
        if other[0] == key[0]:
            found.append(_stayed(other, *own, pairing, alike))
        else:
            found.append(_put(other, (key, other), own, TURNED))
    for key, own_gone in gone.items():
        found.append(_put(key, (key, None), (own_gone, []), OPEN if is_lacking[1] else WENT, why))
    for key, own_new in new.items():
        found.append(_put(key, (None, key), ([], own_new), OPEN if is_lacking[0] else CAME, why))
    return found


def _in_place_of(gone: Iterable[Key], new: Iterable[Key]) -> list[tuple[Key, Key]]:
    """Return pairs of a finding that is gone and a new one in its place."""
    sides: tuple[dict[tuple[object, ...], list[Key]], ...] = (defaultdict(list), defaultdict(list))
    for keys, found in zip((gone, new), sides, strict=True):
        for key in keys:
            found[_states(key)].append(key)
    both = ((own, sides[1].get(states, [])) for states, own in sides[0].items())
    return [(own[0], others[0]) for own, others in both if len(own) == len(others) == 1]


def _states(key: Key) -> tuple[object, ...]:
    """Return the key that two findings must share for one to replace the other."""
    name, subject = key
    if name in OF_THE_WORST:
        return name, tuple(each for each in subject if each[0] != "database")
    return next((states for states in STATES if name in states), name), subject


def _put(
    key: Key,
    keys: tuple[Key | None, Key | None],
    own: tuple[list[Finding], list[Finding]],
    verdict: str,
    why: str = "",
    moved: tuple[Moved, ...] = (),
) -> ComparedFinding:
    first, second = own
    ids = (keys[0][0] if keys[0] else "", keys[1][0] if keys[1] else "")
    severities = (first[0].severity if first else "", second[0].severity if second else "")
    titles = (first[0].title if first else "", second[0].title if second else "")
    about = ", ".join(f"{name} {value}" for name, value in key[1] if value)
    return ComparedFinding(ids, severities, titles, (len(first), len(second)), about, verdict, moved, why)


def _stayed(
    key: Key, first: list[Finding], second: list[Finding], pairing: Pairing, alike: float
) -> ComparedFinding:
    moved = _moved(first[0], second[0], pairing, alike) if len(first) == len(second) == 1 else []
    severities = ([f.severity for f in first], [f.severity for f in second])
    is_quiet = severities == (["info"], ["info"]) or key[0].startswith(ABOUT_CAPTURES)
    verdict = SAME if severities[0] == severities[1] and (is_quiet or not moved) else CHANGED
    return _put(key, (key, key), (first, second), verdict, moved=tuple(moved[:MOST_MOVED]))


def _moved(first: Finding, second: Finding, pairing: Pairing, alike: float) -> list[Moved]:
    """Return the numbers of both with the same unit that differ, largest difference first."""
    before, after = (_numbers(finding, pairing, place) for place, finding in enumerate((first, second)))
    found = [
        Moved(label, before[label, unit], after[label, unit], unit)
        for label, unit in before
        if (label, unit) in after and _differ(before[label, unit], after[label, unit], alike)
    ]
    return sorted(found, key=lambda each: (-_apart(each.before, each.after), each.label))


def _numbers(finding: Finding, pairing: Pairing, place: int) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    own = set(finding.subject.values())
    renamed = [
        (name, host.name)
        for host in pairing.hosts
        if (name := (host.before, host.after)[place]) != host.name and (host.name in own or name in own)
    ]
    for each in finding.evidence:
        if isinstance(each.value, int | float) and not isinstance(each.value, bool):
            label = each.label
            for name, both in renamed:
                label = label.replace(name, both)
            found.setdefault((label, each.unit), float(each.value))
    return found


def _differ(first: float, second: float, alike: float) -> bool:
    return abs(first - second) > alike * max(abs(first), abs(second))


def _apart(first: float, second: float) -> float:
    if first * second <= 0:
        # The distance from a number of the other sign, or from zero, would depend on the unit alone.
        return 0.0
    return abs(math.log(first / second))


def is_about_captures(told: ComparedFinding) -> bool:
    """Return whether a finding is about the captures, and not the servers."""
    return all(name.startswith(ABOUT_CAPTURES) for name in told.ids if name)
