"""The numbers that every finding about a copy rests on, with where they come from."""

from __future__ import annotations

from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.limits import CARD
from agtrace.diagnostics.seeding.study import Seeded
from agtrace.history.seedings.operation import DMV, ERRORLOG, PERFMON, SOURCE, XEL
from agtrace.measure.resources import NETWORK
from agtrace.measure.usage import Usage
from agtrace.say import words
from agtrace.say.finding import Evidence

_NAMES = {XEL: "Extended Events", DMV: "DMV exports", ERRORLOG: "ERRORLOG", PERFMON: "perfmon"}


def told_by(of: Seeded) -> str:
    """Say which kinds of capture tell of an operation."""
    kinds = [_NAMES[kind] for kind in (XEL, DMV, ERRORLOG, PERFMON) if kind in of.operation.told_by]
    return words.listing(kinds) or "captures of the case"


def of_copy(of: Seeded) -> list[Evidence]:
    """Give bytes, time and rate of a copy."""
    operation, rate, found = of.operation, of.rates, []
    source = told_by(of)
    if operation.copied_bytes is not None:
        by = operation.bytes_source or source
        found.append(Evidence("bytes of the database copied", operation.copied_bytes, "B", by))
    if operation.copy_seconds is not None:
        found.append(Evidence("time of the copy", round(operation.copy_seconds, 1), "s", source))
    if rate.mean is not None:
        found.append(Evidence("mean rate of the copy", round(rate.mean), "B/s", source))
    if rate.n:
        by = f"{rate.source}, n = {rate.n}"
        for name, value in (("p5", rate.p5), ("p50", rate.p50), ("p95", rate.p95)):
            found.append(Evidence(f"rate, {name}", round(value or 0.0), "B/s", by))
    return found


def of_waits(of: Seeded) -> list[Evidence]:
    """Give the waits of both ends."""
    found = []
    for each in of.limiter.waits:
        where = f"{say.end(of.operation, each.role)} ({each.role}), summed over the copy"
        found.append(Evidence(f"disk waits of the {each.role}", each.disk_ms, "ms", where))
        found.append(Evidence(f"network waits of the {each.role}", each.network_ms, "ms", where))
    return found


def of_usage(usage: Usage | None, label: str) -> list[Evidence]:
    """Give the mean of a resource; nothing where it was not captured."""
    if usage is None:
        return []
    source = f"perfmon of {words.plain(usage.host)} ({words.plain(usage.instance, 60)}), mean, n = {usage.n}"
    if usage.resource in NETWORK:
        source += f": {of_link(usage)}"
    digits = 1 if "%" in usage.unit or usage.unit == "ms" else 0
    return [Evidence(label, round(usage.mean, digits), usage.unit, source)]


def of_link(usage: Usage) -> str:
    """Word what a network card moved beside what its link carries, in bits: "968 Mb/s of 10.0 Gb/s"."""
    capacity = "" if usage.capacity is None else f" of {words.bits(usage.capacity)}"
    return f"{words.bits(usage.mean)}{capacity}"


def of_processors(of: Seeded) -> list[Evidence]:
    """Give the processors of both ends."""
    found = []
    for side in of.operation.sides:
        label = f"processors of the {side.role} during the copy"
        usage = of.usage(side.role, "cpu")
        found += [*of_usage(usage, label), *_work(of, side.role, usage)]
    return found


def _work(of: Seeded, role: str, usage: Usage | None) -> list[Evidence]:
    """Give the processor work per GB; nothing where the cores of the host are not known."""
    spent = work(of, role)
    if spent is None or usage is None or usage.cores is None:
        return []
    source = (
        f"{usage.mean:.1f} % of {usage.cores.count} cores ({usage.cores.source}) for "
        f"{words.span(usage.seconds)}, over {words.size(of.operation.copied_bytes)}"
    )
    label = f"processor work of the {role} per GB of the database"
    return [Evidence(label, round(spent, 2), "core-s/GB", source)]


def work(of: Seeded, role: str) -> float | None:
    """Give the core-seconds per GB of the database that an end's processors worked during the copy."""
    usage = of.usage(role, "cpu")
    return None if usage is None else usage.core_seconds_per_gb(of.operation.copied_bytes)


def of_disks(of: Seeded) -> list[Evidence]:
    """Give what the disks of both ends moved in the direction of the copy."""
    found = []
    for side in of.operation.sides:
        is_source = side.role == SOURCE
        resource = "disk_read" if is_source else "disk_written"
        label = f"disks of the {side.role}, {'read' if is_source else 'written'}"
        found += of_usage(of.usage(side.role, resource), label)
        found += of_usage(of.usage(side.role, "disk_busy"), f"busiest disk of the {side.role}")
    return found


def of_cards(of: Seeded) -> list[Evidence]:
    """Give what the cards moved, and how full the busiest one was."""
    found = []
    for side in of.operation.sides:
        resource = "network_sent" if side.role == SOURCE else "network_received"
        label = f"network of the {side.role}"
        found += of_usage(of.usage(side.role, resource), label)
        found += of_usage(of.usage(side.role, CARD[side.role]), f"busiest card of the {side.role}")
    return found


def of_redo(of: Seeded) -> list[Evidence]:
    """Give the catch-up after the copy."""
    found = []
    if of.catchup_s is not None:
        found.append(Evidence("time in CATCHUP", round(of.catchup_s, 1), "s", told_by(of)))
    caught = of.catching_up
    if caught is not None:
        source = f"perfmon of {words.plain(caught.host)}, mean until seeding ended, n = {caught.n}"
        found.append(Evidence("redo after the copy", round(caught.mean), "log B/s", source))
    for usage in of.redo:
        is_target = of.operation.target is not None and usage.host == of.operation.target.host
        source = f"perfmon of {words.plain(usage.host)}, n = {usage.n}"
        if is_target and usage.resource == "redo" and usage.highest > 0:
            found.append(Evidence("redo after the copy, highest", round(usage.highest), "log B/s", source))
        if is_target and usage.resource == "recovery_queue" and usage.highest > 0:
            found.append(
                Evidence("recovery queue after the copy, highest", round(usage.highest), "log B", source)
            )
    for each in of.parallel[:2]:
        label = f"parallel redo {words.plain(each.event, 40)}"
        by = f"message 49930 of {words.plain(each.host)}, {words.moment(each.time)}"
        found.append(Evidence(label, f"{words.plain(each.workers, 10)} workers", "", by))
    return found  # fmt: skip
