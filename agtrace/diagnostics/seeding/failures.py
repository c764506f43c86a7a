"""What each reason of a failed seeding is, and which failures are alike; said/reasons.toml holds the words.

The numbers are those of failure_state (documentation "sys.dm_hadr_automatic_seeding"); the hundreds
digit is the side, 1 the source and 2 the target.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agtrace.diagnostics.seeding.study import Seeded, Study
from agtrace.history.seedings.operation import SOURCE, TARGET, Failure
from agtrace.say import words

FEW = 4
"""So many failures of one kind are still told one by one."""

Series = tuple[Seeded, ...]
"""A seeding that was tried again and again and failed alike: told once, not a hundred times."""

_SIDES = {1: SOURCE, 2: TARGET}
STATES = range(26)
"""Documented failure_state, without the hundreds digit."""
_ON_SIDE = frozenset({(15, SOURCE)})
"""Where it is another thing to do on one side."""

MESSAGES = {
    19495: "unrecoverable error",
    19494: "transient error",
    19505: "non-secondary",
    19506: "permission to create databases",
    40040: "VDI Client",
    40684: "already in progress",
    40694: "replication target",
    19496: "",
}
"""Messages of failures without a state, and what their English wording holds; "" where it says nothing."""
UNDOCUMENTED, UNKNOWN = "undocumented", "unknown"


@dataclass(frozen=True)
class Decoded:
    """A reason, with where its words lie.

    Parameters
    ----------
    said
        Its section of said/reasons.toml.
    side
        `SOURCE`, `TARGET`, or "" where the number does not say.
    """

    failure: Failure
    said: str
    side: str = ""

    @property
    def facts(self) -> dict[str, Any]:
        """What its words name."""
        where = f"the {self.side}" if self.side else "both replicas"
        own = {"state": self.failure.state, "text": self.failure.text, "side": self.side}
        return {**own, "where": where, "most": words.TEXT_LIMIT}

    @property
    def key(self) -> tuple[bool, int, str, str]:
        """What is the same of two reasons that are alike; those with a number first."""
        own = self.failure
        return own.state is None, own.state or 0, self.said, own.text


def decode(failure: Failure) -> Decoded:
    """Decode one reason; a number that no list names is told as it is."""
    if failure.state is not None:
        side, number = _SIDES.get(failure.state // 100, ""), failure.state % 100
        if not 0 <= failure.state < 300 or number not in STATES:
            return Decoded(failure, UNDOCUMENTED, side)
        return Decoded(failure, f"{number}_{side}" if (number, side) in _ON_SIDE else f"{number}", side)
    for number, wording in MESSAGES.items():
        is_said = wording and wording.lower() in failure.text.lower()
        if failure.message_id == number or (failure.message_id is None and is_said):
            return Decoded(failure, f"{number}")
    return Decoded(failure, UNKNOWN)


def decode_all(failures: Iterable[Failure]) -> list[Decoded]:
    """Decode reasons, each once, those with a number first."""
    found: dict[tuple[int | None, str], Decoded] = {}
    for failure in failures:
        made = decode(failure)
        found.setdefault((failure.state, made.said if failure.state else failure.text), made)
    return sorted(found.values(), key=lambda d: d.failure.state is None)


def alike(found: Study) -> list[Series]:
    """Give the failures of one database between the same ends, for the same reasons, where many.

    Those that a later seeding mended are apart from those that nothing mended.
    """
    groups: dict[tuple[object, ...], list[Seeded]] = {}
    for each in found.seeded:
        operation = each.operation
        if operation.outcome not in ("failed", "cut_off"):
            continue
        mended, name = found.mended(operation), operation.database or operation.database_guid or ""
        ends = [(side.role, side.host) for side in operation.sides]
        reasons = sorted(reason.key for reason in decode_all(operation.failures))
        key = (name.lower(), *ends, operation.outcome, mended and mended.number, *reasons)
        groups.setdefault(key, []).append(each)
    return [tuple(group) for group in groups.values() if len(group) > FEW]
