"""Whether a seeding stream was compressed: the one place that decides.

Bytes on the wire against bytes of the database decide; the trace flag of the source corroborates.
The column is_compression_enabled is reported and never decides: it is known to stay 0 while the
stream is compressed. `agtrace.say.stream` words the reasons.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from agtrace.history.base import View
from agtrace.history.seedings.copying import Copying
from agtrace.history.seedings.operation import Operation
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.history.trace_flags.span import FlagSpan, at, trace_flag
from agtrace.measure import usage as resources
from agtrace.measure.usage import Usage, Window
from agtrace.thresholds import Thresholds

BESIDE = timedelta(seconds=60)
"""Length of the spans before and after a copy whose traffic is subtracted."""
APART = timedelta(seconds=5)
"""Distance between a copy and those spans, for data that its ends still send."""


# Why a stream counts as compressed or not, or why that is not decided.
DECIDED = "decided"
UNSEEN, NOT_ALONE, RARE, USUAL, ENDS, FOREIGN = "unseen", "not_alone", "rare", "usual", "ends", "foreign"
AGAINST_FLAG, DESPITE_FLAG, TRAFFIC, BETWEEN = "against_flag", "despite_flag", "traffic", "between"
BACKED_UP = "backed_up"


@dataclass(frozen=True)
class Reason:
    """Why it is so: one of the names above, and the figures that decide."""

    name: str
    figures: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Compressed:
    """Whether a stream was compressed, and what says so.

    Parameters
    ----------
    verdict
        True, False, or None where the captures do not decide.
    ratio
        Bytes on the wire over bytes of the database, None where either is not known.
    flag_says
        is_compression_enabled as reported, by either end; None where not captured.
    trace_flag
        Whether trace flag 9567 was on at the source while it copied; None where not known, or where
        ``flag_source`` names what changed it meanwhile.
    reason
        What decides, or why nothing does.
    wire_source
        Which card's counter gave the wire bytes, host included.
    is_net
        Whether the traffic beside the copy was captured and is taken off.
    ends
        How many ends' cards were captured.
    """

    verdict: bool | None
    ratio: float | None
    wire_bytes: float | None
    database_bytes: int | None
    flag_says: bool | None
    trace_flag: bool | None
    reason: Reason
    wire_source: str = ""
    flag_source: str = ""
    n: int = 0
    is_net: bool = True
    ends: int = 0

    @property
    def verdict_name(self) -> str:
        """The verdict by its name."""
        return {True: "compressed", False: "not compressed", None: "not decided"}[self.verdict]


@dataclass(frozen=True)
class _Wire:
    """Bytes of the copy on one end's cards; ``low`` and ``high`` are the bounds given by other traffic.

    ``other`` is the usual share of other traffic in all bytes of the cards.
    """

    amount: float
    low: float
    high: float
    other: float
    host: str
    who: str
    n: int
    is_enough: bool
    is_net: bool


def judge(
    operation: Operation,
    usages: Iterable[Usage],
    baseline: Iterable[Usage],
    flags: Iterable[FlagSpan],
    limits: Thresholds | None = None,
    *,
    is_alone: bool = True,
    backed_up: Collection[str] = (),
) -> Compressed:
    """Judge one operation.

    Parameters
    ----------
    usages
        What the hosts did during its copy (windows of other operations are not passed).
    baseline
        The same for stretches beside it, whose traffic is taken off; see `beside`.
    flags
        Spans of trace flag 9567.
    limits
        Thresholds; the defaults when None.
    is_alone
        False where another copy of the same hosts ran meanwhile, so that their wire bytes mix.
    backed_up
        Hosts on which another backup or restore ran meanwhile, perhaps over the same cards.
    """
    limits = limits or Thresholds()
    spans = list(flags)
    host = operation.source.host if operation.source else None
    changed = _changed(spans, host, operation)
    span = None if changed else at(spans, host, operation.copy_start)
    said = [s.is_compression_enabled for s in operation.sides if s.is_compression_enabled is not None]
    wires = _wires(operation, list(usages), list(baseline), limits)
    wire = min(wires, key=lambda w: w.amount, default=None)
    copied = operation.copied_bytes
    ratio = wire.amount / copied if wire and copied else None
    verdict: bool | None = None
    if wire is None or not copied or ratio is None:
        reason = Reason(UNSEEN, {"wire": bool(wires)})
    elif open_ := _open(wires, ratio, limits, is_alone):
        reason = open_
    else:
        verdict, reason = _verdict(wire, copied, span, limits)
        if verdict is False and len(wires) == 1 and wire.host in backed_up:
            verdict, reason = None, Reason(BACKED_UP, {"ratio": ratio, "host": wire.host})
    return Compressed(
        verdict=verdict,
        ratio=ratio,
        wire_bytes=wire.amount if wire else None,
        database_bytes=copied,
        flag_says=any(said) if said else None,
        trace_flag=span.is_on if span else None,
        reason=reason,
        wire_source=wire.who if wire else "",
        flag_source=next((each.where for each in (span, changed) if each), ""),
        n=wire.n if wire else 0,
        is_net=wire.is_net if wire else False,
        ends=len(wires),
    )


def _changed(spans: list[FlagSpan], host: str | None, operation: Operation) -> FlagSpan | None:
    """Return the change of the trace flag during the copy."""
    begin, end = operation.copy_start, operation.copy_end
    if begin is None or end is None:
        return None
    before = at(spans, host, begin)
    return next(
        (
            s
            for s in spans
            if s.host == host and begin < s.start < end and s.is_on != (before.is_on if before else None)
        ),
        None,
    )


def judge_compression(
    view: View, operations: Sequence[Operation], limits: Thresholds | None = None
) -> dict[int, Compressed]:
    """Judge operations from the case itself, by their number."""
    cards = ("network_sent", "network_received")
    windows = copy_windows(operations)
    copying = Copying(operations)
    baselines = [w for o in operations for w in beside(o, copying)]
    of_copies = _by_operation(resources.usage(view, windows, cards) if windows else [])
    of_baselines = _by_operation(resources.usage(view, baselines, cards) if baselines else [])
    flags = trace_flag(view, SEEDING_COMPRESSION)
    logged = view.rows(OTHERS) if of_copies else []
    return {
        o.number: judge(
            o,
            of_copies[o.number],
            of_baselines[o.number],
            flags,
            limits,
            is_alone=copying.is_alone(o),
            backed_up=_backed_up(o, logged, limits or Thresholds()),
        )
        for o in operations
    }


def _by_operation(usages: Iterable[Usage]) -> dict[int, list[Usage]]:
    found: dict[int, list[Usage]] = defaultdict(list)
    for usage in usages:
        found[abs(usage.window)].append(usage)
    return found


OTHERS = """
    select host_id, media, start, "end" from backups
    where host_id is not null and start is not null and "end" is not null
