"""What several findings and tables of a group's health measure, and how sure its findings are."""

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
"""Entries of one server, counted: they say themselves what happened."""
SEEN = 0.9
"""Both ends of it are told, or a setting that decides alone was captured."""
LIKELY = 0.8
"""Settings of which a part may be missing: votes of other nodes, a later change."""
ONE_END = 0.7
"""Only one end of it is told, or the clocks of two hosts were not compared."""
BOUNDED = 0.5
"""It rests on an absence: a log that is not there, a replica that was not watched."""
