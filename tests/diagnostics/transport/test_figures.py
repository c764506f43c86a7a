"""What each figure of the transport question draws, of streams made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agtrace.diagnostics.transport import figures
from agtrace.diagnostics.transport.study import LinkStudy
from agtrace.diagnostics.transport.verdict import HEALTHY, MOVEMENT_SUSPENDED, WINDOW_LIMITED
from agtrace.history.streams.links import Link
from agtrace.history.streams.loss import INTEGRAL, Loss
from agtrace.history.streams.network_facts import UNSCALED_WINDOW
from agtrace.say.colours import DATABASES, STEPS
from agtrace.say.figures import describe
from agtrace.say.finding import Evidence, Finding
from tests.diagnostics.transport.made_shown import (
    START,
    STEP,
    N,
    both,
    link,
    node,
    primary,
    signs,
    spread,
    studied,
    verdict,
)

UTC, LOCAL = "time (UTC)", "time (local, zone unknown)"
EMPTY = np.full(N, np.nan)


def title(fig: Any) -> str:
    return fig.layout.title.text


def panels(fig: Any) -> list[str]:
    return [each.text for each in fig.layout.annotations]


def told(fig: Any) -> list[str]:
    return describe(fig).splitlines()


def looks(fig: Any) -> list[tuple[str, str, str, str]]:
    """Name, colour, dash and axis of each line."""
    return [(each.name, each.line.color, each.line.dash, each.yaxis) for each in fig.data]


def time_axis(fig: Any) -> str:
    return fig.layout[max(name for name in fig.layout if name.startswith("xaxis"))].title.text


def of_t(**more: Any) -> Link:
    """The stream to another replica of the same primary."""
    rates = {"received": 2e5, "wire_received": 2e5, "send_queue": 200.0, "recovery_queue": 10.0}
    return link(primary(), node("T", **{"redone": 2e5} | rates), **{"replica": "T"} | more)


# The chain


def finding(name: str, replica: str | None, severity: str = "warning") -> Finding:
    subject = {"replica": replica} if replica else {}
    seen = Evidence("samples", 30, "", "perfmon")
    return Finding(name, severity, f"{name} of {replica}", "", subject, {}, (seen,))


def test_without_a_common_clock_the_chain_of_the_replica_is_drawn_alone():
    fig = figures.chain([studied(both(aligned=False, s_is_local=True, s_redone=EMPTY))], [])
    assert [each.name for each in fig.data] == ["received", "log send queue", "recovery queue"]
    assert time_axis(fig) == LOCAL


def test_without_a_replica_the_chain_is_an_empty_figure():
    assert told(figures.chain([studied(link(primary()))], [])) == ["nothing to draw"]


@pytest.mark.parametrize(
    ("findings", "shown"),
    [
        ([("transport.rpo", "S"), ("transport.rto", "S"), ("transport.commit_delay", "S")], None),
        ([("transport.rpo", "S"), ("transport.zzz", "S")], "transport.zzz of S"),
        ([("transport.zzz", "T"), ("transport.zzz", None)], None),
        ([("transport.aaa", "T"), ("transport.zzz", "S"), ("transport.zzzz", "S")], "transport.zzz of S"),
    ],
)
def test_the_chain_bears_the_first_verdict_on_a_replica_that_is_drawn(findings, shown):
    fig = figures.chain([studied(both())], [finding(*each) for each in findings])
    assert title(fig) == (shown or "Log flushed, received and redone")


def test_a_stale_queue_is_shaded_over_the_time_of_its_verdict():
    of = both()
    stale = verdict(of, MOVEMENT_SUSPENDED, rows=slice(6, 13))
    fig = figures.chain([studied(of, stale, verdict(of, HEALTHY))], [])
    assert panels(fig)[2:] == ["S: queue stale"]
    assert {(str(each.x0)[:19], str(each.x1)[:19]) for each in fig.layout.shapes} == {
        ("2024-03-05T12:01:00", "2024-03-05T12:02:00")
    }


# Queues and rates


def test_the_queues_of_every_replica_share_two_panels():
    links = [studied(both()), studied(link(primary(), replica="U")), studied(of_t())]
    fig = figures.queues(links, {"S": "red", "T": "blue"})
    assert title(fig) == "The longest log send queue at the end is 205 KB, on T"
    assert looks(fig) == [
        ("S", "red", "solid", "y"), ("T", "blue", "solid", "y"),
        ("S", "red", "solid", "y2"), ("T", "blue", "solid", "y2"),
    ]  # fmt: skip
    assert panels(fig) == ["log send queue", "recovery queue"]
    assert time_axis(fig) == UTC


def test_rates_are_the_log_of_each_primary_once_and_what_every_replica_received():
    links = [
        studied(both()),
        studied(link(primary(), replica="U")),
        studied(of_t()),
        studied(of_t(primary_name="Q")),
    ]
    fig = figures.rates(links, {"S": "red"})
    assert title(fig) == (
        "Mean log rates: 1.0 MB/s flushed; 400 KB/s received by S; 200 KB/s received by T from P; "
        "1.0 MB/s flushed; 200 KB/s received by T from Q"
    )
    assert [(name, colour) for name, colour, _, _ in looks(fig)][:2] == [
        ("flushed on P", STEPS[0]), ("received by S", "red"),
    ]  # fmt: skip
    assert [each.name for each in fig.data] == [
        "flushed on P", "received by S", "received by T from P", "flushed on Q", "received by T from Q",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("more", "names"),
    [
        ({"aligned": False}, ["received by S"]),
        ({"p_flushed": EMPTY}, ["received by S"]),
        ({"p_flushed": EMPTY, "aligned": False}, ["received by S"]),
        ({"s_received": EMPTY}, ["flushed on P"]),
        ({"s_received": EMPTY, "aligned": False}, []),
    ],
)
def test_a_rate_that_was_not_captured_or_is_of_another_clock_is_left_out(more, names):
    fig = figures.rates([studied(both(**more))], {})
    assert [each.name for each in fig.data] == names
    assert (title(fig) == "No log rate was captured") == (not names)


# Data loss


def lost(database: str, seconds: Any, end: float = 1.0, **more: Any) -> Loss:
    times = START + STEP * np.arange(N)
    values = np.full(N, float(seconds)) if isinstance(seconds, int | float) else np.array(seconds)
    return Loss(database, times, values, spread(1.0), end, INTEGRAL, 0, STEP, **more)


def losing(*losses: Loss, of: Link | None = None) -> LinkStudy:
    return studied(of or both(), losses=list(losses))


def test_losses_have_a_panel_per_replica_and_a_line_per_database():
    links = [losing(lost("Sales", 20), lost("Stock", 30, 90.0)), studied(both(replica="U")),
             losing(lost("Stock", 10), of=of_t())]  # fmt: skip
    fig = figures.rpo(links)
    assert title(fig) == "At the end a failover would lose up to 1 min 30 s (Stock on S)"
    assert panels(fig) == ["data loss at a failover to S", "data loss at a failover to T"]
    assert told(fig) == [
        "Sales: 31 points, 20 to 20 s, 0 gaps",
        "Stock: 31 points, 30 to 30 s, 0 gaps",
        "Stock: 31 points, 10 to 10 s, 0 gaps",
    ]
    assert looks(fig) == [
        ("Sales", DATABASES[0], "solid", "y"), ("Stock", DATABASES[1], "solid", "y"),
        ("Stock", DATABASES[1], "solid", "y2"),
    ]  # fmt: skip


def test_a_loss_that_is_a_lower_bound_is_dotted_and_told_so():
    older = np.arange(N) >= 20
    fig = figures.rpo([losing(lost("Sales", 20, 90.0, at_least=True, older=older))])
    assert title(fig) == "At the end a failover would lose at least 1 min 30 s (Sales on S)"
    assert told(fig) == [
        "Sales: 20 points, 20 to 20 s, 0 gaps",
        "Sales, at least: 11 points, 20 to 20 s, 0 gaps",
    ]
    assert looks(fig) == [
        ("Sales", DATABASES[0], "solid", "y"), ("Sales, at least", DATABASES[0], "dot", "y"),
    ]  # fmt: skip


# The window


def test_streams_lie_beside_what_one_window_carries():
    of = both()
    measured = signs(round_trip=0.1, ceiling=spread(UNSCALED_WINDOW * 5))
    verdicts = [
        verdict(of, HEALTHY, signs=signs(round_trip=0.1)), verdict(of, WINDOW_LIMITED, signs=measured),
    ]  # fmt: skip
    blind = studied(of_t(), verdict(of_t(), HEALTHY, signs=signs(ceiling=spread(1e6))))
    fig = figures.window([studied(of, *verdicts), blind, studied(both(replica="U"))])
    assert title(fig) == "S fills 1 windows per round trip"
    assert [each.name for each in fig.data] == ["one window of 65,535 B", "S, p95 of the stream"]
    point = fig.data[1]
    assert (point.x[0], point.y[0]) == (100.0, pytest.approx(UNSCALED_WINDOW * 10 / 1e6))
