"""Checks of this question: the findings that answer each, and what shows that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check
from agtrace.diagnostics.need import Need

EVERY = ("ERRORLOG", "AlwaysOn_health", "perfmon", "cluster log", "event log")
HOST_SETTINGS = (Need("topic", ("power_plan", "filter_instance"), "", ""),)

CHECKS = (
    Check(
        "captures",
        (
            "quality.truncated",
            "quality.gap",
            "quality.host_unknown",
            "quality.analysis_failed",
            "quality.unused",
            "quality.unrelated_groups",
            "quality.unmapped_counter",
        ),
        needs=(Need("relation", ("captures",), "", ""),),
    ),
    Check("clocks", ("quality.clock_skew", "quality.time_zone_unknown"), sources=EVERY),
    Check(
        "hosts", ("settings.power_plan", "settings.antivirus", "settings.teamed_cards"), needs=HOST_SETTINGS
    ),
)
