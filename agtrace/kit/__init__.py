"""Kits: folders to hand to a customer, which collect exactly the data that a question needs.

The contents of a kit follow from the needs that the questions declare (`agtrace.diagnostics.need`).
`pieces.toml` lists what can be collected, and which needs each piece meets. Needs that no piece meets are
listed on the page for the customer.
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
