"""Sent against received as a figure, and the chain of each replica as a strip, of streams made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from agtrace.diagnostics.transport import figures
from agtrace.diagnostics.transport.sent_received import SentReceived, sent_received
from agtrace.diagnostics.transport.verdict import HEALTHY, REDO_LIMITED, SEND_LIMITED
from agtrace.history.streams.links import Link
from agtrace.measure.counters import Counter
from agtrace.measure.machines import Traffic
from agtrace.say.colours import INK, STEPS
from agtrace.say.strip import Step, Strip
from tests.diagnostics.transport.made_shown import (
    START,
    STEP,
    Machines,
    N,
    both,
    known,
    link,
    primary,
    studied,
    verdict,
)
from tests.diagnostics.transport.test_figures import (
    EMPTY,
    LOCAL,
    UTC,
    looks,
    of_t,
    panels,
    time_axis,
    title,
    told,
)


def of(given: Link, version: str = "12.0", **more: Any) -> SentReceived:
    (found,) = sent_received(known(version, **more), [studied(given)])
    return found


ON_WIRE = [
    "sent: 31 points, 400 to 400 wire KB/s, 0 gaps",
    "received: 31 points, 300 to 300 wire KB/s, 0 gaps",
]
OF_LOG = [
    "flushed: 31 points, 1 to 1 log MB/s, 0 gaps",
    "received: 31 points, 0.4 to 0.4 log MB/s, 0 gaps",
    "hardened: 30 points, 0.4 to 0.4 log MB/s, 0 gaps",
    "redone: 31 points, 0.4 to 0.4 log MB/s, 0 gaps",
]
RATIOS = [
    "received of the bytes sent: 3 points, 75 to 75 %, 0 gaps",
    "received of the log flushed: 3 points, 40 to 40 %, 0 gaps",
]


def carried(value: float) -> Traffic:
    times = START + STEP * np.arange(N)
    return Traffic(times, np.full(N, value), Counter("Network Interface", "B/s"), "Nic")


def test_what_was_sent_and_received_has_a_panel_per_unit_and_one_of_ratios():
    machines = Machines({("P", "network_sent"): carried(7e5), ("S", "network_received"): carried(8e5)})
    fig = figures.sent_received([of(both(p_transport=4e5, p_sent=5e5, p_resent=1.0), machines=machines)])
    assert panels(fig) == [
        "log bytes", "bytes on the wire", "network cards, with all other traffic",
        "received, of what was sent or flushed",
    ]  # fmt: skip
    assert told(fig) == [
        *OF_LOG,
        "sent to the replica: 31 points, 500 to 500 wire KB/s, 0 gaps",
        *ON_WIRE,
        "sent: 31 points, 700 to 700 KB/s, 0 gaps",
        "received: 31 points, 800 to 800 KB/s, 0 gaps",
        *RATIOS,
    ]
    assert looks(fig)[-2:] == [
        ("received of the bytes sent", INK, "solid", "y4"),
        ("received of the log flushed", STEPS[8], "solid", "y4"),
    ]
    assert time_axis(fig) == UTC


def test_without_a_common_clock_the_hops_of_the_replica_are_drawn():
    fig = figures.sent_received([of(both(aligned=False, p_is_local=True))])
    assert panels(fig) == ["log bytes", "bytes on the wire"]
    assert [each.name for each in fig.data] == ["received", "hardened", "redone", "received"]
    assert time_axis(fig) == UTC


def test_of_a_primary_alone_its_hops_are_drawn():
    for aligned in (True, False):
        fig = figures.sent_received([of(link(primary(is_local=True), aligned=aligned), "")])
        assert panels(fig) == ["log bytes", "bytes sent, log or wire: not known"]
        assert told(fig) == [OF_LOG[0], "sent to the replica: 31 points, 400 to 400 KB/s, 0 gaps"]
        assert time_axis(fig) == LOCAL


def test_without_any_hop_nothing_is_drawn():
    fig = figures.sent_received([])
    assert (title(fig), told(fig)) == ("Nothing sent or received was captured", ["nothing to draw"])


def test_several_replicas_have_panels_of_their_own_and_windows_of_one_share_them():
    again = both(p_start=3600.0, s_start=3600.0, s_redone=EMPTY)
    fig = figures.sent_received([of(both(s_redone=EMPTY)), of(of_t()), of(again)])
    assert panels(fig) == [
        f"{name}: {panel}"
        for name in ("S", "T")
        for panel in ("log bytes", "bytes on the wire", "received, of what was sent or flushed")
    ]
    assert [each.yaxis for each in fig.data if each.name == "flushed"] == ["y", "y", "y4"]
    alone = figures.sent_received([of(both()), of(again)])
    assert panels(alone)[0] == "log bytes"


def test_a_rate_has_a_blank_where_no_sample_is_known():
    flushed = [1e6] * 10 + [np.nan] * 5 + [2e6] * 16
    fig = figures.sent_received([of(link(primary(flushed=flushed, sent=EMPTY)))])
    assert told(fig) == ["flushed: 26 points, 1 to 2 log MB/s, 1 gap"]


# Strips


def strip(of: SentReceived, *verdicts: Any) -> Strip:
    (made,) = figures.strips([of], [studied(of.link, *verdicts)])
    return made


def test_a_strip_gives_the_amount_of_each_step():
    given = of(both(s_flushed=3e5))
    assert strip(given) == Strip(
        "P to S",
        (
            Step("flushed", "1.0 MB/s"), Step("sent", "400 KB/s on the wire"), Step("received", "400 KB/s"),
            Step("hardened", "300 KB/s"), Step("redone", "400 KB/s"),
        ),
    )  # fmt: skip
    unknown = of(link(primary(sent=5e5, flushed=EMPTY), primary_name=""), "")
    assert strip(unknown) == Strip(
        "primary to S",
        (
            Step("flushed", "not captured"), Step("sent", "500 KB/s"), Step("received", "not captured"),
            Step("hardened", "not captured"), Step("redone", "not captured"),
        ),
    )  # fmt: skip


def test_the_slow_steps_are_those_of_the_verdicts():
    given = of(both())
    verdicts = [verdict(given.link, kind) for kind in (SEND_LIMITED, REDO_LIMITED, HEALTHY)]
    assert [step.name for step in strip(given, *verdicts).steps if step.is_slow] == ["sent", "redone"]


def test_strips_of_streams_that_are_held_back_come_first():
    fine, held, other = of(both()), of(of_t()), of(both(replica="U"))
    links = [
        studied(fine.link, verdict(fine.link, HEALTHY)), studied(held.link, verdict(held.link, SEND_LIMITED)),
    ]  # fmt: skip
    made = figures.strips([fine, held, other], links)
    assert [each.name for each in made] == ["P to T", "P to S", "P to U"]
