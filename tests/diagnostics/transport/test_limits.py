"""Loss and window at once: what each alone would carry is computed, and the lower of the two is the cause."""

from __future__ import annotations

import pytest

from agtrace.diagnostics.transport import Transport
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import perfmon, verdicts
from tests.folded import folded

FAST = {"flushed": "60000000", "sent": "29000000", "received": "29000000", "hardened": "29000000",
        "redone": "29000000", "wire": "29000000~2", "queue": "0..18000000", "segments": "20000",
        "card": "30000000", "bandwidth": "10000000000"}  # fmt: skip
"""29 of 60 MB/s arrive. 65,535 B each 2.25 ms are 29.1 MB/s; a segment of 5,000 lost there are 56 MB/s."""
LOST = {"lost": "4"}


def stream(rate: str, swing: str) -> dict[str, str]:
    """Return the rows of a stream of another rate, which swings by so many percent."""
    log = dict.fromkeys(("sent", "received", "hardened", "redone"), rate)
    return FAST | log | {"wire": f"{rate}~{swing}"}


TUNING_OFF = "S | tcp_global | 0 | autotuning_level | disabled"
TUNING_ON = "S | tcp_global | 0 | autotuning_level | normal"


COPY = "P | robocopy | 0 | destination_host | S\nP | robocopy | 0 | speed_bytes_per_s | 29000000"


def ping(ms: float) -> str:
    return f"P | ping | 0 | target_host | S\nP | ping | 0 | rtt_avg_ms | {ms:g}"


def facts(*texts: str) -> str:
    return "\n".join(texts)


BOTH = facts(TUNING_OFF, ping(2.25))


@pytest.mark.complete
@folded(
    ("rows", "known", "expected"),
    [
        # Loss alone would let 56 MB/s through, the window 29: the window, whatever is sent again.
        (FAST | LOST, BOTH, "window_limited critical 0.8 S"),
        (FAST | LOST | {"resent": "3"}, BOTH, "window_limited critical 0.8 S"),
        (FAST | {"lost": None, "resent": "3"}, BOTH, "window_limited critical 0.8 S"),
        # Far from its window most of the time, and nobody counted what was lost.
        (stream("22000000", "40") | {"lost": None}, BOTH, "window_limited critical 0.7 S"),
        (stream("25000000", "2") | {"lost": None}, BOTH, "window_limited critical 0.7 S"),
        # Without a round trip and without losses nothing tells a window from a path that loses data.
        (FAST | {"lost": None}, facts(TUNING_OFF, COPY), "window_limited critical 0.7 S"),
        # 100 segments of 20,000: loss alone lets 11 MB/s through, and that is what arrives.
        (stream("11000000", "5") | {"lost": "100"}, BOTH, "network_limited critical 0.7 S"),
        # 40 of 20,000: 17.7 against 29.1 MB/s.
        (stream("17000000", "5") | {"lost": "40"}, BOTH, "network_limited critical 0.7 S"),
        # 20 of 20,000: 25.0 against 29.1 MB/s are too close to be sure.
        (stream("24000000", "5") | {"lost": "20"}, BOTH, "network_limited critical 0.65 S"),
        # 12 of 20,000: 32.3 against 29.1 MB/s.
        (FAST | {"lost": "12"}, BOTH, "window_limited critical 0.65 S"),
        # Both lie far above the stream: neither is the cause.
        (stream("5000000", "2") | LOST, BOTH, "network_limited critical 0.6 S"),
        # One in 5,000 over 0.5 ms lets 252 MB/s through.
        (FAST | LOST, facts(TUNING_ON, ping(0.5)), "network_limited critical 0.6 S"),
        # Without a round trip only the two compare: the window is the lower one, and nothing shows that it is
        # met.
        (stream("29000000", "40") | LOST, TUNING_OFF, "network_limited critical 0.6 S"),
        (FAST | LOST, TUNING_OFF, "window_limited critical 0.75 S"),
        (FAST | {"lost": "100"}, TUNING_OFF, "network_limited critical 0.7 S"),
        # Messages that the group sends again are no lost segments.
        (FAST | {"resent": "3"}, "", "network_limited critical 0.6 S"),
        (FAST | {"lost": None, "resent": "3"}, "", "network_limited critical 0.6 S"),
    ],
)  # fmt: skip
def test_the_lower_limit_is_the_cause(rows, known, expected):
    assert verdicts(case(perfmon(rows), facts=known)) == [expected]


@pytest.mark.parametrize(
    ("known", "streams", "expected"),
    [
        (TUNING_OFF, "", [("notice", {"host": "S"}, "TCP auto-tuning is disabled on S")]),
        (f"S | tcp_global | 1 | autotuning_level | normal\n{TUNING_OFF}", "", []),
        (TUNING_ON, "", []),
        (TUNING_OFF, perfmon(**FAST), []),
    ],
)
def test_auto_tuning_that_is_off_is_reported_without_counters(known, streams, expected):
    asked = Transport(case(perfmon=streams, facts=known))
    found = [] if asked.missing() else asked.findings()
    own = [(f.severity, f.subject, f.title) for f in found if f.id == "transport.auto_tuning_off"]
    assert own == expected
