"""What to do next about each verdict. Plain text.

A remedy never asks for what the evidence already shows: what was measured is left out of what is
to be looked at, and what remains is named.
"""

from __future__ import annotations

from agtrace.diagnostics import words
from agtrace.diagnostics.transport.cause import CARD, LOSS, PROCESSORS
from agtrace.diagnostics.transport.network import NETSH, OFF
from agtrace.diagnostics.transport.verdict import Verdict

CAPTURE = "docs/capture.md lists the counters to capture on every replica"


def remedy(verdict: Verdict) -> str:
    """Say what to do about a verdict."""
    signs = verdict.signs
    replica = words.plain(verdict.link.replica)
    name = verdict.id.removeprefix("transport.")
    if name == "healthy":
        return _window_remedy(verdict) if signs.tuning_off else "Nothing to do."
    if name == "window_limited":
        return _window_remedy(verdict)
    if name == "network_limited":
        return _network_remedy(verdict)
    if name == "send_limited":
        return _sender_remedy(verdict)
    if name == "flow_control":
        return _gate_remedy(verdict)
    if name == "harden_limited" and verdict.by == PROCESSORS:
        return (
            f"Find what uses the processors of {replica} and move it elsewhere or to other hours, or give it "
            "more of them: taking in log needs a share of them at once."
        )
    if name == "redo_limited":
        cpu = "" if signs.processors is not None else "CPU and "
        return (
            f"Look at {cpu}data-file latency on {replica}, and whether redo runs in parallel there."
        )
    return {
        "harden_limited": (
            f"Give the transaction logs on {replica} a disk as fast as the primary's, or move other "
            "load off it."
        ),
        "suspended": (
            f"Find out why movement to {replica} stopped, then resume it: `ALTER DATABASE ... SET "
            "HADR RESUME` there. The log on the primary cannot be truncated until then."
        ),
        "redo_blocked": (
            f"Find the readers on {replica} that hold schema locks (Extended Event lock_redo_blocked) "
            "and shorten them, or move schema changes away from them."
        ),
        "quality.not_captured": (f"Capture perfmon on {replica} as well; {CAPTURE}."),
    }[name]


def _names(verdict: Verdict) -> tuple[str, str]:
    link = verdict.link
    return words.plain(link.replica), words.plain(link.primary_name or "the primary")


def _network_remedy(verdict: Verdict) -> str:
    signs = verdict.signs
    replica, primary = _names(verdict)
    if verdict.by == CARD:
        card = max(signs.cards, key=lambda card: card.share)
        return (
            f"Find what else uses the network card of {words.plain(card.host_id)} (backups, copies, other "
            "replicas) and move it to another card or other hours, or give it a faster one."
        )
    if verdict.by == LOSS:
        return (
            f"Have the path from {primary} to {replica} examined for loss (cards, drivers, switches, "
            "policing on the wide-area link): TCP slows down with every segment that is lost."
        )
    if signs.tuning_off and not signs.window_against:
        return _window_remedy(verdict)
    levels = ((signs.tuning, replica), (signs.primary_tuning, primary))
    unknown = [name for level, name in levels if level is None]
    steps = []
    if unknown:
        steps.append(f"`netsh interface tcp show global` on {words.listing(unknown)}")
    if signs.round_trip is None:
        steps.append(f"ping from {primary} to {replica}")
    if signs.copy is None:
        both = "" if signs.cards else " while both network cards are captured"
        steps.append(f"a copy of one large file (robocopy){both}")
    if steps:
        return f"Narrow the path down: {words.listing(steps)}."
    return (
        f"Have the path from {primary} to {replica} examined hop by hop: its bandwidth, policing and other "
        "traffic. From the hosts there is no more to be measured."
    )


def _sender_remedy(verdict: Verdict) -> str:
    replica, primary = _names(verdict)
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


def _gate_remedy(verdict: Verdict) -> str:
    replica, _ = _names(verdict)
    if verdict.link.secondary is None:
        return (
            f"Capture perfmon on {replica} as well: log write latency and processors there tell what closes the "
            f"gate; {CAPTURE}."
        )
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


def _window_remedy(verdict: Verdict) -> str:
    link, signs = verdict.link, verdict.signs
    levels = {link.replica: signs.tuning, link.primary_name: signs.primary_tuning}
    off = [words.plain(name) for name, level in levels.items() if level in OFF]
    where = words.listing(off) if off else words.plain(link.replica)
    check = (
        ""
        if off or signs.tuning is not None
        else " (first check with `netsh interface tcp show global`)"
    )
    return (
        f"On {where}, run{check}: `{NETSH}` - then reconnect the mirroring endpoints (the window scale is "
        "fixed when a connection opens): `ALTER ENDPOINT ... STATE = STOPPED`, then `STARTED` - and measure "
        "again."
    )
