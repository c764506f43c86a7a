"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check
from agtrace.diagnostics.need import counters

VERSION_COUNTERS = counters("SQLServer:Transactions", "Version Store Size (KB)")

CHECKS = (Check("versions", ("readable.version_store", "readable.statistics"), counters=VERSION_COUNTERS),)
