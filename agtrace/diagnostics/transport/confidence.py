"""How sure each verdict is, from what was captured. docs/diagnostics.md explains the numbers."""

from __future__ import annotations

CONFIDENCE: dict[str, float] = {
    "healthy, both sides": 0.9,
    "healthy, secondary only": 0.7,
    "healthy, sent and flushed only": 0.5,
    "network_limited, primary and secondary": 0.6,
    "network_limited, secondary only": 0.5,
    "network_limited, with one sign": 0.7,
    "window_limited, two signs": 0.75,
    "window_limited, three signs": 0.85,
    "window_limited, four signs": 0.95,
    "send_limited": 0.7,
    "send_limited, log read back from disk": 0.8,
    "network_limited, full card": 0.8,
    "flow_control, network shown free": 0.8,
    "flow_control, primary only": 0.5,
    "harden_limited, log write time": 0.8,
    "harden_limited, processors": 0.7,
    "harden_limited, disk only": 0.6,
    "suspended, message 35264": 0.95,
    "suspended, both sides": 0.85,
    "suspended, secondary only": 0.5,
    "redo_blocked": 0.8,
    "redo_limited": 0.7,
    "commit_delay": 0.9,
    "rpo, integral": 0.8,
    "rpo, estimate": 0.5,
    "rpo, synchronized at a look": 0.9,
    "rto": 0.6,
}

ONE_SIDE = -0.1
"""For a network verdict that rests on the secondary alone."""

BOTH_FIT = -0.05
"""For a window verdict where the whole stream and a single database both fit a window."""

TUNING_UNKNOWN = 0.7
"""At most, for a window verdict where the receiver's auto-tuning was not captured: a path whose
bandwidth times its round trip happens to be 64 KB looks the same in every other sign."""

TUNING_ON = -0.15
"""For a window verdict although the receiver's auto-tuning is on."""

LOSS_OPEN = -0.05
"""For a window verdict where neither the setting nor retransmissions were captured: a path that
loses segments can be as slow."""

NOT_ELIMINATED = -0.1
"""Where the gate is closed and log writes or processors of the replica were not captured."""

OLDER = -0.2
"""For data loss that reaches back before the first sample: a lower bound."""

UNALIGNED = -0.1
"""Where a clock is unknown, so that only aggregates of the two sides compare."""

ON_ITS_WAY = -0.25
"""For health where log that was generated neither arrived nor waits in the queue."""


def confidence(name: str, *changes: float) -> float:
    """Give the confidence of a verdict, with what lowers it taken off."""
    return round(min(max(CONFIDENCE[name] + sum(changes), 0.05), 1.0), 2)
