"""The path to the replica holds the log back: its bandwidth, its losses, or TCP's window."""

from __future__ import annotations

from agtrace.diagnostics.transport.bounds import SEGMENT
from agtrace.diagnostics.transport.kinds.stream import of_counting, of_gate, of_resent
from agtrace.diagnostics.transport.path_words import NETSH, SHOW, SHOW_ON_LINUX, SYSCTL
from agtrace.diagnostics.transport.signs import Signs
from agtrace.diagnostics.transport.verdict import Kind, Verdict
from agtrace.history.streams.network_facts import OFF, UNSCALED_WINDOW
from agtrace.measure.machines import Card
from agtrace.say import words


def _why(verdict: Verdict, *shown: str) -> list[str]:
    return [
        _idle_behind(verdict),
        *_of_copies(verdict),
        *shown,
        *_arithmetic(verdict),
        *_of_loss(verdict),
        *of_resent(verdict),
        *of_counting(verdict),
        *of_gate(verdict),
    ]


def _why_window(verdict: Verdict) -> list[str]:
    signs = words.listing(verdict.signs.window)
    return _why(verdict, f"Signs of an unscaled receive window: {signs}.")


def _why_network(verdict: Verdict) -> list[str]:
    signs = verdict.signs
    if signs.window_against:
        likelier = "bandwidth" if signs.near_loss is False else "bandwidth or loss"
        return _why(
            verdict,
            f"{signs.window_against}, which speaks against an unscaled window: {likelier} on the path is likelier.",
        )
    seen = f" (seen: {words.listing(signs.window)})" if signs.window else ""
    return _why(
        verdict,
        "A TCP receive window without scaling would look like this; that is a hypothesis "
        f"here{seen}, and so is a path without bandwidth.",
    )


def _why_card(verdict: Verdict) -> list[str]:
    card = _fullest(verdict)
    return _why(
        verdict,
        f"The network card of {words.plain(card.host_id)} moves {words.wire_rate(card.bytes_per_s)}: "
        f"{words.number(100 * card.share)} % of its {words.bits(card.bandwidth)}, so it is full.",
    )


def _why_loss(verdict: Verdict) -> list[str]:
    lost = verdict.signs.lost
    assert lost is not None
    return _why(
        verdict,
        f"The primary has to send {words.number(100 * lost.share)} % of its segments "
        f"({words.number(lost.per_s)} each second, n = {lost.n}) again: the path loses data.",
    )


def _fullest(verdict: Verdict) -> Card:
    return max(verdict.signs.cards, key=lambda card: card.share)


def _idle_behind(verdict: Verdict) -> str:
    read = verdict.chain
    end = read.recovery_end
    if end is None or read.redone is None:
        return ""
    return f"What arrives is redone at once: its recovery queue ends at {words.size(end)}."


def _of_copies(verdict: Verdict) -> list[str]:
    """Put the bulk copies from the primary side by side: the path is slow, or SQL Server alone."""
    signs = verdict.signs
    if signs.copy is None:
        return []
    told = f"A bulk copy ran at {words.wire_rate(signs.copy)}, to {verdict.replica}"
    others = [
        f"{words.wire_rate(speed)}, to {words.plain(name)}" for name, speed in signs.other_copies.items()
    ]
    told += f", against {words.listing(others)}" if others else ""
    if signs.cards_idle:
        card = _fullest(verdict)
        told += f", while the busier card carries {words.number(100 * card.share)} % of its {words.bits(card.bandwidth)}"
    return [f"{told}: any copy is as slow, not SQL Server alone." if signs.copy_slow else f"{told}."]


def _arithmetic(verdict: Verdict) -> list[str]:
    """Word the window arithmetic: what one unscaled window carries per round trip."""
    signs = verdict.signs
    if signs.round_trip is None or signs.top is None:
        return []
    carries = UNSCALED_WINDOW / signs.round_trip
    told = [
        f"With a round trip of {words.span(signs.round_trip)} one window of {UNSCALED_WINDOW:,} B "
        f"carries {words.wire_rate(carries)}; the stream's p95 is {words.wire_rate(signs.top)}."
    ]
    if signs.fits:
        fitting = [words.plain(name) for name in signs.fits]
        told.append(f"That fits {words.listing(fitting)}.")
    return told


def _of_loss(verdict: Verdict) -> list[str]:
    """Weigh what the loss would let through against the stream, and against an unscaled window."""
    signs = verdict.signs
    bounds = signs.bounds
    if not bounds.share or bounds.loss_in_windows is None:
        return []
    of = f"Loss alone ({words.number(100 * bounds.share)} % of the segments, taken to be of {SEGMENT:,} B) would let "
    if bounds.loss is None:
        if not signs.may_be_unscaled:
            return []
        lower = "loss" if bounds.loss_is_lower else "the window"
        windows = f"{words.number(bounds.loss_in_windows)} unscaled windows through in each round trip"
        return [f"{of}{windows}: {lower} is the lower limit."]
    return [f"{of}{words.wire_rate(bounds.loss)} through: {_weighed(signs, bounds.loss)}."]