"""


def _backed_up(operation: Operation, logged: Iterable[dict[str, Any]], limits: Thresholds) -> set[str]:
    """Return the hosts with another backup or restore during much of the copy."""
    begin, end, seconds = operation.copy_start, operation.copy_end, operation.copy_seconds
    if begin is None or end is None or not seconds:
        return set()
    least_s = limits.seeding_other_backup_share * seconds
    return {
        row["host_id"]
        for row in logged
        if row["media"] != "VIRTUAL_DEVICE"
        and (min(row["end"], end) - max(row["start"], begin)).total_seconds() >= least_s
    }


def copy_windows(operations: Iterable[Operation]) -> list[Window]:
    """Return the windows of the copies with known times, numbered like the operations."""
    return [
        Window(o.number, o.copy_start, o.copy_end, o.database)
        for o in operations
        if o.copy_start is not None and o.copy_end is not None and o.copy_end > o.copy_start
    ]


def beside(operation: Operation, copying: Copying) -> list[Window]:
    """Return the windows before (minus its number) and after (its number) a copy.

    One that another copy reaches into is left out.
    """
    begin, end = operation.copy_start, operation.copy_end
    if begin is None or end is None:
        return []
    stretches = [
        Window(-operation.number, begin - APART - BESIDE, begin - APART),
        Window(operation.number, end + APART, end + APART + BESIDE),
    ]
    return [w for w in stretches if not copying.reach_into(w.start, w.end)]


def _wires(
    operation: Operation, usages: list[Usage], baseline: list[Usage], limits: Thresholds
) -> list[_Wire]:
    """Return the bytes on the wire at each captured end."""
    seconds, doubt = operation.copy_seconds, limits.seeding_other_traffic_share
    found = []
    for side, resource, word in (
        (operation.source, "network_sent", "sent by"),
        (operation.target, "network_received", "received by"),
    ):
        if side is None or side.host is None or not seconds:
            continue
        during = next((u for u in usages if (u.host, u.resource) == (side.host, resource)), None)
        if during is None:
            continue
        beside = [u.mean for u in baseline if (u.host, u.resource) == (side.host, resource)]
        usual = sum(beside) / len(beside) if beside else 0.0
        # Other traffic of the cards during the copy is not visible: it may have been more or less than usual.
        most, least = max([usual * (1 + doubt), *beside]), min([usual * (1 - doubt), *beside])
        amount, low, high = (max(during.mean - other, 0.0) * seconds for other in (usual, most, least))
        other = usual / during.mean if during.mean else 0.0
        enough, who = resources.is_enough(during, limits), f"{word} {side.host}"
        found.append(_Wire(amount, low, high, other, side.host, who, during.n, enough, bool(beside)))
    return found


def _open(wires: list[_Wire], ratio: float, limits: Thresholds, is_alone: bool) -> Reason | None:
    """Return why the bytes on the wire are inconclusive; None if not."""
    if not is_alone:
        return Reason(NOT_ALONE, {"ratio": ratio})
    if short := next((each for each in wires if not each.is_enough), None):
        return Reason(RARE, {"who": short.who, "n": short.n})
    if (usual := max(wires, key=lambda w: w.other)).other > limits.seeding_other_traffic_share:
        return Reason(USUAL, {"share": usual.other, "who": usual.who})
    apart = abs(wires[0].amount - wires[-1].amount)
    if apart > limits.seeding_ends_share * max(each.amount for each in wires):
        amounts = {"bytes": wires[0].amount, "who": wires[0].who}
        return Reason(ENDS, amounts | {"other_bytes": wires[1].amount, "other_who": wires[1].who})
    return Reason(FOREIGN, {"ratio": ratio}) if ratio > limits.seeding_foreign_ratio else None


def _verdict(
    wire: _Wire, copied: int, span: FlagSpan | None, limits: Thresholds
) -> tuple[bool | None, Reason]:
    """Compare with the bounds, which must hold for any amount of other traffic."""
    flag = None if span is None else span.is_on
    ratio, low, high = (amount / copied for amount in (wire.amount, wire.low, wire.high))
    compressed, uncompressed = limits.seeding_compressed_ratio, limits.seeding_uncompressed_ratio
    if high < compressed:
        return (
            (None, Reason(AGAINST_FLAG, {"ratio": ratio}))
            if flag is False
            else (True, Reason(DECIDED, {"ratio": ratio}))
        )
    if low > uncompressed:
        if flag:
            return None, Reason(DESPITE_FLAG, {"ratio": ratio, "flag": str(SEEDING_COMPRESSION)})
        return False, Reason(DECIDED, {"ratio": ratio})
    if not compressed <= ratio <= uncompressed:
        return None, Reason(TRAFFIC, {"ratio": ratio, "low": low, "high": high})
    return None, Reason(BETWEEN, {"ratio": ratio, "low": compressed, "high": uncompressed})
