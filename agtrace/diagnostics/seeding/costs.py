"""What compressing a stream cost or saved, beside an uncompressed copy of the same database."""

from __future__ import annotations

from agtrace.diagnostics.seeding import evidence as rests
from agtrace.diagnostics.seeding import wording as say
from agtrace.diagnostics.seeding.limits import NETWORK
from agtrace.diagnostics.seeding.study import Seeded
from agtrace.history.trace_flags import SEEDING_COMPRESSION
from agtrace.say import words

SAME = 1.05
"""Two runs are as fast, or cost as much, within this factor."""


def told(of: Seeded, base: Seeded) -> str:
    """Say how much faster the copy was, and what processors worked for it, per GB and in use."""
    found = []
    now, then = of.operation.copy_seconds, base.operation.copy_seconds
    if now and then:
        ratio = then / now
        gain = f"{ratio:.1f} times faster" if ratio >= SAME else "slower" if ratio <= 1 / SAME else "no faster"  # fmt: skip
        found.append(f"the copy was {gain} ({words.span(now)} instead of {words.span(then)})")
    for side in of.operation.sides:
        found += _processors(of, base, side.role)
    when = words.moment(base.operation.copy_start)
    if not found:
        return f"Beside the uncompressed copy of {when}, nothing that compares was captured."
    return f"Beside the uncompressed copy of {when}, one run each: {words.listing(found)}."


def _processors(of: Seeded, base: Seeded, role: str) -> list[str]:
    now, then = of.usage(role, "cpu"), base.usage(role, "cpu")
    if now is None or then is None:
        return []
    name = say.end(of.operation, role)
    used = f"{now.mean:.0f} % instead of {then.mean:.0f} %"
    spent = _work(of, base, role)
    if spent is None or now.cores is None or then.cores is None:
        return [f"utilisation of the processors of {name} {used} (how many cores it has was not captured)"]
    cores = f"{now.cores.count} cores"
    if now.cores.count != then.cores.count:
        cores += f" instead of {then.cores.count}"
    return [
        f"processor work of {name} {spent[0]:.1f} core-seconds per GB instead of {spent[1]:.1f} (utilisation {used}, {cores})"
    ]


def _work(of: Seeded, base: Seeded, role: str) -> tuple[float, float] | None:
    """Give the core-seconds per GB of both copies."""
    now, then = rests.work(of, role), rests.work(base, role)
    return None if now is None or then is None else (now, then)


def advice(of: Seeded, base: Seeded | None) -> str:
    """Say what to do about compression, from what was measured of it."""
    judged = of.compressed
    if judged.verdict is None:
        return f"Capture perfmon (Network Interface) on both replicas, and run DBCC TRACESTATUS ({SEEDING_COMPRESSION}) on the source."
    if judged.verdict is False:
        limited = of.limiter.limit is not None and of.limiter.limit[0] == NETWORK
        return f"The network is the limit: test trace flag {SEEDING_COMPRESSION} on the source, and measure its processor work." if limited else ""  # fmt: skip
    seconds, then = of.operation.copy_seconds, base.operation.copy_seconds if base else None
    if seconds and then and then / seconds < SAME:
        return "Here compression saves the network and no time: leave it off unless others need the network."
    return _of_work(of, base)


def _of_work(of: Seeded, base: Seeded | None) -> str:
    known = {}
    for side in of.operation.sides if base else ():
        if base and (spent := _work(of, base, side.role)):
            known[say.end(of.operation, side.role)] = spent
    if not known:
        return (
            "What compression costs in processor work is not known here: capture an uncompressed seeding beside it, perfmon "
            "(Processor(*)) and the ERRORLOG from the start of SQL Server, on both replicas."
        )
    more = [name for name, (now, then) in known.items() if now > SAME * then]
    if more:
        return f"Compression took more processor work on {words.listing(more)}: see that it is there to spare when others work."
    return (
        f"Compression cost no processor work here: {words.listing(list(known))} worked no more per GB than without it. While "
        "the copy runs they may be busier, for a shorter time."
    )
