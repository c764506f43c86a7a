"""Sent against received as a figure, and the chain of each replica as a strip, of streams made by hand."""

from __future__ import annotations

from typing import Any

from agtrace.diagnostics.transport import figures
from agtrace.diagnostics.transport.sent_received import SentReceived, sent_received
from agtrace.diagnostics.transport.verdict import HEALTHY, SEND_LIMITED
from agtrace.history.streams.links import Link
from agtrace.say.strip import Step, Strip
from tests.diagnostics.transport.made_shown import both, known, link, primary, studied, verdict
from tests.diagnostics.transport.test_figures import EMPTY, UTC, of_t, panels, time_axis, title, told


def of(given: Link, version: str = "12.0", **more: Any) -> SentReceived:
    (found,) = sent_received(known(version, **more), [studied(given)])
    return found


def test_without_a_common_clock_the_hops_of_the_replica_are_drawn():
    fig = figures.sent_received([of(both(aligned=False, p_is_local=True))])
    assert panels(fig) == ["log bytes", "bytes on the wire"]
    assert [each.name for each in fig.data] == ["received", "hardened", "redone", "received"]
    assert time_axis(fig) == UTC


def test_without_any_hop_nothing_is_drawn():
    fig = figures.sent_received([])
    assert (title(fig), told(fig)) == ("Nothing sent or received was captured", ["nothing to draw"])


# Strips


def strip(of: SentReceived, *verdicts: Any) -> Strip:
    (made,) = figures.strips([of], [studied(of.link, *verdicts)])
    return made


def test_a_strip_gives_the_amount_of_each_step():
    given = of(both(s_flushed=3e5))
    assert strip(given) == Strip(
        "P to S",
        (
            Step("flushed", "310 MB"), Step("sent", "124 MB on the wire"),
            Step("received", "124 MB", note="send queue 0 B; 186 MB neither passed nor waits"),
            Step("hardened", "93 MB", note="31 MB did not pass"),
            Step("redone", "124 MB",
                 note="recovery queue 0 B; 31 MB more passed than entered and left the queue"),
        ),
        "log bytes in 5 min 10 s with samples of every hop",
    )  # fmt: skip
    unknown = of(link(primary(sent=5e5, flushed=EMPTY), primary_name=""), "")
    assert strip(unknown) == Strip(
        "primary to S",
        (
            Step("flushed", "not captured"),
            Step("sent", "155 MB", note="bytes on the wire, or of an unknown kind"),
            Step("received", "not captured"), Step("hardened", "not captured"),
            Step("redone", "not captured"),
        ),
        "log bytes in 5 min 10 s with samples of every hop",
    )  # fmt: skip


def test_strips_of_streams_that_are_held_back_come_first():
    fine, held, other = of(both()), of(of_t()), of(both(replica="U"))
    links = [
        studied(fine.link, verdict(fine.link, HEALTHY)), studied(held.link, verdict(held.link, SEND_LIMITED)),
    ]  # fmt: skip
    made = figures.strips([fine, held, other], links)
    assert [each.name for each in made] == ["P to T", "P to S", "P to U"]
