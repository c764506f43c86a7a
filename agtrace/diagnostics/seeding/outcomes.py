"""The outcome of each seeding: completed, failed, stalled, or without a recorded end.

Also the reason of each failure, and groups of equal failures; said/reasons.toml has the texts. The
numbers are those of failure_state (documentation "sys.dm_hadr_automatic_seeding"); the hundreds digit is the
side, 1 the source and 2 the target.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from agtrace.diagnostics.seeding import verdict as vd
from agtrace.diagnostics.seeding.rows import Stall
from agtrace.diagnostics.seeding.study import SHORTEST_S, Seeded, Study
from agtrace.diagnostics.seeding.verdict import SAID, Verdict, verdict
from agtrace.history.seedings import SOURCE, TARGET, XEL, Failure
from agtrace.measure.usage import CoreLoads, Usage
from agtrace.measures import Measure, Measured, quoted
from agtrace.say import words

WHOLE = Measure("whole", "time from request to end", "s")
SEEN = Measure("seen", "time of what was seen", "s")
TIMES = Measure("failed", "failed in this way", "n")
STOOD = Measure("stood", "time in {where} without progress", "s")
BESIDE = Measure("beside", "other backups or seedings captured meanwhile", "n")


def of_outcomes(found: Study) -> list[Verdict]:
    """Return one verdict per operation on its result; similar failures share one."""
    made = []
    series = {each.operation.number: group for group in alike(found) for each in group}
    for each in found.seeded:
        group = series.get(each.operation.number, (each,))
        tell = _TELLS.get(each.operation.outcome)
        if tell is not None and each is group[-1]:
            made.append(tell(group, found))
        if each.stall is not None:
            made.append(_stalled(each, each.stall, found))
        elif each.operation.outcome == "running":
            made.append(_without_end(each))
    return made


def _completed(group: Series, found: Study) -> Verdict:
    (of,) = group
    return verdict(
        vd.COMPLETED if XEL in of.operation.told_by else vd.COMPLETED_UNTRACED,
        of,
        "completed",
        window=of.seen,
        evidence=(*_duration(of), *(each for of_kind in _EVIDENCE for each in of_kind(of))),
        sent=_sent(of),
        mean_on_the_wire=(of.compressed.wire_bytes or 0) / of.lasted if of.lasted else None,
        processors=_processors(of),
        busy=[usage.host for usage in of.limiter.busy_cpu],
        cores=[_cores(loads, found) for loads in of.cores],
        catchup=of.catchup_s if of.catchup_s is not None and of.catchup_s >= SHORTEST_S else None,
        reasons=decode_all(of.operation.failures),
    )


_EVIDENCE = (vd.of_copy, vd.of_waits, vd.of_processors, vd.of_disks, vd.of_cards, vd.of_redo)


def _cores(loads: CoreLoads, found: Study) -> dict[str, Any]:
    spread = {"low": min(loads.means.values()), "high": loads.means[loads.busiest]}
    is_even = loads.evenness >= found.limits.seeding_even_share
    worth = f"{len(loads.means) * loads.evenness:.1f}"
    return {"loads": loads, **spread, "is_even": is_even, "worth": worth}


def _duration(of: Seeded) -> list[Measured]:
    if of.lasted is None:
        return [quoted("outcome", of.operation.outcome.replace("_", " "), vd.told_by(of))]
    return [(WHOLE if of.is_whole else SEEN)(round(of.lasted, 1), vd.told_by(of))]


def _sent(of: Seeded) -> Usage | None:
    """Return the traffic on the wire: rates from graphs are plateaus, so shown beside the mean."""
    is_known = of.compressed.wire_bytes is not None and of.lasted and of.is_whole
    sent = of.usage(SOURCE, "network_sent") or of.usage(TARGET, "network_received")
    return sent if is_known else None


def _processors(of: Seeded) -> list[tuple[str, Usage, str | None]]:
    """Return the processors of each end during the copy, with their core-seconds per GB."""
    found = []
    for side in of.operation.sides:
        usage, spent = of.usage(side.role, "cpu"), of.work(side.role)
        if usage is not None:
            found.append((of.end(side.role), usage, None if spent is None else f"{spent:.1f}"))
    return found


def _already_present(group: Series, _found: Study) -> Verdict:
    (of,) = group
    return verdict(vd.ALREADY_PRESENT, of, "already_present", window=of.seen, evidence=_duration(of))


def _failed(group: Series, found: Study) -> Verdict:
    """Return the verdict on a failure; the last one of a kind."""
    *before, of = group
    n = len(group)
    operation, is_cut = of.operation, of.operation.outcome == "cut_off"
    period, counted = of.seen, []
    if before:
        period = (group[0].begun, operation.end or of.begun)
        first = quoted("the first of them", words.moment(group[0].begun), vd.told_by(group[0]))
        counted = [TIMES(n, vd.told_by(of)), first]
    reasons = decode_all(operation.failures)
    mended = found.mended(operation)
    return verdict(
        vd.CUT_OFF if is_cut and not reasons else vd.FAILED,
        of,
        "failed",
        severity="" if mended is None else "warning",
        window=period,
        evidence=(*counted, *_reasons(of, reasons), *vd.of_copy(of)),
        n=n,
        first=period[0],
        last=period[1],
        is_cut=is_cut,
        reasons=reasons,
        mended=mended,
    )


_TELLS = {"completed": _completed, "already_present": _already_present, "failed": _failed, "cut_off": _failed}
"""Functions that report an outcome, of one seeding or of several reported together."""


def _reasons(of: Seeded, reasons: list[Decoded]) -> list[Measured]:
    found = []
    for each in reasons:
        own = each.failure
        name = SAID.text(f"reasons.{each.said}.name", {}) or "as reported"
        found.append(quoted(f"reason: {name}", own.text if own.state is None else own.state, own.where))
    return found or [quoted("outcome", of.operation.outcome.replace("_", " "), vd.told_by(of))]


def _stalled(of: Seeded, stall: Stall, found: Study) -> Verdict:
    host, kind, counted = of.end(stall.role), vd.STALLED, []
    seen = found.log_coverage(host, stall.host)
    if stall is of.slot:
        kind = vd.STALLED_FOR_SLOT if seen["is_logged"] else vd.STALLED_UNLOGGED
        counted = [BESIDE(0, "captures of the case")]
    is_over = stall.is_over or found.mended(of.operation) is not None
    stood = STOOD.about(where=stall.state)(round(stall.seconds, 1), f"{vd.told_by(of)}, {host}")
    return verdict(
        kind,
        of,
        "stalled.slot" if stall is of.slot else "stalled.copy",
        severity="warning" if is_over else "",
        window=(stall.start, stall.end),
        evidence=(stood, *counted),
        stall=stall,
        **seen,
    )


def _without_end(of: Seeded) -> Verdict:
    states = [side.states[-1] for side in of.operation.sides if side.states]
    return verdict(
        vd.WITHOUT_END,
        of,
        "without_end",
        window=of.seen,
        evidence=(quoted("end of the seeding", "not captured", vd.told_by(of)),),
        last=max(states, key=lambda state: state.time, default=None),
    )


FEW = 1
"""With more failures of one kind than this, they are one finding with their number."""

Series = tuple[Seeded, ...]
"""A seeding retried with the same failure: reported once, with the number of attempts."""

_SIDES = {0: "", 1: SOURCE, 2: TARGET}
STATES = range(26)
"""Documented failure_state, without the hundreds digit."""
_ON_SIDE = frozenset({(15, SOURCE)})
"""States with a different meaning on one side."""

UNREAD = 3203
"""The source could not read a file of its own database: the cause of all other errors beside it."""
MESSAGES = {
    19495: "unrecoverable error",
    19494: "transient error",
    19505: "non-secondary",
    19506: "permission to create databases",
    40040: "VDI Client",
    40684: "already in progress",
    40694: "replication target",
    19496: "",
    UNREAD: 'read on "',
}
"""Messages of failures without a state, with a part of their English text; "" if the text has no meaning."""
UNDOCUMENTED, UNKNOWN = "undocumented", "unknown"


@dataclass(frozen=True)
class Decoded:
    """A reason, with the name of its texts.

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
        """Return the values used in its texts."""
        where = f"the {self.side}" if self.side else "both replicas"
        own = {"state": self.failure.state, "text": self.failure.text, "side": self.side}
        return {**own, "where": where, "most": words.TEXT_LIMIT}

    @property
    def is_unread(self) -> bool:
        """Return whether a file of the database could not be read."""
        return self.said == f"{UNREAD}"

    @property
    def key(self) -> tuple[bool, int, str, str]:
        """Return the sort key, equal for equal reasons; those with a number come first."""
        own = self.failure
        text = "" if self.is_unread else own.text
        return own.state is None, own.state or 0, self.said, text


