"""What is said of streams that few captures hold, of facts given as literals."""

from __future__ import annotations

from types import SimpleNamespace as Facts
from typing import Any

import pytest

from agtrace.diagnostics.transport.summary import SAID

COUNTED = {"ratio": 0.5, "counted_why": "SQL Server 2014 counts bytes sent as they go on the wire"}
COMPRESSED = (
    "SQL Server 2014 counts bytes sent as they go on the wire: 0.5 bytes counted as sent per byte of log "
    "received are the same log, compressed."
)
GATE = (
    "SQL Server 2022, or trace flag 12310 at start-up on earlier builds that know it, raises the number"
    " of messages that may be under way. The flag takes a restart of P, which interrupts its databases:"
    " fail over first. To undo it, remove it and restart."
)
UNSEEN = (
    "log flushed, bytes sent, flow control and commit wait are not known. agtrace kit transport writes "
    "scripts that capture the counters on every replica."
)
WAITING = Facts(database="Sales", send_queue=100, send_rate=None, redo_queue=200, redo_rate=None)
FULL = Facts(first=1e6, last=2e6, slope=None)
FULLER = Facts(first=1e6, last=2e6, slope=Facts(value=1000.0))
LOOKS = [{"moment": f"12:0{n}:00 UTC", "synchronized": 1, "n": 2} for n in range(7)]


def link(replica: str, ratio: float | None = None) -> Facts:
    """Give the stream of P to a replica, of whose log some share arrived."""
    return Facts(link=Facts(replica=replica, primary_name="P"), arrived_ratio=ratio)


MET = {
    "loss": "loss is the lower limit, and the other is close to it",
    "window": "the window is the lower limit",
    "near": "the stream runs near that",
    "exceeded": "more than that arrives, so loss is not what holds it back",
    "far": "the stream runs far below what loss would let through",
    "far_from_both": "the stream runs far below what loss or an unscaled window would let through",
}


def lets(rate: float | None, met: str, *, is_close: bool) -> dict[str, Any]:
    """Give what a loss of 1 % would let through."""
    loss = {"share": 0.01, "bytes_per_s": rate, "windows": 0.27, "met": met, "is_close": is_close}
    return {"segment": 1460, "loss": loss}


def copies(**others: float) -> dict[str, Any]:
    """Give a copy to S beside those to other replicas."""
    return {"replica": "S", "signs": Facts(copy=1e6, other_copies=others, cards_idle=False, copy_slow=False)}


