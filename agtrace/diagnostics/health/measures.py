"""Measures and confidences shared by findings and tables on a group's health."""

from __future__ import annotations

from agtrace.measures import Measure

WITHOUT_PRIMARY = Measure("seconds without a primary", "time without a primary", "s")
UNTIL_AVAILABLE = Measure(
    "seconds until databases were available", "time until databases were available", "s"
)
ENTRIES = Measure("entries", "entries", "entries", "what was written, counted")
FAILOVERS = Measure("failovers", "failovers not asked for", "failovers")
OF_UNKNOWN_MODE = Measure("failovers of unknown mode", "failovers of unknown mode", "failovers")
FAILURES = Measure(
    "failures", "failures, by the cluster", "failovers", "of the role, as the cluster counts them"
)
SESSION = Measure("session_timeout", "session_timeout", "s")

COUNTED = 0.95
"""Entries of one server that state the event themselves, counted."""
SEEN = 0.9
"""Both ends were recorded, or a setting that decides alone was captured."""
LIKELY = 0.8
"""Settings that may be incomplete: votes of other nodes, a later change."""
ONE_END = 0.7
"""Only one end was recorded, or the clocks of two hosts were not compared."""
BOUNDED = 0.5
"""Based on an absence: a missing log, a replica that was not watched."""