def decode(failure: Failure) -> Decoded:
    """Decode one reason; an undocumented number is shown as it is."""
    if failure.state is not None:
        side, number = _SIDES.get(failure.state // 100), failure.state % 100
        if side is None or number not in STATES:
            return Decoded(failure, UNDOCUMENTED, side or "")
        return Decoded(failure, f"{number}_{side}" if (number, side) in _ON_SIDE else f"{number}", side)
    for number, wording in MESSAGES.items():
        is_said = wording and wording.lower() in failure.text.lower()
        if failure.message_id == number or (failure.message_id is None and is_said):
            return Decoded(failure, f"{number}")
    return Decoded(failure, UNKNOWN)


def decode_all(failures: Iterable[Failure]) -> list[Decoded]:
    """Return decoded reasons without duplicates, those with a number first."""
    found: dict[tuple[int | None, str], Decoded] = {}
    for failure in failures:
        made = decode(failure)
        is_one = bool(failure.state) or made.is_unread
        found.setdefault((failure.state, made.said if is_one else failure.text), made)
    return sorted(found.values(), key=lambda d: (not d.is_unread, d.failure.state is None))


def alike(found: Study) -> list[Series]:
    """Return repeated failures of one database between the same ends, for the same reasons.

    Failures followed by a successful seeding are separate from those that were never resolved.
    """
    groups: dict[tuple[object, ...], list[Seeded]] = {}
    remotes: dict[str, set[str]] = defaultdict(set)
    for each in found.seeded:
        name = each.operation.database or each.operation.database_guid or ""
        remotes[name.lower()] |= {side.remote for side in each.operation.sides if side.remote}
    for each in found.seeded:
        operation = each.operation
        if operation.outcome not in ("failed", "cut_off"):
            continue
        mended, name = found.mended(operation), operation.database or operation.database_guid or ""
        ends = [
            (side.role, side.host, side.remote or _only(remotes[name.lower()])) for side in operation.sides
        ]
        reasons = sorted(reason.key for reason in decode_all(operation.failures))
        key = (name.lower(), *ends, operation.outcome, mended and mended.number, *reasons)
        groups.setdefault(key, []).append(each)
    return [tuple(group) for group in groups.values() if len(group) > FEW]


def _only(names: set[str]) -> str | None:
    """Return the other end that every attempt of a database which names one has."""
    return next(iter(names)) if len(names) == 1 else None
