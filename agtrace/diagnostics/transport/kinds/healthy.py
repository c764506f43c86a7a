"""Nothing is seen to hold the log back."""

from __future__ import annotations

from agtrace.diagnostics.transport.kinds.path import scale_the_window
from agtrace.diagnostics.transport.kinds.stream import CAPTURE, of_gate
from agtrace.diagnostics.transport.verdict import Kind, Verdict
from agtrace.history.streams.network_facts import UNSCALED_WINDOW
from agtrace.say import words


def _why_unscaled(verdict: Verdict) -> list[str]:
    return [
        *of_gate(verdict),
        f"Its TCP auto-tuning is {words.plain(verdict.signs.tuning)}: at this distance it does no harm; "
        f"over a longer round trip {UNSCALED_WINDOW:,} bytes per round trip would limit the stream.",
    ]


def _why_not_captured(verdict: Verdict) -> list[str]:
    return [
        *of_gate(verdict),
        "Fewer bytes sent than flushed prove nothing: what the counter counts depends on version, "
        "commit mode and trace flags, and the queue is only known on the replica.",
    ]


def _nothing(_verdict: Verdict) -> str:
    return "Nothing to do."


def _capture(verdict: Verdict) -> str:
    return f"Capture perfmon on {verdict.replica} as well; {CAPTURE}."


HEALTHY = Kind("transport.healthy", "{replica} keeps up with the log that is generated", of_gate, _nothing)
HEALTHY_UNSCALED = Kind(
    "transport.healthy",
    "{replica} keeps up with the log that is generated, although its TCP auto-tuning is {tuning}",
    _why_unscaled,
    scale_the_window,
)
NOT_CAPTURED = Kind(
    "quality.not_captured",
    "{replica} was not captured: whether it keeps up stays open",
    _why_not_captured,
    _capture,
)
