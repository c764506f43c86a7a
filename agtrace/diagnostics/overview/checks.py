"""Checks of this question: the findings that answer each, and the proof that there is no problem."""

from __future__ import annotations

from agtrace.diagnostics.checks import Check

EVERY = ("ERRORLOG", "AlwaysOn_health", "perfmon", "cluster log", "event log")
HOST_SETTINGS = ("power_plan", "filter_instance")

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
        relations=("captures",),
    ),
    Check("clocks", ("quality.clock_skew", "quality.time_zone_unknown"), sources=EVERY),
    Check(
        "hosts", ("settings.power_plan", "settings.antivirus", "settings.teamed_cards"), topics=HOST_SETTINGS
    ),
)
