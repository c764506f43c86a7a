"""Confidence of each verdict, by the captures. docs/diagnostics/confidence.md explains the numbers."""

from __future__ import annotations

from enum import Enum


class Ground(Enum):
    """The basis of a verdict, as worded in the documentation, and its confidence."""

    HEALTHY_BOTH_SIDES = "healthy, both sides", 0.9
    HEALTHY_SECONDARY_ONLY = "healthy, secondary only", 0.7
    HEALTHY_PRIMARY_ONLY = "healthy, sent and flushed only", 0.5
    NETWORK_BOTH_SIDES = "network_limited, primary and secondary", 0.6
    NETWORK_SECONDARY_ONLY = "network_limited, secondary only", 0.5
    NETWORK_ONE_SIGN = "network_limited, with one sign", 0.7
    WINDOW_TWO_SIGNS = "window_limited, two signs", 0.75
    WINDOW_THREE_SIGNS = "window_limited, three signs", 0.85
    WINDOW_FOUR_SIGNS = "window_limited, four signs", 0.95
    SENDER = "send_limited", 0.7
    SENDER_READS_LOG = "send_limited, log read back from disk", 0.8
    FULL_CARD = "network_limited, full card", 0.8
    GATE_NETWORK_FREE = "flow_control, network shown free", 0.8
    GATE_PRIMARY_ONLY = "flow_control, primary only", 0.5
    LOG_WRITES = "harden_limited, log write time", 0.8
    PROCESSORS = "harden_limited, processors", 0.7
    DISK_ONLY = "harden_limited, disk only", 0.6
    SUSPENDED_MESSAGE = "suspended, message 35264", 0.95
    SUSPENDED_BOTH_SIDES = "suspended, both sides", 0.85
    SUSPENDED_SECONDARY_ONLY = "suspended, secondary only", 0.5
    REDO_BLOCKED = "redo_blocked", 0.8
    REDO_LIMITED = "redo_limited", 0.7
    COMMIT_DELAY = "commit_delay", 0.9
    RPO_INTEGRAL = "rpo, integral", 0.8
    RPO_ESTIMATE = "rpo, estimate", 0.5
    RPO_SYNCHRONIZED = "rpo, synchronized at a snapshot", 0.9
    BEHIND_AT_LOOK = "rpo and rto, queues of a snapshot", 0.6
    RTO = "rto", 0.6
    SKEW_SHOWN = "clock_skew, counters that fit closely", 0.85
    SKEW_LIKELY = "clock_skew, counters that fit", 0.7

    def __init__(self, documented: str, confidence: float) -> None:
        self.documented = documented
        self.confidence = confidence

    def lowered(self, *changes: float) -> float:
        """Return the confidence of a verdict after all deductions."""
        return round(min(max(self.confidence + sum(changes), 0.05), 1.0), 2)


ONE_SIDE = -0.1
"""For a network verdict based on the secondary alone."""

BOTH_FIT = -0.05
"""For a window verdict if the whole stream and a single database both fit a window."""

TUNING_UNKNOWN = 0.7
"""At most, for a window verdict if the receiver's auto-tuning was not captured: a path whose bandwidth times
its round trip happens to be 64 KB has all other signs too."""

TUNING_ON = -0.15
"""For a window verdict although the receiver's auto-tuning is on."""

LOSS_OPEN = -0.05
"""For a window verdict if neither the setting nor retransmissions were captured: a path that loses segments
can be as slow."""

CLOSE_BOUNDS = 0.65
"""At most, if loss and an unscaled window would each allow about as much."""

LOSS_UNSEEN = 0.7
"""At most, for a window verdict if retransmissions were not captured and the stream varies from what the
window carries, or its round trip was not captured."""

NOT_ELIMINATED = -0.1
"""If the gate is closed and log writes or processors of the replica were not captured."""

OLDER = -0.2
"""For data loss that starts before the first sample: a lower bound."""

UNALIGNED = -0.1
"""If a clock is unknown, so that only aggregates of the two sides can be compared."""

ON_ITS_WAY = -0.25
"""For a healthy stream with generated log that neither arrived nor waits in the queue."""
