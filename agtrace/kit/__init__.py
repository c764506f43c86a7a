"""Kits: a folder to hand to a customer that collects what a question needs, and no more.

What a kit holds follows from the needs that the questions declare (`agtrace.diagnostics.need`); `pieces.toml`
says what can be collected and which needs that meets. What nothing collects is named on the page for the
customer.
"""

from agtrace.kit.files import contents, counter_paths, write
from agtrace.kit.plan import VERSIONS, KitKind, Plan, kind_of, kinds, plan, questions_of

__all__ = [
    "VERSIONS",
    "KitKind",
    "Plan",
    "contents",
    "counter_paths",
    "kind_of",
    "kinds",
    "plan",
    "questions_of",
    "write",
]