@pytest.mark.parametrize(
    ("name", "facts", "words"),
    [
        ("flow_control.alone.what_can", {"gate": None}, ""),
        ("flow_control.gate.ruled_out", {"ruled_out": []}, ""),
        ("flow_control.gate.do",
         {"replica": "S", "primary": "P",
          "unmeasured": ["measure_writes", "measure_processors", "measure_round_trip"]},
         "Measure what else can make S acknowledge late: its log write latency, its processors and the "
         f"round trip (ping). {GATE}"),
        ("flow_control.gate.do", {"replica": "S", "primary": "P", "unmeasured": []},
         f"More messages have to be under way to S than the gate lets through. {GATE}"),
        ("harden_limited.processors.seen",
         {"signs": Facts(processors=Facts(percent=97, n=9)), "write": None},
         "Its processors are 97 % busy (median, n = 9)."),
        ("network_limited.path.seen", {"signs": Facts(window_against="loss", near_loss=True)},
         "Segments are lost on the way, which speaks against an unscaled window: bandwidth or loss on the "
         "path is likelier."),
        ("not_captured.apart.why",
         {"primary": "P", "replica": "S", "overlap": 3, "here": {"start": "12:00", "end": "12:10"},
          "there": {"start": "12:09", "end": "12:19"}},
         "By the clocks of their logs, P was captured from 12:00 to 12:10 and S from 12:09 to 12:19: 3 "
         "samples at the same time. S is judged by its own counters; what the primary generated and sent "
         "meanwhile is not known. If both were logged together, a clock or an offset from UTC is wrong."),
        ("not_captured.looked.why",
         {"looks": 3, "host": None, "moment": "12:00:00 UTC", "n": 2, "fullest": None, "suspended": []},
         "3 looks at a server; the last one, at 12:00:00 UTC, shows 2 databases. Nothing waited to be sent "
         "or redone, as far as it shows queues. A single look shows a moment and no trend: whether a queue "
         "grows, and which hop would hold it back, is not known."),
        ("not_captured.looked.to_send", {"fullest": WAITING}, "100 KB waiting to be sent"),
        ("not_captured.looked.to_redo", {"fullest": WAITING}, "200 KB waiting to be redone"),
        ("open.no_primary", {"primary": "", "clocks_apart": None, "replica": "S"},
         f"The primary was not captured while S was its secondary: {UNSEEN}"),
        ("open.no_primary", {"primary": "P", "clocks_apart": 3, "replica": "S"},
         f"P has another clock than the replica while S was its secondary: {UNSEEN}"),
        ("path.copies", copies(T=2e6, U=3e6),
         "A bulk copy to S ran at 1.0 MB/s (8 Mb/s), against 2.0 MB/s (16 Mb/s) to T, 3.0 MB/s (24 Mb/s) "
         "to U."),
        *(
            ("path.loss", lets(1e5, met, is_close=met == "loss"),
             "Loss alone (1 % of the segments, assumed to be of 1,460 B) would let 100 KB/s (0.8 Mb/s) "
             f"through: {words}.")
            for met, words in MET.items()
        ),
        ("path.loss", lets(None, "window", is_close=False),
         "Loss alone (1 % of the segments, assumed to be of 1,460 B) would let 0.27 unscaled windows through "
         "in each round trip: the window is the lower limit."),
        ("redo.seen", {"recovery": None, "blocked": None}, ""),
        ("redo.seen", {"recovery": FULL, "is_behind": True, "blocked": None},
         "The recovery queue went from 1.0 MB to 2.0 MB."),
        ("redo.seen", {"recovery": FULLER, "is_behind": False, "blocked": 0.25},
         "The recovery queue went from 1.0 MB to 2.0 MB (+1.0 KB/s) while the send queue held nothing "
         "back. Redo was blocked in 25 % of the samples."),
        ("rpo.looked.at_looks", {"looks": LOOKS[:2]},
         "No loss of these at the moment of the look: 12:00:00 UTC (1 of 2 databases SYNCHRONIZED), "
         "12:01:00 UTC (1 of 2 databases SYNCHRONIZED). Between looks nothing is known."),
        ("rpo.looked.at_looks", {"looks": LOOKS},
         "No loss of these at the moment of the look: 12:00:00 UTC (1 of 2 databases SYNCHRONIZED), "
         "12:01:00 UTC (1 of 2 databases SYNCHRONIZED), 12:02:00 UTC (1 of 2 databases SYNCHRONIZED), "
         "12:03:00 UTC (1 of 2 databases SYNCHRONIZED), 12:04:00 UTC (1 of 2 databases SYNCHRONIZED) and 2 "
         "more. Between looks nothing is known."),
        ("sent_received.resent", {"resent": 1}, "1 message was resent."),
        ("sent_received.why_not", {"why_not": "no samples in common", "sides": []},
         "Bytes sent and received do not compare: no samples in common."),
        ("sent_received.side_by_side",
         COUNTED | {"sender": "P", "less": [(link("S"), 0.5)], "mode": None, "flags_on": {},
                    "as_is": [(link("T"), 1), (link("U"), 1.01)]},
         "Per byte of log received, P counted 0.5 to S, 1 to T, 1.01 to U bytes as sent. "
         f"{COMPRESSED} SQL Server compresses the stream to asynchronous replicas unless trace flag 1462 "
         "is on; the figures fit an asynchronous replica. The stream to T, U is not compressed, as streams "
         "to synchronous replicas are not. Both figures are right, and no byte is lost on the way."),
        ("sent_received.headline", {"links": [link("S", 0.8), link("T")]},
         "S from P: 80 % of the log flushed arrived; T from P: no comparison"),
        ("stream.among", {"among": Facts(database=None, first="12:00", last="12:10", is_local=True)},
         "(12:00 to 12:10 local time)"),
        ("stream.databases", {"verdict": Facts(databases=[])}, ""),
        ("stream.moved",
         {"side": "replica", "length": 600, "flushed": None, "received": 1e6, "redone": None, "queue": None},
         "Over 10 min the replica received 1.0 MB/s, on average."),
        ("stream.scale_Linux", {},
         "sysctl -w net.ipv4.tcp_window_scaling=1 net.ipv4.tcp_moderate_rcvbuf=1"),
        ("stream.compressed", COUNTED | {"mode": "synchronous", "flags_on": {"9592": "on"}},
         f"{COMPRESSED} That is what trace flag 9592 does for synchronous replicas."),
        ("stream.compressed", COUNTED | {"mode": "synchronous", "flags_on": {}},
         f"{COMPRESSED} SQL Server compresses the stream to a synchronous replica only with trace flag "
         "9592."),
        ("stream.compressed", COUNTED | {"mode": "asynchronous", "flags_on": {"1462": "on"}},
         f"{COMPRESSED} That does not fit trace flag 1462: DBCC TRACEON without -1 applies to its own "
         "session only, and a stream keeps the setting it began with."),
        ("stream.compressed", COUNTED | {"mode": "asynchronous", "flags_on": {}},
         f"{COMPRESSED} SQL Server compresses the stream to asynchronous replicas unless trace flag 1462 is "
         "on, and this replica is asynchronous."),
        ("suspended.seen",
         {"is_older": False, "length": 600, "verdict": Facts(message=Facts(reason=""))},
         "The queue has not moved for 10 min and nothing was received: its value is old, not small. The "
         "ERRORLOG says that data movement was suspended."),
    ],
)  # fmt: skip
def test_a_variant_is_said(name, facts, words):
    assert SAID.text(name, facts) == words


def test_copies_of_one_file_are_told_side_by_side():
    told = {"copies": [("S", 1e6), ("T", 2e6)], "odd": [], "is_usual": False}
    assert SAID.page("paths", told) == (
        "- A copy of one large file ran at 1.0 MB/s (8 Mb/s) to S; 2.0 MB/s (16 Mb/s) to T."
    )
