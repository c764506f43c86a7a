"""The primary holds the log back: its sender, or flow control."""

from __future__ import annotations

from agtrace.diagnostics.transport.kinds.stream import CAPTURE, of_counting, of_gate
from agtrace.diagnostics.transport.verdict import Kind, Verdict
from agtrace.say import words


def _why_sender(verdict: Verdict) -> list[str]:
    return [
        *_of_free_network(verdict),
        *of_counting(verdict),
        *of_gate(verdict),
        "What is left is the sender: log capture, its single send thread, or CPU.",
    ]


def _why_gate(verdict: Verdict) -> list[str]:
    return [*_of_free_network(verdict), *of_counting(verdict), *of_gate(verdict), *_of_innocent(verdict)]


def _why_gate_alone(verdict: Verdict) -> list[str]:
    told = of_gate(verdict)
    if told:
        told.append("Slow log writes, busy processors there and a slow network all close it.")
    return [*_of_free_network(verdict), *of_counting(verdict), *told]


def _of_free_network(verdict: Verdict) -> list[str]:
    signs = verdict.signs
    if not signs.copy_fast or not signs.top:
        return []
    return [
        f"A bulk copy to the same replica ran at {words.wire_rate(signs.copy)}, "
        f"{words.number((signs.copy or 0) / signs.top)} times the stream's "
        f"{words.wire_rate(signs.top)} (p95): the network is free."
    ]


def _of_innocent(verdict: Verdict) -> list[str]:
    """Say what was ruled out before the gate was blamed."""
    signs, innocent = verdict.signs, []
    if verdict.secondary_write is not None:
        innocent.append(f"a log write takes {words.number(verdict.secondary_write.ms, 'ms')} there")
    if signs.processors is not None:
        innocent.append(f"its processors are used to {words.number(signs.processors.percent)} %")
    if signs.cards:
        share = 100 * max(card.share for card in signs.cards)
        innocent.append(f"the busiest network card to {words.number(share)} %")
    if not innocent:
        return []
    return [f"None of what could make it late does: {words.listing(innocent)} (medians)."]


def _look_at_the_sender(verdict: Verdict) -> str:
    replica, primary = verdict.replica, verdict.primary
    if verdict.link.primary is None:
        return (
            f"Capture perfmon on {primary} as well: whether its send gate is closed tells the sender from what "
            f"makes {replica} acknowledge late; {CAPTURE}."
        )
    looked = "CPU and worker threads; compare with a single-threaded network test (ntttcp with one thread)"
    if verdict.signs.log_reads is None:
        looked = f"Log Pool Disk Reads/sec (capture behind the log cache), {looked}"
    elif verdict.signs.log_reads > 1:
        looked = f"the log cache (the capture reads log back from disk), {looked}"
    return f"Look at the sender {primary}: {looked}."


def _open_the_gate(verdict: Verdict) -> str:
    replica = verdict.replica
    missing = []
    if verdict.secondary_write is None:
        missing.append("its log write latency")
    if verdict.signs.processors is None:
        missing.append("its processors")
    if verdict.signs.round_trip is None:
        missing.append("the round trip (ping)")
    raised = (
        "SQL Server 2022, or trace flag 12310 at start-up on earlier builds that know it, raises the "
        "number of messages that may be under way."
    )
    if missing:
        return f"Measure what else can make {replica} acknowledge late: {words.listing(missing)}. {raised}"
    return f"More messages have to be under way to {replica} than the gate lets through. {raised}"


def _capture_the_replica(verdict: Verdict) -> str:
    return (
        f"Capture perfmon on {verdict.replica} as well: log write latency and processors there tell what closes the "
        f"gate; {CAPTURE}."
    )


SEND_LIMITED = Kind(
    "transport.send_limited",
    "{primary} sends log to {replica} too slowly although the network is free",
    _why_sender,
    _look_at_the_sender,
    slow="sent",
)
FLOW_CONTROL = Kind(
    "transport.flow_control",
    "Flow control holds back the log for {replica}",
    _why_gate,
    _open_the_gate,
    slow="sent",
)
GATE_ALONE = Kind(
    "transport.flow_control",
    "The send gate to {replica} is closed; what closes it was not captured",
    _why_gate_alone,
    _capture_the_replica,
    slow="sent",
)
"""The gate as the primary alone shows it."""
