"""The chain of each replica in five steps, the slow one marked."""

from __future__ import annotations

from agtrace.diagnostics.transport import sent_received as hops
from agtrace.diagnostics.transport.sent_received import Hop, SentReceived
from agtrace.diagnostics.transport.study import LinkStudy
from agtrace.say import words
from agtrace.say.strip import Step, Strip


def strips(found: list[SentReceived], links: list[LinkStudy]) -> list[Strip]:
    """Give the steps of each stream of log, those held back first: mean rates over its window."""
    slow = {id(each.link): {verdict.kind.slow for verdict in each.verdicts} for each in links}
    made = []
    for each in found:
        held = slow.get(id(each.link), set())
        steps = (
            ("flushed", each.known(hops.FLUSHED)),
            ("sent", each.sent),
            ("received", each.known(hops.RECEIVED)),
            ("hardened", each.known(hops.HARDENED)),
            ("redone", each.known(hops.REDONE)),
        )
        name = f"{each.link.primary_name or 'primary'} to {each.link.replica}"
        made.append(Strip(name, tuple(Step(step, _amount(hop), step in held) for step, hop in steps)))
    return sorted(made, key=lambda strip: not any(step.is_slow for step in strip.steps))


def _amount(hop: Hop | None) -> str:
    if hop is None or hop.rate is None:
        return words.NOT_CAPTURED
    *whose, _measure = hop.unit.split(" ")
    amount = words.rate(hop.rate.mean)
    return f"{amount} on the wire" if whose == ["wire"] else amount
