"""The transport figures, and the chain of each replica as a strip; plotly is imported on first use."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from agtrace.diagnostics.transport import sent_received as hops
from agtrace.diagnostics.transport.balance import Passed
from agtrace.diagnostics.transport.sent_received import Comparison, Hop, SentReceived
from agtrace.diagnostics.transport.signs import Signs
from agtrace.diagnostics.transport.study import LinkStudy
from agtrace.diagnostics.transport.summary import COSTS, SAID, headline
from agtrace.history.streams import LOG, UNKNOWN, UNSCALED_WINDOW, WIRE, Chain, Link, Loss, Series, read_chain
from agtrace.measure.grid import Values
from agtrace.say import words
from agtrace.say.colours import DATABASES, INK, STEPS
from agtrace.say.figures import Band, Line, finish, label, lines
from agtrace.say.finding import Finding
from agtrace.say.findings import by_severity
from agtrace.say.strip import Step, Strip

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def stamps(times: Values) -> np.ndarray:
    """Return seconds since 1970 as instants for figures."""
    return (np.asarray(times) * 1e6).round().astype("int64").astype("datetime64[us]")


def _total(studied: LinkStudy) -> Chain:
    return read_chain(studied.link, [part.database for part in studied.parts])


def _axis(links: Sequence[LinkStudy | SentReceived]) -> str:
    local = any(each.link.is_local for each in links)
    return "time (local, zone unknown)" if local else "time (UTC)"


def _line(
    name: str, times: Values, series: Series | None, panel: int, colour: str | None, dash: str = "solid"
) -> list[Line]:
    if series is None:
        return []
    return [Line(name, stamps(times), series.values, panel, colour, dash)]


def _primary_times(link: Link) -> Values:
    return link.primary.times[link.primary_rows] if link.primary is not None else np.empty(0)


def _named(studied: LinkStudy, links: list[LinkStudy]) -> str:
    """Return the name of a replica, with the primary if it received from several."""
    same = [other for other in links if other.link.replica == studied.link.replica]
    if len(same) > 1:
        return f"{studied.link.replica} from {studied.link.primary_name or 'unknown'}"
    return studied.link.replica


def chain(links: list[LinkStudy], findings: list[Finding]) -> Figure:
    """Draw per replica: log flushed, received and redone above, the queues below."""
    ranked = [finding.subject.get("replica") for finding in by_severity(findings)]
    shown = [studied for studied in links if studied.link.secondary is not None]
    shown.sort(key=lambda each: [*ranked, each.link.replica].index(each.link.replica))
    series: list[Line] = []
    panels: list[str] = []
    units: list[str] = []
    bands: list[Band] = []
    for studied in shown:
        link, total, panel = studied.link, _total(studied), len(panels)
        panels += [
            f"{_named(studied, shown)}: log flushed, received, redone",
            f"{_named(studied, shown)}: queues",
        ]
        units += ["log B/s", "B"]
        if link.aligned:
            times = _primary_times(link)
            series += _line("flushed on the primary", times, total.flushed, panel, STEPS[0])
        series += _line("received", total.times, total.received, panel, STEPS[1])
        series += _line("redone", total.times, total.redone, panel, STEPS[2], "dot")
        series += _line("log send queue", total.times, total.send_queue, panel + 1, STEPS[5])
        series += _line("recovery queue", total.times, total.recovery_queue, panel + 1, STEPS[7])
        for verdict in studied.verdicts:
            if verdict.kind.is_stale:
                ends = stamps(verdict.times[[0, -1]])
                bands.append(Band(ends[0], ends[1], f"{link.replica}: queue stale"))
    verdicts = [
        f.title
        for f in findings
        if f.id not in (*COSTS, "transport.commit_delay")
        and f.subject.get("replica") in {studied.link.replica for studied in shown}
    ]
    title = verdicts[0] if verdicts else "Log flushed, received and redone"
    return lines(series, title=title, unit=units or "", panels=panels, bands=bands, time_title=_axis(shown))


HOP_LINES = {
    hops.FLUSHED: ("flushed", STEPS[0], "solid"),
    hops.SENT: ("sent to the replica", STEPS[4], "solid"),
    hops.TRANSPORT: ("sent", STEPS[3], "solid"),
    hops.CARD_SENT: ("sent", STEPS[3], "solid"),
    hops.RECEIVED: ("received", STEPS[1], "solid"),
    hops.WIRE_RECEIVED: ("received", STEPS[1], "dash"),
    hops.CARD_RECEIVED: ("received", STEPS[1], "solid"),
    hops.HARDENED: ("hardened", STEPS[6], "dash"),
    hops.REDONE: ("redone", STEPS[2], "dot"),
}
"""Line style of each hop, dashed if it should coincide with the one before; the panel names the unit."""

PANELS = {
    LOG: ("log bytes", LOG),
    WIRE: ("bytes on the wire", WIRE),
    UNKNOWN: ("bytes sent, log or wire: not known", UNKNOWN),
    hops.ALL: ("network cards, with all other traffic", "B/s"),
}


def sent_received(found: list[SentReceived]) -> Figure:
    """Draw the bytes sent and received, a panel per unit, and their ratio in the last one."""
    drawn: list[Line] = []
    panels: list[str] = []
    units: list[str] = []
    # Windows of one replica follow each other in time and share their panels.
    replicas: dict[tuple[str, str], list[SentReceived]] = {}
    for each in found:
        replicas.setdefault((each.link.ag, each.link.replica), []).append(each)
    for (_, replica), windows in replicas.items():
        who = f"{replica}: " if len(replicas) > 1 else ""
        for kind, (title, unit) in PANELS.items():
            shown = [line for each in windows for line in _hop_lines(each, kind, len(panels))]
            if shown:
                drawn += shown
                panels.append(f"{who}{title}")
                units.append(unit)
        ratios = [line for each in windows for line in _ratios(each, len(panels))]
        if ratios:
            drawn += ratios
            panels.append(f"{who}received, of what was sent or flushed")
            units.append("%")
    return lines(
        drawn,
        title=SAID.text("sent_received.headline", headline(found)) or "Nothing sent or received was captured",
        unit=units or "",
        panels=panels,
        time_title=_axis(found),
        panel_height=190,
    )


def _hop_lines(each: SentReceived, unit: str, panel: int) -> list[Line]:
    """Return the hops counted in a unit; without a common clock those of one side only."""
    own = hops.REPLICA if each.link.secondary is not None else hops.PRIMARY
    found = []
    for key, (name, colour, dash) in HOP_LINES.items():
        hop = each.hops[key]
        if hop.rate is not None and hop.unit == unit and (each.link.aligned or hop.side == own):
            found.append(Line(name, stamps(hop.rate.ends), hop.rate.values, panel, colour, dash))
    return found


def _ratios(each: SentReceived, panel: int) -> list[Line]:
    """Return received bytes relative to sent and flushed bytes, by block of time in percent."""
    named: tuple[tuple[str, Comparison | None, str], ...] = (
        ("received of the bytes sent", each.comparison, INK),
        ("received of the log flushed", each.arrived, STEPS[8]),
    )
    middle = (each.edges[1:] + each.edges[:-1]) / 2
    return [
        Line(name, stamps(middle), 100 * found.shared.ratios(each.edges), panel, colour)
        for name, found, colour in named
        if found is not None
    ]


def queues(links: list[LinkStudy], colours: dict[str, str]) -> Figure:
    """Draw the send queue of every replica in one panel, the recovery queue in the other."""
    series: list[Line] = []
    ends = []
    for studied in links:
        if studied.link.secondary is None:
            continue
        total, colour = _total(studied), colours.get(studied.link.secondary.host_id)
        name = _named(studied, links)
        series += _line(name, total.times, total.send_queue, 0, colour)
        series += _line(name, total.times, total.recovery_queue, 1, colour)
        if total.queue_end is not None:
            ends.append((total.queue_end, name))
    title = "No log send queue was captured"
    if ends:
        most, name = max(ends)
        title = f"The longest log send queue at the end is {words.size(most)}, on {name}"
    return lines(
        series, title=title, unit="B", panels=("log send queue", "recovery queue"), time_title=_axis(links)
    )


def rates(links: list[LinkStudy], colours: dict[str, str]) -> Figure:
    """Draw the log flushed on the primary and the log received by every replica."""
    series: list[Line] = []
    flushed: set[str] = set()
    means: list[str] = []
    for studied in links:
        link, total = studied.link, _total(studied)
        if link.secondary is None:
            continue
        if total.flushed is not None and link.aligned and link.primary_name not in flushed:
            flushed.add(link.primary_name)
            name = f"flushed on {link.primary_name}"
            series += _line(name, _primary_times(link), total.flushed, 0, STEPS[0])
            means.append(f"{words.rate(total.flushed.mean)} flushed")
        if total.received is not None:
            name = f"received by {_named(studied, links)}"
            colour = colours.get(link.secondary.host_id)
            series += _line(name, total.times, total.received, 0, colour)
            means.append(f"{words.rate(total.received.mean)} {name}")
    title = f"Mean log rates: {'; '.join(means)}" if means else "No log rate was captured"
    return lines(series, title=title, unit="log B/s", time_title=_axis(links))


MOST_DATABASES = 12
"""Most databases of a replica drawn with their loss, the worst; more lines are unreadable."""


DASHES = ("solid", "dash", "longdash")
"""Line styles of databases beyond those with a colour of their own."""


def rpo(links: list[LinkStudy]) -> Figure:
    """Draw the estimated data loss over time, one panel per replica, one line per database."""
    shown = [studied for studied in links if studied.losses]
    drawn = [(panel, item) for panel, studied in enumerate(shown) for item in _worst(studied.losses)]
    names = list(dict.fromkeys(item.database for _, item in drawn))
    looks = {
        name: (DATABASES[n % len(DATABASES)], DASHES[n // len(DATABASES) % len(DASHES)])
        for n, name in enumerate(names)
    }
    series = [line for panel, item in drawn for line in _with_bounds(item, panel, *looks[item.database])]
    known = [
        (item.end, item.database, studied.link.replica, item.at_least)
        for studied in shown
        for item in studied.losses
    ]
    title = "No data loss could be estimated"
    if known:
        seconds, database, replica, older = max(known)
        bound = "at least" if older else "up to"
        title = f"At the end a failover would lose {bound} {words.span(seconds)} ({database} on {replica})"
    panels = [
        f"data loss at a failover to {_named(studied, shown)}{_of_many(studied.losses)}" for studied in shown
    ]
    return lines(series, title=title, unit="s", panels=panels, time_title=_axis(shown))


def _with_bounds(item: Loss, panel: int, colour: str, dash: str) -> list[Line]:
    """Draw a loss; a lower bound is dotted and labelled."""
    older = np.zeros(len(item.seconds), bool) if item.older is None else item.older
    told = ((item.database, ~older, dash), (f"{item.database}, at least", older, "dot"))
    return [
        Line(name, stamps(item.times), np.where(here, item.seconds, np.nan), panel, colour, how)
        for name, here, how in told
        if not np.isnan(item.seconds[here]).all()
    ]


def _worst(losses: list[Loss]) -> list[Loss]:
    """Return the losses to draw, in order."""
    places = sorted(range(len(losses)), key=lambda place: -_highest(losses[place]))
    return [losses[place] for place in sorted(places[:MOST_DATABASES])]


def _highest(item: Loss) -> float:
    return float(np.nan_to_num(item.seconds).max(initial=0.0))


def _of_many(losses: list[Loss]) -> str:
    if len(losses) <= MOST_DATABASES:
        return ""
    return f" ({MOST_DATABASES} of {len(losses)} databases, the worst)"


def window(links: list[LinkStudy]) -> Figure:
    """Draw window / round trip as a curve, and each stream with a measured round trip."""
    import plotly.graph_objects as go

    fig, hover = go.Figure(), "%{x:.3~g} ms, %{y:.3~g} MB/s"
    measured = [
        (studied, signs)
        for studied in links
        if (signs := next((v.signs for v in studied.verdicts if _is_measured(v.signs)), None))
    ]
    if measured:
        trips = np.geomspace(0.0005, 0.5, 200)
        name, line = f"one window of {UNSCALED_WINDOW:,} B", {"color": INK, "dash": "dash"}
        x, y = trips * 1000, UNSCALED_WINDOW / trips / 1e6
        fig.add_scatter(x=x, y=y, mode="lines", name=name, line=line, hovertemplate=hover)
    told = []
    for studied, signs in measured:
        trip, top = signs.round_trip or 0.0, signs.top or 0.0
        name, marks = label(f"{_named(studied, links)}, p95 of the stream"), {"size": 12}
        at = {"x": [trip * 1000], "y": [top / 1e6], "mode": "markers"}
        fig.add_scatter(**at, marker=marks, name=name, hovertemplate=hover)
        share = top * trip / UNSCALED_WINDOW
        told.append(f"{studied.link.replica} fills {words.number(share)} windows per round trip")
    title = "; ".join(told) if told else "No round trip to a replica was captured (ping)"
    fig.update_xaxes(title_text="round trip (ms)", type="log")
    fig.update_yaxes(title_text="MB/s", type="log")
    return finish(fig, title, 420)


def _is_measured(signs: Signs) -> bool:
    return bool(signs.round_trip and signs.top)


def strips(found: list[SentReceived], links: list[LinkStudy]) -> list[Strip]:
    """Return the steps of each log stream, limited ones first, with the amounts over one period."""
    slow = {id(each.link): {verdict.kind.slow for verdict in each.verdicts} for each in links}
    made = []
    for each in found:
        held = slow.get(id(each.link), set())
        steps = (
            ("flushed", hops.FLUSHED),
            ("sent", each.sent.name if each.sent is not None else hops.SENT),
            ("received", hops.RECEIVED),
            ("hardened", hops.HARDENED),
            ("redone", hops.REDONE),
        )
        name = f"{each.link.primary_name or 'primary'} to {each.link.replica}"
        shown = tuple(
            _step(step, each.hops[hop], each.balance.passed[hop], step in held) for step, hop in steps
        )
        seconds = each.balance.seconds
        about = f"log bytes in {words.span(seconds)} with samples of every hop" if seconds else ""
        made.append(Strip(name, shown, about))
    return sorted(made, key=lambda strip: not any(step.is_slow for step in strip.steps))


QUEUES = {"received": "send queue", "sent": "send queue", "redone": "recovery queue"}
"""The queue before a step."""


def _step(name: str, hop: Hop, passed: Passed, is_slow: bool) -> Step:
    if hop.rate is None:
        return Step(name, words.NOT_CAPTURED, is_slow)
    if passed.total is None:
        return Step(name, "not compared", is_slow, passed.why_not)
    amount = words.size(passed.total)
    if hop.unit == WIRE:
        return Step(name, f"{amount} on the wire", is_slow)
    growth = "" if passed.growth is None else f"{QUEUES[name]} {words.growth(passed.growth)}"
    return Step(name, amount, is_slow, "; ".join(filter(None, (growth, passed.why_not))))
