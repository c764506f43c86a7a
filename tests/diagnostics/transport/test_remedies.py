"""A recommendation never asks for what the evidence shows."""

from __future__ import annotations

import re

from agtrace.diagnostics.transport import Transport
from tests.diagnostics.tiny import case
from tests.diagnostics.transport.cases import CEILING, SLOW, perfmon
from tests.effort import IS_THOROUGH, thorough
from tests.folded import folded

PING = "P | ping | 0 | target_host | S\nP | ping | 0 | rtt_avg_ms | 156"
SHORT_PING = PING.replace("156", "15")
TUNING_ON = "S | tcp_global | 0 | autotuning_level | normal"
TUNING_OFF = "S | tcp_global | 0 | autotuning_level | disabled"
PRIMARY_ON = "P | tcp_global | 0 | autotuning_level | normal"
COPY_SLOW = "P | robocopy | 0 | destination_host | S\nP | robocopy | 0 | speed_bytes_per_s | 900000"
COPY_FAST = "P | robocopy | 0 | destination_host | S\nP | robocopy | 0 | speed_bytes_per_s | 23000000"

ASKS = {
    r"^log write, p50 .* on S": r"log write latency",
    r"^round trip( to S)? ping": r"\bping\b",
    r"^bulk copy to the replica": r"robocopy|copy of one large file",
    r"^TCP receive window auto-tuning level on S": r"show global. on (S\b|.*and S\b)",
    r"^TCP receive window auto-tuning level on P": r"show global. on (P\b|.*and P\b)",
    r"^processors of S in use": r"\bCPU\b.* on S|processors there|its processors",
    r"^network card of .* in use": r"cards are captured",
    r"^log read back from disk": r"Log Pool Disk Reads",
    r"^segments sent again": r"Segments Retransmitted",
    r"^redo blocked, mean": r"Redo blocked/sec",
}
"""What evidence shows (label), and how a recommendation would ask for it."""

ROWS = [
    {}, SLOW, SLOW | CEILING, SLOW | {"flow_control": "600"}, SLOW | {"lost": "20"},
    SLOW | {"flow_control": "600", "replica_cpu": "97~2"}, SLOW | {"card": "120000000"},
    SLOW | {"replica_flush_ms": "930"}, SLOW | {"disk_reads": "40"}, SLOW | {"disk_reads": None},
    SLOW | {"flow_control": "600", "replica_cpu": None, "replica_flush_ms": None},
    {"recovery": "0..351562", "redone": "400000"},
    {"recovery": "0..351562", "redone": "400000", "blocked": "3"},
    {"recovery": "0..351562", "redone": "400000", "replica_cpu": None},
    {"delay": "9000", "mirrored": "200"},
    {"delay": "9000", "mirrored": "200", "replica_flush_ms": None},
    {"queue": "100", "received": "0", "redone": "0"},
]  # fmt: skip
FACTS = ["", PING, SHORT_PING, TUNING_ON, f"{TUNING_OFF}\n{COPY_SLOW}", COPY_SLOW, COPY_FAST,
         f"{COPY_FAST}\n{PING}", f"{TUNING_ON}\n{PRIMARY_ON}\n{COPY_SLOW}\n{SHORT_PING}"]  # fmt: skip


@thorough
@folded("known", FACTS)
def test_a_recommendation_asks_for_nothing_that_is_shown(known):
    """Each row with a third of the facts, the sides taking turns; thoroughly all with all."""
    sides = ["PS", "S", "P"]
    turn = FACTS.index(known)
    for number, rows in enumerate(ROWS):
        mine = (number + turn) % 3 == 0
        for side, only in enumerate(sides):
            if IS_THOROUGH or (mine and side == (number + turn) // 3 % 3):
                assert_nothing_shown_is_asked_for(rows, known, only)


def assert_nothing_shown_is_asked_for(rows, known, only):
    for found in Transport(case(perfmon(rows, only=only), facts=known)).findings():
        for label, ask in ASKS.items():
            if any(re.search(label, f"{e.label} {e.source}") for e in found.evidence):
                assert not re.search(ask, found.recommendation), (rows, found.recommendation)
