"""Checks of this question: the findings that answer each, and what shows that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check
from agtrace.diagnostics.need import Need

CHECKS = (
    Check("lag", ("distributed.lag",), needs=(Need("relation", ("topology",), "", ""),), is_optional=True),
)