def _weighed(signs: Signs, loss: float) -> str:
    met = signs.loss_binds if signs.bounds.loss_is_lower else signs.is_window
    if signs.may_be_unscaled and met:
        lower = "loss is" if signs.bounds.loss_is_lower else "the window is"
        close = ", and the other is close to it" if signs.bounds_close else ""
        return f"{lower} the lower limit{close}"
    if signs.near_loss:
        return "the stream runs near that"
    if signs.ceiling is not None and signs.ceiling.mean > loss:
        return "more than that arrives, so that loss is not what holds it back"
    also = "loss or an unscaled window" if signs.may_be_unscaled else "loss"
    return f"the stream runs far below what {also} would let through"


def _narrow_down(verdict: Verdict) -> str:
    signs = verdict.signs
    replica, primary = verdict.replica, verdict.primary
    if signs.tuning_off and not signs.window_against:
        return scale_the_window(verdict)
    link = verdict.link
    ends = ((signs.tuning, link.replica, replica), (signs.primary_tuning, link.primary_name, primary))
    unknown = [(name in signs.on_linux, label) for level, name, label in ends if level is None]
    steps = []
    for is_linux, command in ((False, SHOW), (True, SHOW_ON_LINUX)):
        names = [label for on_linux, label in unknown if on_linux == is_linux]
        if names:
            steps.append(f"`{command}` on {words.listing(names)}")
    if signs.round_trip is None:
        steps.append(f"ping from {primary} to {replica}")
    if signs.copy is None:
        both = "" if signs.cards else " while both network cards are captured"
        tool = "rsync" if link.primary_name in signs.on_linux else "robocopy"
        steps.append(f"a copy of one large file ({tool}){both}")
    if steps:
        return f"Narrow the path down: {words.listing(steps)}."
    return (
        f"Have the path from {primary} to {replica} examined hop by hop: its bandwidth, policing and other "
        "traffic. From the hosts there is no more to be measured."
    )


def _relieve_the_card(verdict: Verdict) -> str:
    host = words.plain(_fullest(verdict).host_id)
    return (
        f"Find what else uses the network card of {host} (backups, copies, other "
        "replicas) and move it to another card or other hours, or give it a faster one."
    )


def _find_the_loss(verdict: Verdict) -> str:
    is_next = verdict.signs.tuning_off or verdict.signs.is_unscaled
    return (
        f"Have the path from {verdict.primary} to {verdict.replica} examined for loss (cards, drivers, switches, "
        "policing on the wide-area link): TCP slows down with every segment that is lost."
        + (f" The unscaled window is the next limit. {scale_the_window(verdict)}" if is_next else "")
    )


def scale_the_window(verdict: Verdict) -> str:
    """Say where TCP has to be let scale its window, and how."""
    link, signs = verdict.link, verdict.signs
    levels = {link.replica: signs.tuning, link.primary_name: signs.primary_tuning}
    off = [words.plain(name) for name, level in levels.items() if level in OFF]
    where = words.listing(off) if off else verdict.replica
    is_linux = not off and link.replica in signs.on_linux
    show, command = (SHOW_ON_LINUX, SYSCTL) if is_linux else (SHOW, NETSH)
    check = "" if off or signs.tuning is not None else f" (first check with `{show}`)"
    return (
        f"On {where}, run{check}: `{command}` - then reconnect the mirroring endpoints (the window scale is "
        "fixed when a connection opens): `ALTER ENDPOINT ... STATE = STOPPED`, then `STARTED` - and measure "
        "again."
    )


NETWORK_LIMITED = Kind(
    "transport.network_limited",
    "The network path to {replica} carries less log than is generated",
    _why_network,
    _narrow_down,
    slow="received",
)
FULL_CARD = Kind(
    "transport.network_limited",
    "A full network card lets less log through to {replica} than is generated",
    _why_card,
    _relieve_the_card,
    slow="received",
)
LOSSY_PATH = Kind(
    "transport.network_limited",
    "The network path to {replica} loses data and carries less log than is generated",
    _why_loss,
    _find_the_loss,
    slow="received",
)
WINDOW_LIMITED = Kind(
    "transport.window_limited",
    "An unscaled TCP window holds back the log on its way to {replica}",
    _why_window,
    scale_the_window,
    slow="received",
)
