"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check
from agtrace.diagnostics.need import counters

PER_DATABASE = "Log Send Queue, Recovery Queue, Log Bytes Received/sec, Redone Bytes/sec"
QUEUE_COUNTERS = counters("SQLServer:Database Replica", PER_DATABASE)
COMMIT_COUNTERS = counters("SQLServer:Database Replica", "Transaction Delay, Mirrored Write Transactions/sec")

CHECKS = (
    Check(
        "send",
        (
            "transport.network_limited",
            "transport.window_limited",
            "transport.send_limited",
            "transport.flow_control",
            "transport.suspended",
            "transport.auto_tuning_off",
        ),
        counters=QUEUE_COUNTERS,
    ),
    Check("harden", ("transport.harden_limited",), counters=QUEUE_COUNTERS),
    Check(
        "redo", ("transport.redo_limited", "transport.redo_blocked", "transport.rto"), counters=QUEUE_COUNTERS
    ),
    Check("loss", ("transport.rpo",), counters=QUEUE_COUNTERS),
    Check("commit", ("transport.commit_delay",), counters=COMMIT_COUNTERS),
)
